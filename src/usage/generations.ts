import { existsSync, readdirSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { namesIn } from "../text/missingFiles.ts";
import { ownFolder } from "../text/ownFiles.ts";

/**
 * A folder for everything recorded since the last Clear. Clear makes the next one, so that nothing another window is
 * just writing comes back.
 */
export interface Generation {
  readonly name: string;
  /** When it was made, in milliseconds since the epoch; 0 for the first. */
  readonly since: number;
}

const first: Generation = { name: "0-0", since: 0 };

/** The generation that counts. */
export async function currentGeneration(folder: string): Promise<Generation> {
  return (await generationsIn(folder)).at(-1) ?? first;
}

/** The same for the last moment of a window. */
export function currentGenerationNow(folder: string): Generation {
  return existsSync(folder) ? (generationsAmong(readdirSync(folder)).at(-1) ?? first) : first;
}

/** Starts a generation and deletes the others. */
export async function startGeneration(folder: string, now: number): Promise<void> {
  const { name } = await currentGeneration(folder);
  await mkdir(join(folder, `${numberOf(name) + 1}-${now}`), { recursive: true, mode: ownFolder });
  await deleteOldGenerations(folder);
}

/** Deletes what Clear could not delete, and what windows have written there since. */
export async function deleteOldGenerations(folder: string): Promise<void> {
  for (const { name } of (await generationsIn(folder)).slice(0, -1)) {
    await rm(join(folder, name), { recursive: true, force: true, maxRetries: 3 });
  }
}

/** The generations, the one that counts last. */
async function generationsIn(folder: string): Promise<readonly Generation[]> {
  return generationsAmong(await namesIn(folder));
}

function generationsAmong(names: readonly string[]): readonly Generation[] {
  return names
    .filter((name) => /^\d{1,9}-\d{1,15}$/.test(name))
    .map((name) => ({ name, since: Number(name.split("-")[1]) }))
    .sort((one, other) => numberOf(one.name) - numberOf(other.name) || one.since - other.since);
}

function numberOf(name: string): number {
  return Number(name.split("-")[0]);
}

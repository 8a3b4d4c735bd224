import { appendFileSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Environment variable with the folder in which all processes of the end-to-end stage make notes. */
export const notesVariable = "CODEX_GATEWAY_TEST_NOTES";

/** A command, setting, or view of the extension that was used, or what needed a second attempt. */
type Note = readonly [kind: "command" | "setting" | "view" | "secondAttempt", what: string];

/** Makes a note, if the environment names the folder. */
export function makeNote(...note: Note): void {
  const folder = process.env[notesVariable];
  if (folder) appendFileSync(join(folder, `${process.pid}.jsonl`), `${JSON.stringify(note)}\n`);
}

/** The notes of all processes. */
export function readNotes(): readonly Note[] {
  const folder = process.env[notesVariable];
  if (!folder) throw new Error(`${notesVariable} names no folder.`);
  return globSync("*.jsonl", { cwd: folder }).flatMap((name) =>
    readFileSync(join(folder, name), "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as Note),
  );
}

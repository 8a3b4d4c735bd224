import { type FileHandle, open, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { namesIn } from "../text/missingFiles.ts";
import { ownFile } from "../text/ownFiles.ts";
import { batchLine, toLine } from "./batchLine.ts";
import { deleteOldGenerations } from "./generations.ts";
import { dayAfter, dayOf, startOf } from "./localDay.ts";
import { foldName, journalId, type Stored, StoredUsage } from "./storedUsage.ts";
import { Tally } from "./tally.ts";
import type { UsageRow } from "./usageRow.ts";

/** What folding needs. Times are in milliseconds. */
export interface FoldOptions {
  /** The ledger's folder. */
  readonly folder: string;
  readonly now: () => number;
  /** How long a journal must not have changed. Its window may be open; then it starts another journal. */
  readonly idle?: number;
  /** Number of idle journals from which they are folded. */
  readonly enough?: number;
  /** Time for a line that is just being written. */
  readonly grace?: number;
}

/** Days that are kept. */
const daysKept = 400;

/**
 * Sums up idle journals in one file with a line per day, and drops what is older than 400 days. A crash at any point
 * loses nothing and counts nothing twice: a fold counts once it has its last line, it names the journals it has, and of
 * several folds only the newest complete one counts. If another window folds at the same time, one of them gives up.
 */
export async function foldUsage(options: FoldOptions): Promise<void> {
  const { folder, now, idle = 600_000, enough = 4, grace = 1_000 } = options;
  await deleteOldGenerations(folder);
  const before = await new StoredUsage(folder).read();
  const isIdle = async (name: string): Promise<boolean> =>
    now() - (await stat(join(before.folder, name))).mtimeMs >= idle;
  for (const name of [...before.leftovers, ...(await abandonedFolds(before, isIdle))]) await remove(before, name);

  const ripe: string[] = [];
  for (const name of before.journals.keys()) if (await isIdle(name)) ripe.push(name);
  const hasOld = rowsOf(before).some(({ day }) => day < firstDayKept(before, dayOf(now())));
  if (ripe.length < enough && !hasOld) return;
  // A window whose journal has another name now starts a new one.
  for (const name of ripe) await rename(join(before.folder, name), join(before.folder, `sealed-${journalId(name)}`));
  await sleep(grace);

  const stored = await new StoredUsage(folder).read();
  if (stored.folder !== before.folder || stored.folds.some((fold) => fold > stored.fold)) return;
  const isSealed = (name: string): boolean => name.startsWith("sealed-");
  const sealed = [...stored.journals.keys()].filter(isSealed);
  const number = Math.max(0, ...stored.folds) + 1;
  const path = join(stored.folder, foldName(number));
  const handle = await open(path, "wx", ownFile);
  try {
    await handle.appendFile(linesOf(stored, { number, sealed, today: dayOf(now()) }));
    await handle.datasync();
    if (!(await isAlone(stored, number))) throw new Error("Another window folds, too.");
    await complete(handle);
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
  const folded = [...sealed, ...stored.leftovers, ...stored.folds.map(foldName)];
  for (const name of folded) await remove(stored, name);
}

/** The first day that is kept. A clock that is wrong for a day or two must not delete everything. */
function firstDayKept(stored: Stored, today: string): string {
  const days = [...new Set(rowsOf(stored).map(({ day }) => day))].sort();
  const third = days.at(-3);
  return third === undefined ? "0000-01-01" : dayAfter(third < today ? third : today, -daysKept);
}

function rowsOf({ folded, journals }: Stored): readonly Pick<UsageRow, "day">[] {
  return [...(folded ? [folded] : []), ...journals.values()].flatMap(({ batches }) =>
    batches.flatMap(({ rows }) => rows),
  );
}

/** The content of a fold, without its last line. */
function linesOf(
  stored: Stored,
  { number, sealed, today }: { readonly number: number; readonly sealed: readonly string[]; readonly today: string },
): string {
  const files = [stored.folded, ...sealed.map((name) => stored.journals.get(name))].filter(
    (file) => file !== undefined,
  );
  const batches = new Map(files.flatMap((file) => file.batches.map((batch) => [batch.id, batch])));
  const tally = new Tally();
  for (const batch of batches.values()) tally.add(batch);
  const first = firstDayKept(stored, today);
  const days = Map.groupBy(
    tally.rows().filter(({ day }) => day >= first),
    ({ day }) => day,
  );
  const away = tally.away().filter(({ to }) => to >= startOf(first));
  const contains = [...sealed, ...stored.leftovers].map(journalId);
  return [
    toLine({ contains }),
    ...[...days].map(([day, rows]) => batchLine({ id: `fold-${number}-${day}`, rows, away: [] })),
    batchLine({ id: `fold-${number}-away`, rows: [], away }),
    "",
  ].join("\n");
}

/** Whether no other window has begun a fold since the files were read. */
async function isAlone({ folder, folds }: Stored, number: number): Promise<boolean> {
  const known = new Set([...folds, number].map(foldName));
  const names = await namesIn(folder);
  return names.includes(foldName(number)) && names.every((name) => !name.startsWith("fold-") || known.has(name));
}

async function complete(handle: FileHandle): Promise<void> {
  await handle.appendFile(`${toLine({ isEnd: true })}\n`);
  await handle.datasync();
}

/** Folds that a newer one has, or that a crash has left without an end, and signs of periods that are long over. */
async function abandonedFolds(
  { folder, fold, folds }: Stored,
  isIdle: (name: string) => Promise<boolean>,
): Promise<readonly string[]> {
  const found = folds.filter((number) => number < fold).map(foldName);
  for (const number of folds) if (number > fold && (await isIdle(foldName(number)))) found.push(foldName(number));
  const told = (await namesIn(folder)).filter((name) => name.startsWith("told-"));
  for (const name of told) {
    const { mtimeMs } = await stat(join(folder, name));
    if (Date.now() - mtimeMs > longestPeriod) found.push(name);
  }
  return found;
}

/** Longer than a month, in milliseconds. */
const longestPeriod = 40 * 24 * 60 * 60 * 1000;

async function remove({ folder }: Stored, name: string): Promise<void> {
  // What cannot be deleted now, because another program reads it, is a leftover of the next time.
  await rm(join(folder, name), { force: true }).catch(() => undefined);
}

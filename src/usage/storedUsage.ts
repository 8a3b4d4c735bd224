import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { namesIn } from "../text/missingFiles.ts";
import { type Batch, fromLine, toBatch } from "./batchLine.ts";
import { currentGeneration } from "./generations.ts";

/** A file, as far as it is readable. */
export interface StoredFile {
  readonly batches: readonly Batch[];
  /** Of a fold: the names of the journals whose sums it has. */
  readonly contains: readonly string[];
  /** Of a fold: whether it was written to the end. Others don't count. */
  readonly isComplete: boolean;
}

/** The files of a generation that count. */
export interface Stored {
  readonly folder: string;
  /** The number of the fold that counts; 0 if there is none. */
  readonly fold: number;
  /** Every fold, also those that do not count. */
  readonly folds: readonly number[];
  readonly folded: StoredFile | undefined;
  /** The journals and the batches in them that the fold does not have. */
  readonly journals: ReadonlyMap<string, StoredFile>;
  /** Names of journals that the fold has. */
  readonly leftovers: readonly string[];
}

/** Reads what all windows have recorded. Keeps files in memory as long as they do not change. */
export class StoredUsage {
  readonly #folder: string;
  #known = new Map<string, { readonly version: string; readonly file: StoredFile }>();

  /** `folder`: with the generations. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** All files that count. A file that has not changed since it was read before is the same object. */
  async files(): Promise<readonly StoredFile[]> {
    const { folded, journals } = await this.read();
    return [...(folded ? [folded] : []), ...journals.values()];
  }

  /** Reads all files. Tries again if another window folds them meanwhile. */
  async read(): Promise<Stored> {
    for (let tries = 1; ; tries += 1) {
      const { name } = await currentGeneration(this.#folder);
      const folder = join(this.#folder, name);
      const names = await namesIn(folder);
      try {
        const stored = await this.#readAll(folder, names);
        if (tries === mostTries || String(await namesIn(folder)) === String(names)) return stored;
      } catch (error) {
        if (tries === mostTries) throw error;
      }
    }
  }

  async #readAll(folder: string, names: readonly string[]): Promise<Stored> {
    const folds = names.flatMap((name) => foldNumber(name) ?? []).sort((one, other) => other - one);
    const read = new Map<string, StoredFile>();
    let fold = 0;
    for (const number of folds) {
      const file = await this.#file(join(folder, foldName(number)));
      if (!file?.isComplete) continue;
      fold = number;
      read.set(foldName(number), file);
      break;
    }
    const folded = read.get(foldName(fold));
    const contained = new Set(folded?.contains);
    const journals = new Map<string, StoredFile>();
    const leftovers: string[] = [];
    for (const name of names.filter(isJournal)) {
      if (contained.has(journalId(name))) {
        leftovers.push(name);
        continue;
      }
      const file = await this.#file(join(folder, name));
      if (file) journals.set(name, file);
    }
    this.#forgetExcept(folder, [...journals.keys(), foldName(fold)]);
    return { folder, fold, folds, folded, journals, leftovers };
  }

  /** A file, or nothing if no window has written it: their files are much smaller. */
  async #file(path: string): Promise<StoredFile | undefined> {
    const { size, mtimeMs } = await stat(path);
    if (size > largestFile) return undefined;
    const version = `${size} ${mtimeMs}`;
    const known = this.#known.get(path);
    if (known?.version === version) return known.file;
    const file = parse(await readFile(path, "utf8"));
    this.#known.set(path, { version, file });
    return file;
  }

  #forgetExcept(folder: string, names: readonly string[]): void {
    const kept = new Set(names.map((name) => join(folder, name)));
    this.#known = new Map([...this.#known].filter(([path]) => kept.has(path)));
  }
}

/** Maximum size of a file that is read, in bytes. */
const largestFile = 32 * 1024 * 1024;

/** How often files are read again that other windows change. */
const mostTries = 5;

export function foldName(number: number): string {
  return `fold-${number}`;
}

/** A journal keeps its id when it is renamed before it is folded. */
export function journalId(name: string): string {
  return name.replace(/^\w+-/, "");
}

function isJournal(name: string): boolean {
  return /^(?:journal|sealed)-[\da-f-]{36}$/.test(name);
}

function foldNumber(name: string): number | undefined {
  const number = /^fold-(\d{1,9})$/.exec(name)?.[1];
  return number === undefined ? undefined : Number(number);
}

function parse(text: string): StoredFile {
  const contents = text
    .split("\n")
    .map(fromLine)
    .filter((content) => content !== undefined);
  return {
    batches: contents.map(toBatch).filter((batch) => batch !== undefined),
    contains: contents.flatMap(({ contains }) =>
      Array.isArray(contains) ? contains.filter((name) => typeof name === "string") : [],
    ),
    isComplete: contents.at(-1)?.isEnd === true,
  };
}

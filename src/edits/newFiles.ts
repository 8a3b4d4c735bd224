import { flawOf } from "./checkLines.ts";
import { newFileText } from "./fileText.ts";
import type { EditProblem, TextChange } from "./types.ts";

/** Collects the files that an answer creates, and the paths to which it moves others. */
export class NewFiles {
  readonly problems: EditProblem[] = [];
  readonly #changes = new Map<string, TextChange>();
  /** The paths in lower case: on some systems, the case of a name does not matter. */
  readonly #taken = new Set<string>();

  get changes(): readonly TextChange[] {
    const failed = new Set(this.problems.map(({ path }) => path?.toLowerCase()));
    return [...this.#changes.values()].filter(({ path }) => !failed.has(path.toLowerCase()));
  }

  /** Takes a path for a file. Only one can be there. */
  take(path: string): boolean {
    const isFree = !this.#taken.has(path.toLowerCase());
    this.#taken.add(path.toLowerCase());
    return isFree;
  }

  add(path: string, lines: readonly string[], line: number): void {
    const flaw = this.take(path) ? flawOf(lines, []) : "overlap";
    if (flaw !== undefined) this.problems.push({ kind: flaw, path, line });
    const hunks = [{ start: 0, end: 0, lines, match: "exact" as const }];
    this.#changes.set(path, { path, kind: "create", text: newFileText(lines), hunks });
  }
}

import { flawOf } from "./checkLines.ts";
import { newFileText } from "./fileText.ts";
import type { EditProblem, FileChange } from "./types.ts";

/** Collects the files that an answer creates. */
export class NewFiles {
  readonly problems: EditProblem[] = [];
  readonly #changes = new Map<string, FileChange>();

  get changes(): readonly FileChange[] {
    const failed = new Set(this.problems.map(({ path }) => path));
    return [...this.#changes.values()].filter(({ path }) => !failed.has(path));
  }

  has(path: string): boolean {
    return this.#changes.has(path);
  }

  add(path: string, lines: readonly string[], line: number): void {
    const flaw = this.has(path) ? "overlap" : flawOf(lines, []);
    if (flaw !== undefined) this.problems.push({ kind: flaw, path, line });
    const hunks = [{ start: 0, end: 0, lines, match: "exact" as const }];
    this.#changes.set(path, { path, kind: "create", text: newFileText(lines), hunks });
  }
}

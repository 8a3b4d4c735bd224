import type { DocumentChange, LineRange } from "../../../src/text/lineRange.ts";
import { type LineSource, replaceLines } from "../../../src/text/lineRange.ts";

/** Follows a document, as VS Code tells of changes. */
type Listener = (changes: readonly DocumentChange[], reason?: "undo" | "redo") => void;

/** Lines with undo and redo, which tell of changes as a `TextDocument` does: the last place first. */
export class UndoableDocument {
  readonly onChange: Listener[] = [];
  #lines: readonly string[];
  /** Text before and after each undo step. */
  readonly #done: { before: readonly string[]; after: readonly string[] }[] = [];
  #undone: { before: readonly string[]; after: readonly string[] }[] = [];

  constructor(lines: readonly string[]) {
    this.#lines = lines;
  }

  get lines(): readonly string[] {
    return this.#lines;
  }

  get lineCount(): number {
    return this.#lines.length;
  }

  lineAt(line: number): { readonly text: string } {
    const text = this.#lines[line];
    if (text === undefined) throw new RangeError(`There is no line ${line}.`);
    return { text };
  }

  /** Replaces whole lines at several places, in one undo step or together with the last one. */
  replace(hunks: readonly (LineRange & { readonly lines: readonly string[] })[], joins = false): void {
    const source: LineSource = {
      lineCount: this.lineCount,
      eol: "\n",
      lineLength: (line) => this.lineAt(line).text.length,
    };
    const changes = hunks.map((hunk) => {
      const { start, end, text } = replaceLines(source, hunk, hunk.lines);
      return { range: { start, end }, text };
    });
    this.edit(changes.toReversed(), joins);
  }

  edit(changes: readonly DocumentChange[], joins = false): void {
    const before = this.#lines;
    for (const { range, text } of changes) this.#lines = edited(this.#lines, range, text);
    const last = joins ? this.#done.pop() : undefined;
    this.#done.push({ before: last?.before ?? before, after: this.#lines });
    this.#undone = [];
    for (const listener of this.onChange) listener(changes);
  }

  undo(): boolean {
    const step = this.#done.pop();
    if (!step) return false;
    this.#undone.push(step);
    this.#become(step.before, "undo");
    return true;
  }

  redo(): boolean {
    const step = this.#undone.pop();
    if (!step) return false;
    this.#done.push(step);
    this.#become(step.after, "redo");
    return true;
  }

  #become(lines: readonly string[], reason: "undo" | "redo"): void {
    const changes = changesBetween(this.#lines, lines);
    this.#lines = lines;
    for (const listener of this.onChange) listener(changes, reason);
  }
}

function edited(lines: readonly string[], { start, end }: DocumentChange["range"], text: string): readonly string[] {
  const head = (lines[start.line] ?? "").slice(0, start.character);
  const tail = (lines[end.line] ?? "").slice(end.character);
  return [...lines.slice(0, start.line), ...`${head}${text}${tail}`.split("\n"), ...lines.slice(end.line + 1)];
}

/** One change that covers everything that differs. */
function changesBetween(before: readonly string[], after: readonly string[]): readonly DocumentChange[] {
  const [one, other] = [before.join("\n"), after.join("\n")];
  let start = 0;
  while (start < Math.min(one.length, other.length) && one[start] === other[start]) start += 1;
  let same = 0;
  while (same < Math.min(one.length, other.length) - start && one.at(-1 - same) === other.at(-1 - same)) same += 1;
  if (one === other) return [];
  const at = (offset: number): { readonly line: number; readonly character: number } => {
    const above = one.slice(0, offset).split("\n");
    return { line: above.length - 1, character: above.at(-1)?.length ?? 0 };
  };
  return [{ range: { start: at(start), end: at(one.length - same) }, text: other.slice(start, other.length - same) }];
}

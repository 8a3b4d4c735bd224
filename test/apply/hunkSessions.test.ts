import assert from "node:assert/strict";
import { type EditedText, type AppliedHunk, Hunks } from "../../src/apply/hunks.ts";
import { lineHunks } from "../../src/text/lineHunks.ts";
import type { LineRange } from "../../src/text/lineRange.ts";
import { Random } from "../support/random.ts";

/** How many sessions are followed, each of 40 steps. */
const sessions = 4_000;

describe("the hunks of edits in a session of typing, formatters, checkouts, undo, and redo", () => {
  it("are undone and kept where they are, and nowhere else", function () {
    // 10 s on a free core.
    this.timeout(240_000);
    let [decided, refused] = [0, 0];
    for (let number = 0; number < sessions; number += 1) {
      const session = new Session(String(number));
      for (let step = 0; step < 40; step += 1) session.step();
      decided += session.decided;
      refused += session.refused;
    }
    assert.ok(decided > 3 * sessions, `${decided} hunks were decided`);
    assert.ok(refused < decided / 100, `${refused} of ${decided} hunks were refused`);
  });
});

/** A line with the identity that it keeps wherever it moves, and when a formatter indents it. */
interface Line {
  readonly tag: number;
  readonly text: string;
}

/** A hunk with the lines that it has replaced, and those around it. */
interface KnownHunk {
  readonly key: number;
  readonly before: readonly Line[];
  readonly after: readonly Line[];
  readonly above: Line | undefined;
  readonly below: Line | undefined;
}

/** An edit: what is stored of it, and its hunks. */
interface KnownEdit {
  readonly text: EditedText;
  readonly accepted: Set<number>;
  readonly hunks: readonly KnownHunk[];
}

const textOf = (lines: readonly Line[]): string => lines.map(({ text }) => `${text}\n`).join("");

/** A random session over a file, which compares each decision with what should come of it. */
class Session {
  decided = 0;
  refused = 0;
  readonly #random: Random;
  /** The text as it was after each step, the last one as it is now. */
  readonly #states: (readonly Line[])[] = [];
  #edits: readonly KnownEdit[] = [];
  #tags = 0;

  constructor(seed: string) {
    this.#random = new Random(seed);
    this.#states.push(this.#typed(12 + this.#random.below(30)));
    this.#edit();
  }

  get #lines(): readonly Line[] {
    return this.#states.at(-1) ?? [];
  }

  step(): void {
    const kind = this.#random.below(13);
    if (kind < 6) this.#states.push(this.#changed(this.#lines, 2));
    else if (kind < 9) this.#decide();
    else if (kind < 10) this.#edit();
    else if (kind < 11) this.#states.push(this.#lines.map((line) => ({ ...line, text: indented(line.text) })));
    else this.#goBack();
  }

  /** Undoes, redoes, or checks out an earlier text, which somebody may have changed in between. */
  #goBack(): void {
    let lines = this.#random.pick(this.#states.slice(-20)) ?? [];
    if (this.#random.chance(0.3)) lines = this.#changed(lines, 6);
    this.#states.push(lines);
  }

  /** Undoes or keeps a hunk of an edit. */
  #decide(): void {
    const edit = this.#random.pick(this.#edits);
    if (!edit) return;
    const found = new Hunks(edit.text).locate(textOf(this.#lines), edit.accepted);
    assert.deepEqual(
      found.map(({ key }) => key),
      edit.hunks.map(({ key }) => key),
    );
    const index = this.#random.below(found.length);
    const [hunk, known] = [found[index], edit.hunks[index]];
    if (!hunk || !known || hunk.state === "accepted") return;
    const places = placesOf(this.#lines, known);
    this.decided += 1;
    if (hunk.state !== "open") {
      if (places.isSure) this.refused += 1;
      return;
    }
    const undone = ({ start, end }: LineRange): readonly Line[] =>
      this.#lines.toSpliced(start, end - start, ...known.before);
    const right = places.all.find((place) => textOf(undone(place)) === textOf(undone(hunk.lines)));
    if (!right && !isSameText(this.#lines, hunk, known)) {
      assert.fail(`undone at a wrong place:\n${JSON.stringify({ edit: edit.text, now: this.#lines, hunk, known })}`);
    }
    if (!right || this.#random.chance(0.3)) edit.accepted.add(hunk.key);
    else this.#states.push(undone(right));
  }

  #edit(): void {
    const current = this.#lines;
    let lines = current;
    for (let count = 1 + this.#random.below(4); count > 0; count -= 1) lines = this.#changed(lines, 4);
    const hunks: KnownHunk[] = [];
    const after: Line[] = [];
    let next = 0;
    const changes = lineHunks(textsOf(current), textsOf(lines));
    for (const { start, end, newStart, newEnd } of changes) {
      after.push(...current.slice(next, start));
      const own = lines.slice(newStart, newEnd).map(({ text }) => this.#line(text));
      const [above, below] = [current[start - 1], current[end]];
      hunks.push({ key: newStart, before: current.slice(start, end), after: own, above, below });
      after.push(...own);
      next = end;
    }
    after.push(...current.slice(next));
    if (hunks.length === 0) return;
    const text = { before: textOf(current), after: textOf(after) };
    this.#edits = [...this.#edits, { text, accepted: new Set<number>(), hunks }].slice(-3);
    this.#states.push(after);
  }

  /** Lines of which some are replaced, removed, or added in one place. */
  #changed(lines: readonly Line[], most: number): readonly Line[] {
    const start = this.#random.below(lines.length + 1);
    const removed = this.#random.below(most + 1);
    return lines.toSpliced(start, removed, ...this.#typed(this.#random.below(most + 1)));
  }

  #typed(count: number): readonly Line[] {
    return Array.from({ length: count }, () => {
      const { length } = String(this.#tags);
      const own = `${"  ".repeat(this.#random.below(3))}call${this.#tags}(${length});`;
      return this.#line(this.#random.chance(0.85) ? own : (this.#random.pick(usual) ?? own));
    });
  }

  #line(text: string): Line {
    this.#tags += 1;
    return { tag: this.#tags, text };
  }
}

/** Lines that files have more than once. */
const usual = ["}", "", "  }", "  return total;", "  if (!found) return;", "{"];

/** Where a hunk is by the identity of its lines, and whether nothing but that place can be meant. */
function placesOf(
  lines: readonly Line[],
  { before, after, above, below }: KnownHunk,
): { readonly all: readonly LineRange[]; readonly isSure: boolean } {
  const at = (line: Line | undefined): number => lines.findIndex(({ tag }) => tag === line?.tag);
  const areAt = (run: readonly Line[], start: number): boolean =>
    start >= 0 && run.every(({ tag }, index) => lines[start + index]?.tag === tag);
  if (after.length > 0) {
    const start = at(after[0]);
    const isThere = areAt(after, start);
    return { all: isThere ? [{ start, end: start + after.length }] : [], isSure: isThere };
  }
  if (areAt(before, at(before[0]))) return { all: [], isSure: false };
  const [top, bottom] = [above ? at(above) : -1, below ? at(below) : lines.length];
  const [hasTop, hasBottom] = [!above || top >= 0, !below || bottom >= 0];
  const first = hasTop ? top + 1 : bottom;
  const last = hasBottom ? bottom : top + 1;
  if ((!hasTop && !hasBottom) || last < first) return { all: [], isSure: false };
  const all = Array.from({ length: last - first + 1 }, (_, index) => ({ start: first + index, end: first + index }));
  return { all, isSure: hasTop && hasBottom && all.length === 1 };
}

function textsOf(lines: readonly Line[]): readonly string[] {
  return lines.map(({ text }) => text);
}

/** A line as a formatter with another indentation writes it. */
function indented(text: string): string {
  return text.startsWith("\t")
    ? text.replaceAll("\t", "  ")
    : text.replace(/^(?: {2})+/, (indent) => "\t".repeat(indent.length / 2));
}

/**
 * Whether the text of a hunk is where lines of it are, or between the lines around it, so that nobody could tell it from the
 * same text typed anew, or whether it removed one of two equal lines, of which nobody could tell which.
 */
function isSameText(lines: readonly Line[], { lines: { start, end } }: AppliedHunk, known: KnownHunk): boolean {
  const { before, after, above, below } = known;
  const found = lines.slice(start, end);
  if (found.length === 0) return before.some(({ text }) => text === above?.text || text === below?.text);
  const isSame = found.every(({ text }, index) => text.trim() === after[index]?.text.trim());
  const isBetween = lines[start - 1]?.tag === above?.tag && lines[end]?.tag === below?.tag;
  return isSame && (isBetween || found.some(({ tag }) => after.some((line) => line.tag === tag)));
}

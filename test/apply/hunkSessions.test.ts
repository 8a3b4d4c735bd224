import assert from "node:assert/strict";
import { type EditedText, type AppliedHunk, Hunks } from "../../src/apply/hunks.ts";
import { lineHunks } from "../../src/text/lineHunks.ts";
import { Random } from "../support/random.ts";

/** How many sessions are followed for each seed, each of 40 steps. */
const sessions = 2_000;

describe("the hunks of edits in a session of typing, formatters, reloads, checkouts, undo, and redo", () => {
  for (const seed of ["", "b", "c"]) {
    it(`are undone and kept where they are, and nowhere else (seed "${seed}")`, () => {
      const wrong: string[] = [];
      let [decided, refused] = [0, 0];
      for (let number = 0; number < sessions; number += 1) {
        const session = new Session(`${seed}${number}`);
        for (let step = 0; step < 40; step += 1) session.step();
        wrong.push(...session.wrong);
        decided += session.decided;
        refused += session.refused;
      }
      assert.deepEqual(wrong, []);
      assert.ok(decided > 3 * sessions, `${decided} hunks were decided`);
      assert.ok(refused < decided / 100, `${refused} of ${decided} hunks were refused`);
    });
  }
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

interface KnownEdit {
  /** What is stored of the edit. */
  text: EditedText & { readonly accepted: ReadonlySet<number> };
  readonly hunks: readonly KnownHunk[];
}

/** A file, which its editor may have open. */
interface File {
  lines: readonly Line[];
  done: readonly (readonly Line[])[];
  undone: readonly (readonly Line[])[];
  commits: readonly (readonly Line[])[];
  edits: readonly KnownEdit[];
}

const textOf = (lines: readonly Line[]): string => lines.map(({ text }) => `${text}\n`).join("");

/** A random session over two files, and what it should come to. */
class Session {
  readonly wrong: string[] = [];
  decided = 0;
  refused = 0;
  readonly #random: Random;
  readonly #files: readonly File[];
  #tags = 0;

  constructor(seed: string) {
    this.#random = new Random(seed);
    this.#files = [1, 2].map(() => {
      const lines = this.#typed(12 + this.#random.below(30));
      return { lines, done: [], undone: [], commits: [lines], edits: [] };
    });
    for (const file of this.#files) this.#edit(file);
  }

  step(): void {
    const random = this.#random;
    const file = random.pick(this.#files);
    assert.ok(file);
    const steps: readonly (() => void)[] = [
      ...Array.from({ length: 6 }, () => () => {
        this.#type(file);
      }),
      () => {
        this.#edit(file);
      },
      () => {
        this.#write(
          file,
          file.lines.map((line) => ({ ...line, text: indented(line.text) })),
        );
      },
      () => {
        file.commits = [...file.commits, file.lines];
      },
      () => {
        this.#checkOut(file);
      },
      () => {
        const earlier = file.done.at(-1);
        if (!earlier) return;
        file.undone = [...file.undone, file.lines];
        file.done = file.done.slice(0, -1);
        file.lines = earlier;
      },
      () => {
        const later = file.undone.at(-1);
        if (!later) return;
        file.done = [...file.done, file.lines];
        file.undone = file.undone.slice(0, -1);
        file.lines = later;
      },
      () => {
        // A new window, or a file that is opened again: nothing is left but what is stored.
        [file.done, file.undone] = [[], []];
        file.edits = file.edits.map((edit) => ({ ...edit, text: structuredClone(edit.text) }));
      },
      ...Array.from({ length: 3 }, () => () => {
        this.#decide(file);
      }),
    ];
    random.pick(steps)?.();
  }

  /** Undoes or keeps a hunk of an edit, and compares with what should come of it. */
  #decide(file: File): void {
    const edit = this.#random.pick(file.edits);
    if (!edit) return;
    const found = new Hunks(edit.text).locate(textOf(file.lines), edit.text.accepted);
    assert.deepEqual(
      found.map(({ key }) => key),
      edit.hunks.map(({ key }) => key),
    );
    const index = this.#random.below(found.length);
    const [hunk, known] = [found[index], edit.hunks[index]];
    if (!hunk || !known || hunk.state === "accepted") return;
    const places = placesOf(file.lines, known);
    this.decided += 1;
    if (hunk.state !== "open") {
      if (places.isSure) this.refused += 1;
      return;
    }
    const undone = withPlace(file.lines, hunk, known.before);
    const right = places.all.find(
      (place) => textOf(withPlace(file.lines, { lines: place }, known.before)) === textOf(undone),
    );
    if (!right && !isSameText(file.lines, hunk, known)) this.wrong.push(report(edit.text, file.lines, hunk, known));
    else if (!right || this.#random.chance(0.3)) {
      edit.text = { ...edit.text, accepted: new Set([...edit.text.accepted, hunk.key]) };
    } else this.#write(file, withPlace(file.lines, { lines: right }, known.before));
  }

  #edit(file: File): void {
    let lines = file.lines;
    for (let count = 1 + this.#random.below(4); count > 0; count -= 1) lines = this.#changed(lines, 4);
    const hunks: KnownHunk[] = [];
    const after: Line[] = [];
    let next = 0;
    const changes = lineHunks(textsOf(file.lines), textsOf(lines));
    for (const { start, end, newStart, newEnd } of changes) {
      after.push(...file.lines.slice(next, start));
      const own = lines.slice(newStart, newEnd).map(({ text }) => this.#line(text));
      const [above, below] = [file.lines[start - 1], file.lines[end]];
      hunks.push({ key: newStart, before: file.lines.slice(start, end), after: own, above, below });
      after.push(...own);
      next = end;
    }
    after.push(...file.lines.slice(next));
    if (hunks.length === 0) return;
    const text = { before: textOf(file.lines), after: textOf(after), accepted: new Set<number>() };
    file.edits = [...file.edits, { text, hunks }].slice(-3);
    this.#write(file, after);
  }

  #type(file: File): void {
    this.#write(file, this.#changed(file.lines, 2));
  }

  /** Reverts the file to a commit, or to one that somebody has changed in between. */
  #checkOut(file: File): void {
    let lines = this.#random.pick(file.commits) ?? [];
    for (let count = this.#random.below(4); count > 0; count -= 1) lines = this.#changed(lines, 6);
    this.#write(file, lines);
  }

  #write(file: File, lines: readonly Line[]): void {
    file.done = [...file.done, file.lines].slice(-20);
    file.undone = [];
    file.lines = lines;
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
): { readonly all: readonly AppliedHunk["lines"][]; readonly isSure: boolean } {
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

function withPlace(
  lines: readonly Line[],
  { lines: { start, end } }: Pick<AppliedHunk, "lines">,
  before: readonly Line[],
): readonly Line[] {
  return lines.toSpliced(start, end - start, ...before);
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

/** What was undone at a wrong place. */
function report(
  { after }: EditedText,
  lines: readonly Line[],
  { state, lines: found, ...hunk }: AppliedHunk,
  known: KnownHunk,
): string {
  const { start } = found;
  const around = (texts: readonly string[], line: number): string =>
    JSON.stringify(texts.slice(Math.max(0, line - 4), line + 6));
  const now = lines.map(({ tag, text }) => `${tag} ${text}`);
  return [state, around(after.split("\n"), hunk.key), around(now, start), JSON.stringify([hunk, known])].join("\n");
}

/**
 * Whether the text of a hunk is where lines of it are, or between the lines around it, so that nobody could tell it from the
 * same text typed anew.
 */
function isSameText(lines: readonly Line[], { lines: { start, end } }: AppliedHunk, known: KnownHunk): boolean {
  const { after, above, below } = known;
  const found = lines.slice(start, end);
  const isSame = found.every(({ text }, index) => text.trim() === after[index]?.text.trim());
  const isBetween = lines[start - 1]?.tag === above?.tag && lines[end]?.tag === below?.tag;
  return isSame && found.length > 0 && (isBetween || found.some(({ tag }) => after.some((line) => line.tag === tag)));
}

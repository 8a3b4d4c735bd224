/** A file that an answer names in a code span, as in `src/orders.ts:26`. */
export interface PathLink<File> {
  readonly file: File;
  /** The first and last line, from one, if the span has a line. */
  readonly lines: readonly [first: number, last: number] | undefined;
  readonly text: string;
}

/** Markers of quotes and list items, and a fence: what a line may start with before it is known whether it opens a block. */
const lineStart = /^[\s>*+\-\d.)`~]{0,60}$/;
const fence = /^[\s>]*(?:(?:[-*+]|\d{1,9}[.)])\s+)*(`{3,}|~{3,})/;
/** A code span, or its start. After a bracket, it is the text of a link. */
const span = /\[?`([^`\n]*)(`?)|\[$/g;
const pathAndLine = /^(?:\.\/)?(.+?)(?:[:#]L?(\d{1,7})(?:[-–]L?(\d{1,7})|[:C]\d{1,7})?)?$/;

/** Maximum length of a code span with a path, in characters. */
const maxSpanLength = 300;

/** Finds the paths of files in the code spans of an answer as it arrives. Only an unfinished span is held back. */
export class PathLinks<File> {
  readonly #files: ReadonlyMap<string, File>;
  /** The fence of the code block that the line is in. */
  #fence = "";
  #isCode = false;
  #isInLine = false;
  #held = "";

  /** `files`: the files to link, by their paths. */
  constructor(files: ReadonlyMap<string, File>) {
    this.#files = files;
  }

  /** The text and links to show for a piece of the answer. */
  add(piece: string): readonly (string | PathLink<File>)[] {
    const lines = (this.end() + piece).split(/(?<=\n)/);
    return lines.flatMap((line) => this.#read(line)).filter((part) => part !== "");
  }

  /** The text that is held back when the answer ends. */
  end(): string {
    const held = this.#held;
    this.#held = "";
    return held;
  }

  #read(line: string): readonly (string | PathLink<File>)[] {
    const isWhole = line.endsWith("\n");
    if (!this.#isInLine) {
      if (!isWhole && lineStart.test(line)) {
        this.#held = line;
        return [];
      }
      const [, mark = ""] = fence.exec(line) ?? [];
      this.#isCode = (this.#fence || mark) !== "";
      if (this.#fence === "") this.#fence = mark;
      else if (mark.startsWith(this.#fence) && line.trim().endsWith(mark)) this.#fence = "";
    }
    this.#isInLine = !isWhole;
    if (this.#isCode) return [line];
    const parts: (string | PathLink<File>)[] = [];
    let at = 0;
    for (const { 0: all, 1: text = "", 2: close, index } of line.matchAll(span)) {
      if (!close && !isWhole && text.length < maxSpanLength) {
        this.#held = line.slice(index);
        return [...parts, line.slice(at, index)];
      }
      const [, path = "", first, last = first] = pathAndLine.exec(text) ?? [];
      const file = this.#files.get(path);
      if (!close || file === undefined || all.startsWith("[")) continue;
      parts.push(line.slice(at, index), { file, lines: first ? [Number(first), Number(last)] : undefined, text });
      at = index + all.length;
    }
    return [...parts, line.slice(at)];
  }
}

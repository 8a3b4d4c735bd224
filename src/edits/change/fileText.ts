import type { LineEdit } from "../types.ts";

const byteOrderMark = "\ufeff";

/** A file's lines with what separates them, so that a change keeps every byte of the lines it does not touch. */
export class FileText {
  readonly text: string;
  /** The lines without their endings. A final newline ends the last line; it starts no other. */
  readonly lines: readonly string[];
  readonly #mark: string;
  readonly #endings: readonly string[];

  constructor(text: string) {
    this.text = text;
    this.#mark = text.startsWith(byteOrderMark) ? byteOrderMark : "";
    const lines: string[] = [];
    const endings: string[] = [];
    let start = this.#mark.length;
    for (const { 0: ending, index } of text.matchAll(/\r\n|\r|\n/g)) {
      lines.push(text.slice(start, index));
      endings.push(ending);
      start = index + ending.length;
    }
    if (start < text.length) {
      lines.push(text.slice(start));
      endings.push("");
    }
    this.lines = lines;
    this.#endings = endings;
  }

  /**
   * The text with lines replaced. New lines end like the lines they replace, or like those around them; the file's end
   * keeps its newline, or stays without. An empty file gets one.
   */
  replace(changes: readonly LineEdit[]): string {
    const lines: string[] = [];
    const endings: string[] = [];
    let next = 0;
    const keepUntil = (end: number): void => {
      for (; next < end; next += 1) {
        lines.push(this.lines[next] ?? "");
        endings.push(this.#endings[next] ?? "");
      }
    };
    for (const { start, end, lines: added } of changes) {
      keepUntil(start);
      for (const [offset, line] of added.entries()) {
        lines.push(line);
        endings.push(this.#endings[start + offset < end ? start + offset : Math.max(0, end - 1)] ?? "");
      }
      next = end;
    }
    keepUntil(this.lines.length);
    return this.#mark + this.#join(lines, endings);
  }

  #join(lines: readonly string[], endings: readonly string[]): string {
    const usual = this.#usualEnding();
    const hasFinalNewline = this.#endings.at(-1) !== "";
    const last = lines.length - 1;
    const endingOf = (index: number): string => {
      if (index === last && !hasFinalNewline) return "";
      return endings[index] === "" ? usual : (endings[index] ?? usual);
    };
    return lines.map((line, index) => line + endingOf(index)).join("");
  }

  #usualEnding(): string {
    const counts = new Map<string, number>();
    for (const ending of this.#endings) if (ending !== "") counts.set(ending, (counts.get(ending) ?? 0) + 1);
    const [most] = [...counts].sort(([, one], [, other]) => other - one);
    return most?.[0] ?? "\n";
  }
}

/** The text of a new file. */
export function newFileText(lines: readonly string[]): string {
  const text = lines.map((line) => `${line}\n`).join("");
  return text.startsWith(byteOrderMark) ? text.slice(byteOrderMark.length) : text;
}

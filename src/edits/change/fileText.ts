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
    const parts = text.slice(this.#mark.length).split(/(\r\n|\r|\n)/);
    if (parts.at(-1) === "") parts.pop();
    this.lines = parts.filter((_, at) => at % 2 === 0);
    this.#endings = this.lines.map((_, at) => parts[2 * at + 1] ?? "");
  }

  /**
   * The text with lines replaced. New lines end like the lines they replace, or like those around them; the file's end
   * keeps its newline, or stays without. Lines for an empty file end with a newline.
   */
  replace(changes: readonly LineEdit[]): string {
    const rows: { readonly line: string; readonly ending: string }[] = [];
    let next = 0;
    const keepUntil = (end: number): void => {
      for (; next < end; next += 1) rows.push({ line: this.lines[next] ?? "", ending: this.#endings[next] ?? "" });
    };
    for (const { start, end, lines } of changes) {
      keepUntil(start);
      for (const [offset, line] of lines.entries()) {
        rows.push({ line, ending: this.#endings[Math.min(start + offset, Math.max(0, end - 1))] ?? "" });
      }
      next = end;
    }
    keepUntil(this.lines.length);
    const usual = this.#endings[0] === undefined || this.#endings[0] === "" ? "\n" : this.#endings[0];
    const texts = rows.map(({ line, ending }) => line + (ending === "" ? usual : ending));
    const last = rows.at(-1);
    if (last && this.#endings.at(-1) === "") texts[texts.length - 1] = last.line;
    return this.#mark + texts.join("");
  }
}

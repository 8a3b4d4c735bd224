import { type Measure, measures } from "./isSecret.ts";
import {
  endOf,
  isNamed,
  isTag,
  type Name,
  secretIn,
  type Span,
  stringAt,
  textAt,
  valueAt,
  valueKey,
  wordAt,
} from "./secretValues.ts";

/** Takes the secrets that were found in a line. */
export type Found = (index: number, spans: readonly Span[]) => void;

/** How many lines from its name a value with a name of its own may stand, how many lines a name governs, and how long. */
const mostBetween = 4;
const mostLines = 60;
const longestLine = 5_000;

/** What ends the line of a name whose value comes in the next lines; the group is what opens a block, a list, or a section. */
const opener =
  /^(?:\\{0,8}["'`]?[\])]{0,2}\s*(?::=|=>|[:=]|：)\s*(?:[&!][\w!/.:-]{1,40}\s*)?|[^<>]{0,100}>\s*(?:<!\[CDATA\[)?|["'`]?\]?(?=\()|\s+(?=\\)|["']?\s*(?=\{))([|>][-+\d]{0,2}|\\|\(|\[|\{|["'`]{1,3}|\$?\(?(?:cat )?<<[-~]?["']?\w+["']?\)?)?\s*(?:#.*)?$/;
const lineStart = /[+\- ]?\s*(?:-\s+)?(?::\s+)?/y;
const key =
  /["']?([\w./-]{1,100})["']?\s{0,30}(?:=>|[:=])\s{0,4}(?:[&!][\w!/.:-]{1,40}\s+)?|<[\w-]*(?:string|value)>/iy;
const nameKey = /^[+\- ]?\s*(?:-\s+)?(?:["']?(?:name|key|id)["']?\s*[:=]|<[\w-]*(?:key|name)>)/i;
const note = /\s*(?:#|\/\/|--\s)/y;

/** What is below a name: its value, lines of one, a list, or other names with values, perhaps up to the next heading. */
type Kind = "value" | "block" | "list" | "section" | "heading";

/** Finds the values whose names stand in other lines. */
export class LineReader {
  readonly #lines: readonly string[];
  readonly #add: Found;
  /** The last line of the document that was looked at last, and whether it is a Secret of Kubernetes. */
  #documentEnd = -1;
  #isSecret = false;

  constructor(lines: readonly string[], add: Found) {
    this.#lines = lines;
    this.#add = add;
  }

  /** All values in the data of a Secret are secrets, whatever their names are. */
  read(index: number): void {
    const line = this.#lines[index] ?? "";
    if (line.length > 60 || !/^[+\- ]?\s*["']?(?:data|stringData)["']?\s*:\s*\{?\s*$/.test(line)) return;
    if (this.#isInSecret(index)) this.#readBelow(index, measures.login, "section");
  }

  /** Looks for the value of a name that has none in its line. */
  follow(index: number, name: Name): void {
    const line = this.#lines[index] ?? "";
    if (line.length - name.end > 100) return;
    const after = line.slice(name.end);
    this.#column(index, name);
    if (isNamed(line, name) && /^[\w.-]*\\?["']?\s*[,;]?\s*(?:\{|[^<>]{0,80}>|<\/[\w-]+>)?\s*$/.test(after)) {
      if (!this.#readNamed(index, name.measure, 1)) this.#readNamed(index, name.measure, -1);
    }
    const kind = this.#kindBelow(index, name, after);
    if (kind !== undefined) this.#readBelow(index, name.measure, kind);
  }

  /** What a name governs in the next lines, if anything. */
  #kindBelow(index: number, name: Name, after: string): Kind | undefined {
    const line = this.#lines[index] ?? "";
    if (/^\s*\[[\w. "-]+\]\s*$/.test(line)) return "heading";
    if (line[name.start] === "-" && /^["']?,?$/.test(after)) return "value";
    if (/^["']?$/.test(after) && /^\s*:\s/.test(this.#lines[index + 1] ?? "")) return "value";
    const match = opener.exec(after);
    if (!match || (/>\s*$/.test(line) && !/[:=]/.test(after) && !isTag(line, name, ""))) return undefined;
    const opened = match[1] ?? "";
    if (/^[[(]$/.test(opened)) return "list";
    if (name.measure !== measures.random && /[^s]s$/i.test(line.slice(name.start, name.end))) return "section";
    return /^[|>]/.test(opened) ? "block" : "value";
  }

  /** The value with a name of its own above or below the line of a name, in the same item of a list. */
  #readNamed(index: number, measure: Measure, step: 1 | -1): boolean {
    for (let at = index + step, left = mostBetween; left > 0; at += step, left -= 1) {
      const line = this.#lines[at] ?? "";
      const isFirst = /^[+\- ]?\s*(?:-\s|[{}\]<]\s*$)/.test(line);
      if (nameKey.test(line) || (step > 0 && isFirst)) return false;
      const found = this.#ofKey(line, measure, false);
      if (found.length === 0 && /^[+\- ]?\s*["']?value["']?\s*:\s*[|>][-+]?$/.test(line)) {
        this.#readBelow(at, measure, "block");
        return true;
      }
      if (found.length > 0) {
        this.#add(at, found);
        return true;
      }
      if (isFirst) return false;
    }
    return false;
  }

  /** The value of the key that a line begins with. */
  #ofKey(line: string, measure: Measure, isAny: boolean): readonly Span[] {
    let start = endOf(lineStart, line, 0) ?? 0;
    if (line[start] === "{") start += /^\{\s*/.exec(line.slice(start, start + 40))?.[0].length ?? 0;
    key.lastIndex = start;
    const match = line.length > longestLine ? null : key.exec(line);
    if (!match || !(isAny || match[1] === undefined || valueKey.test(match[1]))) return [];
    const end = start + match[0].length;
    return match[1] === undefined
      ? secretIn(line, measure, textAt(line, end), true)
      : valueAt(line, end, measure, isAny, true);
  }

  /** The values in the next lines: one, those of a list or a block, or, in a section, those of all keys. */
  #readBelow(index: number, measure: Measure, kind: Kind): void {
    const indent = indentOf(this.#lines[index] ?? "");
    const isSection = kind === "section" || kind === "heading";
    let isFirst = true;
    for (let at = index + 1; at <= index + mostLines && at < this.#lines.length; at += 1) {
      const line = this.#lines[at] ?? "";
      if (line.length > longestLine) return;
      const start = endOf(lineStart, line, 0) ?? 0;
      if (start >= line.length || endOf(note, line, 0) !== undefined) continue;
      const isItem = line.slice(0, start).trimEnd().endsWith("-") && indentOf(line) >= indent;
      const isDeeper = indentOf(line) > indent;
      if (kind === "heading" ? line.startsWith("[") : !isFirst && !isDeeper && !isItem) return;
      const isKey = endOf(key, line, start) !== undefined;
      if (isKey && (isDeeper || isItem || kind === "heading")) this.#add(at, this.#ofKey(line, measure, isSection));
      else if (isKey || !isValue(line, start, kind) || (isSection && !isItem && measure !== measures.login)) return;
      else this.#add(at, valueAt(line, start, measure, true));
      if (!isKey && kind === "value" && !isItem) return;
      isFirst = false;
    }
  }

  /** The values in the column of a table below a name in its first line. */
  #column(index: number, name: Name): void {
    const header = this.#lines[index] ?? "";
    const separator = separatorOf(header);
    if (separator === undefined || header.length > longestLine) return;
    const cells = cellsOf(header, separator);
    const column = cells.findIndex(({ start, end }) => start <= name.start && name.end <= end);
    if (
      cells.length < 2 ||
      header.slice(cells[column]?.start, cells[column]?.end).trim() !== header.slice(name.start, name.end)
    )
      return;
    for (let at = index + 1; at <= index + mostLines; at += 1) {
      const line = this.#lines[at] ?? "";
      const row = line.length > longestLine ? [] : cellsOf(line, separator);
      const cell = row[column];
      if (row.length !== cells.length || !cell) return;
      const start = cell.start + (/^\s*["'`]?/.exec(line.slice(cell.start, cell.end))?.[0].length ?? 0);
      this.#add(at, secretIn(line, name.measure, wordAt(line, start), true));
    }
  }

  #isInSecret(index: number): boolean {
    while (this.#documentEnd < index) {
      const start = this.#documentEnd + 1;
      do this.#documentEnd += 1;
      while (this.#lines[this.#documentEnd + 1]?.startsWith("---") === false);
      this.#isSecret = this.#lines
        .slice(start, this.#documentEnd + 1)
        .some((line) =>
          /^[+\- ]?\s*(?:-\s+)?\{?\s*["']?kind["']?\s*:\s*["']?Secret["']?\s*,?\s*$/.test(line.slice(0, 100)),
        );
    }
    return this.#isSecret;
  }
}

function indentOf(line: string): number {
  return /^[+\- ]?\s*/.exec(line)?.[0].length ?? 0;
}

/** What separates the cells of a table that begins with this line. */
function separatorOf(line: string): string | undefined {
  return /^[+\- ]?\s*\|.*\|\s*$/.test(line) ? "|" : /^[+-]?\w[^\s,;]*([,;\t])/.exec(line)?.[1];
}

function cellsOf(line: string, separator: string): readonly Span[] {
  let start = 0;
  return line.split(separator).map((text) => ({ start, end: (start += text.length + 1) - 1 }));
}

/** Whether a line has nothing but one value. */
function isValue(line: string, start: number, kind: Kind): boolean {
  const string = stringAt(line, start);
  if (string) return /^\W*(?:\.\w+\(\W*)?$/.test(line.slice(string.end));
  return (
    kind === "block" ||
    (kind !== "list" && !/^[\w.-]+["']?\s*(?:[:=(]\s*[^=\s]|[:({]$)|\s\w/.test(line.slice(start).trimEnd()))
  );
}

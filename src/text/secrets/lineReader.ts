import { isPhrase, type Measure, measures } from "./secretForms.ts";
import {
  endOf,
  isNamed,
  type Name,
  secretIn,
  type TextSpan,
  stringAt,
  textAt,
  valueAt,
  valueKey,
  wordAt,
} from "./secretValues.ts";

/** Takes the secrets that were found in a line. */
export type OnSecrets = (index: number, spans: readonly TextSpan[]) => void;

/** Maximum number of lines between a name and a value that has a key of its own, and below a name; maximum length of a line. */
const maxBetween = 4;
const maxLines = 60;
const maxLineLength = 5_000;

/** The end of a line whose name has its value below: `password: |`, `"tokens": [`, `<password>`, `token=$(cat <<EOF`. */
const opening =
  /^(?:["'`]?\]?\s*(?:=>|[:=：])\s*(?:[&!]\S{1,40}\s*)?|[^<>]{0,100}>\s*|["']?\s+(?=[\\{]))(?:[|>][-+\d]{0,2}|[rf]?(?:"""|'''|`)|[\\([{]|\$?\(?(?:cat )?<<\S{1,40})?\s*(?:#.*)?$/;
const heading = /^\s*\[[\w. "-]+\]\s*$/;
const lineStart = /[+\- ]?\s*(?:-\s+)?(?::\s+)?\{?\s*/y;
const key =
  /["']?([\w./-]{1,100})["']?\s{0,30}(?:=>|[:=])\s{0,4}(?:[&!][\w!/.:-]{1,40}\s+)?|<[\w-]*(?:string|value)>/iy;
/** A prefix that all lines of a text may have: a comment or quotation marker, or a line number, as tools print it. */
const prefixes = [
  ...[/^\s*#/, /^\s*\/\//, /^\s*--(?=\s)/, /^\s*;/, /^\s*>/, /^\s*\*/],
  /^(?:[\w./-]{1,200}[:-])?\s{0,10}\d{1,6}(?:[:→\t-]|\s?\||\.(?=\s))/,
];
/** Takes the place of a line without the prefix, and ends what is read above or below. */
const otherLine = "}";
const comment = /\s*(?:#|\/\/|--\s)/y;

/** Finds the values whose names are in other lines. */
export class LineReader {
  readonly #lines: readonly string[];
  readonly #add: OnSecrets;
  /** The prefix that is not read. Lines without it belong to something else. */
  #prefix: RegExp | undefined;

  constructor(lines: readonly string[], add: OnSecrets) {
    this.#lines = lines;
    this.#add = add;
  }

  /** Finds the data of a Secret of Kubernetes, where names say nothing. */
  read(index: number): void {
    if (!/data["']?\s*:\s*(?:\{\s*)?$/i.test(this.#lineAt(index))) return;
    this.#withAndWithoutPrefix(index, () => {
      const isData = /^.?\s*["']?(?:data|stringData)\b/.test(this.#lineAt(index));
      if (isData && this.#isInSecret(index)) this.#readBelow(index, measures.login, true);
    });
  }

  /** Finds the value of a name that has none in its line. */
  follow(index: number, name: Name): void {
    this.#withAndWithoutPrefix(index, () => {
      this.#follow(index, name);
    });
  }

  #withAndWithoutPrefix(index: number, read: () => void): void {
    read();
    this.#prefix = prefixes.find((prefix) => prefix.test(this.#lineAt(index)));
    if (this.#prefix) read();
    this.#prefix = undefined;
  }

  #follow(index: number, name: Name): void {
    const line = this.#lineAt(index);
    const after = line.slice(name.end);
    if (after.length > 100) return;
    this.#readColumn(index, name);
    if (isNamed(line, name) && !this.#readNamed(index, name.measure, 1)) this.#readNamed(index, name.measure, -1);
    const isPlural = name.measure !== measures.random && /[^s]s$/i.test(line.slice(name.start, name.end));
    if (heading.test(line)) this.#readBelow(index, name.measure, true);
    else if (opening.test(after) || isOpened(line, name, after, this.#lineAt(index + 1)))
      this.#readBelow(index, name.measure, isPlural && !/[[(]\s*$/.test(after));
  }

  #lineAt(index: number): string {
    const line = this.#lines[index] ?? "";
    if (line.length > maxLineLength) return "";
    const [prefix] = this.#prefix?.exec(line) ?? [];
    if (prefix === undefined) return this.#prefix ? otherLine : line;
    return " ".repeat(prefix.length) + line.slice(prefix.length);
  }

  /** The value with a key of its own above or below the line of a name, in the same item of a list. */
  #readNamed(index: number, measure: Measure, step: 1 | -1): boolean {
    for (let at = index + step; Math.abs(at - index) <= maxBetween; at += step) {
      const line = this.#lineAt(at);
      const isFirst = /^(?:- (?!\s)|[+\-\s]\s*-\s|[+\-\s]?\s*[{}\]<]\s*$)/.test(line);
      if (step > 0 && isFirst) return false;
      const found = this.#valueOfKey(line, measure, false);
      this.#add(at, found);
      if (found.length > 0) return true;
      if (/^[+\- ]?\s*["']?value["']?\s*:\s*[|>][-+]?$/.test(line)) this.#readBelow(at, measure, false);
      if (isFirst) return false;
    }
    return false;
  }

  /** The value of the key that a line begins with: of any key, or only of one such as `value`. */
  #valueOfKey(line: string, measure: Measure, isOfAnyKey: boolean): readonly TextSpan[] {
    key.lastIndex = endOf(lineStart, line, 0) ?? 0;
    const [match, name] = key.exec(line) ?? [];
    if (match === undefined || !(isOfAnyKey || name === undefined || valueKey.test(name))) return [];
    const end = key.lastIndex;
    return name === undefined
      ? secretIn(line, measure, textAt(line, end), true)
      : valueAt(line, end, measure, isOfAnyKey, true);
  }

  /**
   * The values below a name or a heading: all that have no key, and those of keys such as `value`, or of any key. Without
   * more indentation, only the first line or the items of a list are below:
   *
   *     passwords:        [login]
   *     - first           user = "me"
   *     - second          pin = "second"
   */
  #readBelow(index: number, measure: Measure, isOfAnyKey: boolean): void {
    const line = this.#lineAt(index);
    const isHeading = heading.test(line);
    let isFirst = true;
    for (let at = index + 1; at <= Math.min(index + maxLines, this.#lines.length - 1); at += 1) {
      const below = this.#lineAt(at);
      const contentStart = endOf(lineStart, below, 0) ?? 0;
      if (contentStart >= below.length || endOf(comment, below, 0) !== undefined) continue;
      const isItem = below.slice(0, contentStart).trimEnd().endsWith("-");
      const isInside = isHeading ? !below.startsWith("[") : indentOf(below) > indentOf(line) || isItem;
      if (endOf(key, below, contentStart) !== undefined) {
        if (!isInside) return;
        this.#add(at, this.#valueOfKey(below, measure, isOfAnyKey));
      } else if (isFirst || isInside) {
        if (!isValue(below, contentStart)) return;
        this.#add(at, valueAt(below, contentStart, measure, true));
      } else return;
      isFirst = false;
    }
  }

  /** The values in the column of a table whose header is a name. */
  #readColumn(index: number, name: Name): void {
    const header = this.#lineAt(index);
    const separator = /^[+\- ]?\s*\|.*\|\s*$/.test(header) ? "|" : /^[+-]?\w[^\s,;]*([,;\t])/.exec(header)?.[1];
    if (separator === undefined) return;
    const cells = cellsOf(header, separator);
    const column = cells.findIndex(({ start, end }) => start <= name.start && name.end <= end);
    if (header.slice(cells[column]?.start, cells[column]?.end).trim() !== header.slice(name.start, name.end)) return;
    for (let at = index + 1; at <= index + maxLines; at += 1) {
      const line = this.#lineAt(at);
      const row = cellsOf(line, separator);
      const cell = row[column];
      if (row.length !== cells.length || !cell) return;
      const start = cell.start + (/^\s*["'`]?/.exec(line.slice(cell.start, cell.end))?.[0].length ?? 0);
      this.#add(at, secretIn(line, name.measure, wordAt(line, start), true));
    }
  }

  /** Whether a line is in a document of YAML, or an object of JSON, whose kind is Secret. */
  #isInSecret(index: number): boolean {
    return [1, -1].some((step) => {
      for (let at = index + step; Math.abs(at - index) <= maxLines; at += step) {
        const line = this.#lineAt(at).slice(0, 100);
        if (at < 0 || at >= this.#lines.length || /^\s*---/.test(line)) return false;
        if (/^.?\s*(?:-\s+)?\{?\s*["']?kind["']?\s*:\s*["']?Secret["']?\s*,?\s*$/.test(line)) return true;
      }
      return false;
    });
  }
}

/** Whether the next line is the value of a name: `- --password`, or `"password"` above `: "…"`. */
function isOpened(line: string, name: Name, after: string, next: string): boolean {
  return /^["']?,?$/.test(after) && (line[name.start] === "-" || /^\s*:\s/.test(next));
}

function indentOf(line: string): number {
  return /^[+\- ]?\s*/.exec(line)?.[0].length ?? 0;
}

function cellsOf(line: string, separator: string): readonly TextSpan[] {
  let start = 0;
  return line.split(separator).map((text) => ({ start, end: (start += text.length + 1) - 1 }));
}

/** Whether a line has a single value from here on, and no code. */
function isValue(line: string, start: number): boolean {
  const string = stringAt(line, start);
  if (string) return /^\W*(?:\.\w+\(\W*)?$/.test(line.slice(string.end));
  const text = line.slice(start).trimEnd();
  return isPhrase(text) || !/^[\w.-]+["']?\s*(?:[:=(]\s*[^=\s]|[:({]$)|\s\w/.test(text);
}

import { type Measure, measures } from "./isSecret.ts";
import { endOf, isNamed, type Name, secretIn, type Span, stringAt, textAt, wordAt } from "./secretValues.ts";

/** Takes the secrets that were found in a line. */
export type Found = (index: number, spans: readonly Span[]) => void;

/** How many lines from its name a value with a name of its own may stand, and how many lines a block or table may have. */
const mostBetween = 3;
const mostLines = 60;
const longestLine = 5_000;

/** What ends the line of a name whose value comes in the next lines; the group is what opens a block, a list, or a section. */
const opener =
  /^(?:\\{0,8}["'`]?[\])]{0,2}\s*(?::=|=>|[:=]|：)\s*(?:[&!][\w!/.:-]{1,40}\s*)?|[^<>]{0,100}>\s*(?:<!\[CDATA\[)?|["'`]?\]?(?=\()|\s+(?=\\))([|>][-+\d]{0,2}|\\|\(|\[|\{|["'`]{1,3}|\$?\(?(?:cat )?<<[-~]?["']?\w+["']?\)?)?\s*(?:#.*)?$/;
const lineStart = /[+\- ]?\s*(?:-\s+)?/y;
const key = /["']?[\w./-]{1,100}["']?\s{0,4}(?:=>|[:=])\s{0,4}(?:[&!][\w!/.:-]{1,40}\s+)?/y;
const valueKey =
  /^[+\- ]?\s*(?:-\s+)?(?:\{\s*)?(?:["']?\w{0,20}(?:value|default|content|data)\w{0,5}["']?\s*[:=]\s*|<(?:string|value)>)/i;
const nameKey = /^[+\- ]?\s*(?:-\s+)?(?:["']?(?:name|key|id)["']?\s*[:=]|<key>)/i;

/** Finds the values whose names stand in other lines. */
export class LineReader {
  readonly #lines: readonly string[];
  readonly #add: Found;
  /** Where the document ends that was looked at last, and whether it is a Secret of Kubernetes. */
  #documentEnd = -1;
  #isSecret = false;
  #tableEnd = 0;

  constructor(lines: readonly string[], add: Found) {
    this.#lines = lines;
    this.#add = add;
  }

  /** All values in the data of a Secret are secrets, whatever their names are. */
  read(index: number): void {
    const line = this.#lines[index] ?? "";
    if (line.length > 60 || !/^[+\- ]?\s*["']?(?:data|stringData)["']?\s*:\s*\{?\s*$/.test(line)) return;
    if (this.#isInSecret(index)) this.#readSection(index, measures.login);
  }

  /** Looks for the value of a name that has none in its line. */
  follow(index: number, name: Name): void {
    const line = this.#lines[index] ?? "";
    const after = line.slice(name.end, name.end + 150);
    if (line.length - name.end > 100) return;
    if (isNamed(line, name) && /^\\?["']?\s*[,;]?\s*(?:\{|[^<>]{0,80}>|<\/\w+>)?\s*$/.test(after)) {
      if (!this.#readNamed(index, name.measure, 1)) this.#readNamed(index, name.measure, -1);
      return;
    }
    if (/^\s*\[[\w. "-]+\]\s*$/.test(line)) this.#readSection(index, name.measure, true);
    const match = opener.exec(after);
    const text = line.slice(name.start, name.end);
    if (match?.[1] === "{" || (match && match[1] === undefined && /(?:[^s]s|data)$/i.test(text)))
      this.#readSection(index, name.measure);
    if (match ? match[1] !== "{" : text.startsWith("-") && /^["']?,?$/.test(after))
      this.#readNext(index, name.measure, match?.[1]);
    else if (name.measure !== measures.random) this.#readTable(index, line.slice(name.start, name.end), name.measure);
  }

  /** The value with a name of its own above or below the line of a name, in the same item of a list. */
  #readNamed(index: number, measure: Measure, step: 1 | -1): boolean {
    for (let at = index + step; Math.abs(at - index) <= mostBetween; at += step) {
      const line = this.#lines[at] ?? "";
      const isFirst = /^[+\- ]?\s*(?:-\s|[{}\]<]\s*$)/.test(line);
      if (nameKey.test(line) || (step > 0 && isFirst)) return false;
      const start = valueKey.exec(line)?.[0].length;
      if (start !== undefined) {
        const string = stringAt(line, start) ?? (line[start - 1] === ">" ? textAt(line, start) : undefined);
        const found = secretIn(line, measure, string, () => wordAt(line, start));
        this.#add(at, found);
        return true;
      }
      if (step < 0 && isFirst) return false;
    }
    return false;
  }

  /** A value in the next line, in a block of lines, or in those of a list. */
  #readNext(index: number, measure: Measure, opened = ""): void {
    const indent = this.#indentOf(index);
    const isBlock = /^[|>]/.test(opened);
    for (let at = index + 1; at <= index + mostLines && at < this.#lines.length; at += 1) {
      const line = this.#lines[at] ?? "";
      if (line.length > longestLine || (isBlock && line.trim() !== "" && this.#indentOf(at) <= indent)) return;
      const start = endOf(lineStart, line, 0) ?? 0;
      if (start >= line.length) continue;
      const isItem = line.slice(0, start).trim().endsWith("-") || opened === "[";
      const string = stringAt(line, start);
      const [text = ""] = /^[^<]*/.exec(line.slice(start)) ?? [];
      let end = start + text.trimEnd().length;
      while (end > start && /[,;)\]\\]/.test(line[end - 1] ?? "")) end -= 1;
      const word = { start, end };
      const isWhole = string
        ? /^\W*$/.test(line.slice(string.end))
        : !/^[\w.-]+["']?\s*(?:[:=(]\s*[^=\s]|[:({]$)/.test(line.slice(start, end));
      if (
        isWhole &&
        (string || (opened !== "[" && opened !== "(")) &&
        (string || isBlock || !/\s/.test(line.slice(start, end)) || measure === measures.password)
      )
        this.#add(
          at,
          secretIn(line, measure, string, () => word),
        );
      if (!isBlock && !(isItem && isWhole)) return;
    }
  }

  /** The values in all lines below that are further indented, or up to the next heading. */
  #readSection(index: number, named: Measure, isHeading = false): void {
    const measure = named === measures.password || named === measures.login ? named : measures.secret;
    const indent = this.#indentOf(index);
    for (let at = index + 1; at <= index + mostLines && at < this.#lines.length; at += 1) {
      const line = this.#lines[at] ?? "";
      if (line.length > longestLine) return;
      if (line.trim() === "") continue;
      if (isHeading ? line.startsWith("[") : this.#indentOf(at) <= indent) return;
      const start = endOf(lineStart, line, 0) ?? 0;
      const value = endOf(key, line, start) ?? (measure === measures.login ? start : undefined);
      if (value !== undefined)
        this.#add(
          at,
          secretIn(line, measure, stringAt(line, value), () => wordAt(line, value, measure === measures.login)),
        );
    }
  }

  /** The values in the column of a table whose heading is the name. */
  #readTable(index: number, name: string, measure: Measure): void {
    const line = this.#lines[index] ?? "";
    const delimiter = [",", ";", "\t", "|"].find((one) => line.includes(one));
    if (
      delimiter === undefined ||
      (delimiter === "|" && !/^[+\- ]?\s*\|/.test(line)) ||
      index < this.#tableEnd ||
      line.length > 1_000
    )
      return;
    const heads = line.split(delimiter);
    // A list of strings in code ends with a comma.
    if ((delimiter === "," && heads.at(-1)?.trim() === "") || heads.filter((head) => head.trim() !== "").length < 2)
      return;
    const column = heads.findIndex((head) => head.replace(/^[\s"'`+*-]+|[\s"'`*]+$/g, "") === name);
    for (let at = index + 1; column >= 0 && at <= index + mostLines; at += 1) {
      const row = this.#lines[at] ?? "";
      const cells = row.length > longestLine ? [] : row.split(delimiter);
      this.#tableEnd = at;
      if (cells.length !== heads.length) return;
      const cell = cells[column] ?? "";
      const start =
        cells.slice(0, column).join(delimiter).length +
        (column > 0 ? 1 : 0) +
        (/^[\s"'`]*/.exec(cell)?.[0].length ?? 0);
      const end = start + cell.trim().replace(/^["'`]+|["'`]+$/g, "").length;
      this.#add(
        at,
        secretIn(row, measure, undefined, () => ({ start, end })),
      );
    }
  }

  #indentOf(index: number): number {
    return /^[+\- ]?\s*/.exec(this.#lines[index] ?? "")?.[0].length ?? 0;
  }

  #isInSecret(index: number): boolean {
    while (this.#documentEnd <= index) {
      const start = this.#documentEnd + 1;
      this.#isSecret = false;
      for (this.#documentEnd = start; this.#documentEnd < this.#lines.length; this.#documentEnd += 1) {
        const line = this.#lines[this.#documentEnd] ?? "";
        if (line.startsWith("---") && this.#documentEnd > start) break;
        this.#isSecret ||= /^[+\- ]?\s*(?:-\s+)?\{?\s*["']?kind["']?\s*:\s*["']?Secret["']?\s*,?\s*$/.test(
          line.slice(0, 100),
        );
      }
    }
    return this.#isSecret;
  }
}

import { type Measure, measures } from "./isSecret.ts";
import { endOf, isNamed, type Name, secretIn, type Span, stringAt, textAt, valueAt } from "./secretValues.ts";

/** Takes the secrets that were found in a line. */
export type Found = (index: number, spans: readonly Span[]) => void;

/** How many lines from its name a value with a name of its own may stand, how many lines a block may have, and how long. */
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
    if (!/^[+\- ]?\s*["']?(?:data|stringData)["']?\s*:\s*\{?\s*$/.test(line) || !this.#isInSecret(index)) return;
    this.#readBelow(index, measures.login, "section");
  }

  /** Looks for the value of a name that has none in its line. */
  follow(index: number, name: Name): void {
    const line = this.#lines[index] ?? "";
    if (line.length - name.end > 100) return;
    const [text, after] = [line.slice(name.start, name.end), line.slice(name.end)];
    if (isNamed(line, name) && /^\\?["']?\s*[,;]?\s*(?:\{|[^<>]{0,80}>|<\/\w+>)?\s*$/.test(after)) {
      if (!this.#readNamed(index, name.measure, 1)) this.#readNamed(index, name.measure, -1);
      return;
    }
    const match = opener.exec(after);
    const opened = match?.[1] ?? "";
    if (/^\s*\[[\w. "-]+\]\s*$/.test(line)) this.#readBelow(index, name.measure, "heading");
    else if (match && name.measure !== measures.random && /[^s]s$/i.test(text) && opens(line, name, opened))
      this.#readBelow(index, name.measure, "section");
    if (match ? opened !== "{" : text.startsWith("-") && /^["']?,?$/.test(after))
      this.#readBelow(index, name.measure, /^[|>]/.test(opened) ? "block" : /^[[(]$/.test(opened) ? "list" : "next");
  }

  /** The value with a name of its own above or below the line of a name, in the same item of a list. */
  #readNamed(index: number, measure: Measure, step: 1 | -1): boolean {
    for (let at = index + step; Math.abs(at - index) <= mostBetween; at += step) {
      const line = this.#lines[at] ?? "";
      const isFirst = /^[+\- ]?\s*(?:-\s|[{}\]<]\s*$)/.test(line);
      if (nameKey.test(line) || (step > 0 && isFirst)) return false;
      const start = valueKey.exec(line)?.[0].length;
      if (start !== undefined) {
        const isText = line[start - 1] === ">";
        const found = isText ? secretIn(line, measure, textAt(line, start)) : valueAt(line, start, measure);
        this.#add(at, found);
        if (found.length > 0) return true;
      }
      if (isFirst) return false;
    }
    return false;
  }

  /** The values below a name: in the next line, in further indented lines, in those of a list, or up to the next heading. */
  #readBelow(index: number, measure: Measure, kind: "next" | "block" | "list" | "section" | "heading"): void {
    const indent = indentOf(this.#lines[index] ?? "");
    const isSection = kind === "section" || kind === "heading";
    const isAll = measure === measures.login;
    for (let at = index + 1; at <= index + mostLines && at < this.#lines.length; at += 1) {
      const line = this.#lines[at] ?? "";
      if (line.length > longestLine) return;
      const start = endOf(lineStart, line, 0) ?? 0;
      if (start >= line.length) continue;
      if (kind === "heading" ? line.startsWith("[") : (isSection || kind === "block") && indentOf(line) <= indent)
        return;
      const value = isSection ? endOf(key, line, start) : undefined;
      const isOne = isSection
        ? value !== undefined || measure === measures.login
        : isValue(line, start, kind === "list");
      if (isOne) this.#add(at, valueAt(line, value ?? start, measure, !isSection || isAll));
      const isItem = line.slice(0, start).trimEnd().endsWith("-") || kind === "list";
      if ((kind === "next" || kind === "list") && !(isOne && isItem)) return;
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

/** Whether a section begins here: at a brace, or with a name alone, unlike in `for token in tokens:`. */
function opens(line: string, { start }: Name, opened: string): boolean {
  return opened === "{" || (opened === "" && /^[+\- ]?\s*(?:-\s+)?["']?[\w.-]*$/.test(line.slice(0, start)));
}

/** Whether a line has nothing but one value. */
function isValue(line: string, start: number, isList: boolean): boolean {
  const string = stringAt(line, start);
  if (string) return /^\W*$/.test(line.slice(string.end));
  return !isList && !/^[\w.-]+["']?\s*(?:[:=(]\s*[^=\s]|[:({]$)/.test(line.slice(start).trimEnd());
}

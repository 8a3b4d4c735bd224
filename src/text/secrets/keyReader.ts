import { isSecret, measures } from "./isSecret.ts";
import type { Span } from "./secretValues.ts";

/** Marks around encoded data, line breaks in strings, and runs of what may be encoded data. */
const parts =
  /-{4,5} ?(BEGIN|END) ([\w ]{3,60}?) ?-{4,5}|(Private-(?:Lines|MAC)):|((?:[A-Za-z0-9+/=]|\\+\/|%2[BbFf]|%3[Dd])+)|\\+(?:[nrt]|u000[adAD]|x0[adAD])|%0[adAD]|&#(?:x[adAD]|1[03]);/g;
const anyMark = /-{4} ?(?:BEGIN|END) |Private-Lines:/;
const privateLabel = /PRIVATE KEY|Static key/;

/** How many lines without data a key may have, such as headers. */
const mostWithout = 5;

/** How many runs the last line of a key may have besides its data, such as a number or a note. */
const mostRuns = 4;

/** The data of a key of which no mark is seen: lines that hold nothing else, and are about as long as here. */
const dataLine = /^\W{0,40}?(?!sha\d)([A-Za-z0-9+/]{40,80}={0,2})(?:\\[nr])*\W{0,12}$/;
const lastLine = /^\W{0,40}?([A-Za-z0-9+/]{2,80}={1,2})(?:\\[nr])*\W{0,12}$/;

/** Finds private keys, whatever stands around their lines, such as quotation marks, comment signs, or a table. */
export class KeyReader {
  /** Whose data is read, and for how many lines none may come. */
  #reads: "key" | "other" = "other";
  #left = 0;
  #wasData = false;
  #wasFull = false;

  /** The parts of a line that belong to a key. */
  read(line: string): readonly Span[] {
    if (line.startsWith("@@ ")) this.#left = 0;
    if (this.#left === 0 && !(line.includes("----") || line.includes("Private-"))) return this.#withoutMark(line);
    if (this.#left === 0 && !anyMark.test(line)) return [];
    this.#left = Math.max(0, this.#left - 1);
    const spans: Span[] = [];
    let runs: Span[] = [];
    for (const { 1: edge, 2: label = "", 3: putty, 4: run, index } of line.matchAll(parts)) {
      if (run !== undefined) {
        // The first character of a line may be that of a diff.
        const start = index + (index === 0 && run.startsWith("+") ? 1 : 0);
        if (/\w/.test(run)) runs.push({ start, end: index + run.length });
        continue;
      }
      spans.push(...this.#dataIn(line, runs));
      runs = [];
      if (edge === undefined && putty === undefined) continue;
      this.#left = edge === "BEGIN" || putty === "Private-Lines" ? mostWithout : 0;
      this.#reads = putty !== undefined || privateLabel.test(label) ? "key" : "other";
      this.#wasData = false;
    }
    return [...spans, ...this.#dataIn(line, runs)];
  }

  /** Those of the runs of a line that are data of a key: the last ones of a key may be short. */
  #dataIn(line: string, runs: readonly Span[]): readonly Span[] {
    if (this.#left === 0 || runs.length === 0) return [];
    const texts = runs.map(({ start, end }) => line.slice(start, end));
    const isData = texts.map((text) => text.length >= 40 || isSecret(text, measures.random));
    const hasData = isData.includes(true);
    const mayEnd = hasData || (this.#wasData && runs.length <= mostRuns);
    this.#wasData = hasData;
    if (hasData) this.#left = mostWithout;
    if (this.#reads === "other") return [];
    const isWord = (at: number): boolean => /^(?:[A-Z]?[a-z]*|\w)$/.test(texts[at] ?? "");
    return runs.filter((_, at) => isData[at] === true || (mayEnd && (runs.length === 1 || !isWord(at))));
  }

  #withoutMark(line: string): readonly Span[] {
    const data = line.length < 150 ? dataLine.exec(line)?.[1] : undefined;
    // A hash of lines of digits is none.
    const isFull = data !== undefined && !/(?:^|\/)[\da-f]{32,}$/i.test(data) && isSecret(data, measures.random);
    const last = isFull || !this.#wasFull ? undefined : lastLine.exec(line)?.[1];
    this.#wasFull = isFull;
    const text = isFull ? data : last;
    if (text === undefined) return [];
    const start = line.indexOf(text);
    return [{ start, end: start + text.length }];
  }
}

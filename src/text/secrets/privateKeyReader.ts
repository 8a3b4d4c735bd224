import { isSecret, measures } from "./secretForms.ts";
import type { TextSpan } from "./secretValues.ts";

/** Marks around the data of a key, runs of characters that may be data, and escaped line breaks. */
const parts =
  /-{4,5} ?(BEGIN|END) ([\w ]{3,60}?) ?-{4,5}|(Private-(?:Lines|MAC)):|((?:[A-Za-z0-9+/=]|\\+\/|%2[BbFf]|%3[Dd])+)|\\+(?:[nrt]|u000[adAD]|x0[adAD])|%0[adAD]|&#(?:x[adAD]|1[03]);/g;
const anyMark = /-{4} ?(?:BEGIN|END) |Private-Lines:/;
const privateLabel = /PRIVATE KEY|Static key/;

/** Maximum number of lines without data in a key, such as headers. */
const maxLinesWithoutData = 5;

/** Maximum number of runs in the last line of a key, which may have a number or a note beside the data. */
const maxRuns = 4;

/** Lines of a key whose marks are not in the text. They contain nothing else, and have the usual length. */
const dataLine = /^\W{0,40}?(?!sha\d)([A-Za-z0-9+/]{40,80}={0,2})(?:\\[nr])*\W{0,12}$/;
const lastLine = /^\W{0,40}?([A-Za-z0-9+/]{2,80}={1,2})(?:\\[nr])*\W{0,12}$/;

/** Finds private keys, with anything around their lines, such as quotation marks, comment signs, or a table. */
export class PrivateKeyReader {
  #kind: "key" | "other" = "other";
  /** How many lines without data may follow. */
  #linesLeft = 0;
  #wasData = false;
  #wasFullLine = false;

  /** The parts of a line that belong to a key. */
  read(line: string): readonly TextSpan[] {
    if (line.startsWith("@@ ")) this.#linesLeft = 0;
    if (this.#linesLeft === 0 && !(line.includes("----") || line.includes("Private-"))) return this.#withoutMark(line);
    if (this.#linesLeft === 0 && !anyMark.test(line)) return [];
    this.#linesLeft = Math.max(0, this.#linesLeft - 1);
    const spans: TextSpan[] = [];
    let runs: TextSpan[] = [];
    for (const { 1: edge, 2: label = "", 3: putty, 4: run, index } of line.matchAll(parts)) {
      if (run !== undefined) {
        // The first character of a line may be the mark of a diff.
        const start = index + (index === 0 && run.startsWith("+") ? 1 : 0);
        if (/\w/.test(run)) runs.push({ start, end: index + run.length });
        continue;
      }
      spans.push(...this.#dataIn(line, runs));
      runs = [];
      if (edge === undefined && putty === undefined) continue;
      this.#linesLeft = edge === "BEGIN" || putty === "Private-Lines" ? maxLinesWithoutData : 0;
      this.#kind = putty !== undefined || privateLabel.test(label) ? "key" : "other";
      this.#wasData = false;
    }
    return [...spans, ...this.#dataIn(line, runs)];
  }

  /** The runs of a line that are data of a key. Those in the last line may be short. */
  #dataIn(line: string, runs: readonly TextSpan[]): readonly TextSpan[] {
    if (this.#linesLeft === 0 || runs.length === 0) return [];
    const texts = runs.map(({ start, end }) => line.slice(start, end));
    const isData = texts.map((text) => text.length >= 40 || isSecret(text, measures.random));
    const hasData = isData.includes(true);
    const mayEnd = hasData || (this.#wasData && runs.length <= maxRuns);
    this.#wasData = hasData;
    if (hasData) this.#linesLeft = maxLinesWithoutData;
    if (this.#kind === "other") return [];
    const isWord = (at: number): boolean => /^(?:[A-Z]?[a-z]*|\w)$/.test(texts[at] ?? "");
    return runs.filter((_, at) => isData[at] === true || (mayEnd && (runs.length === 1 || !isWord(at))));
  }

  #withoutMark(line: string): readonly TextSpan[] {
    const data = line.length < 150 ? dataLine.exec(line)?.[1] : undefined;
    // A hash in hexadecimal is not a key.
    const isFull = data !== undefined && !/(?:^|\/)[\da-f]{32,}$/i.test(data) && isSecret(data, measures.random);
    const last = isFull || !this.#wasFullLine ? undefined : lastLine.exec(line)?.[1];
    this.#wasFullLine = isFull;
    const text = isFull ? data : last;
    if (text === undefined) return [];
    const start = line.indexOf(text);
    return [{ start, end: start + text.length }];
  }
}

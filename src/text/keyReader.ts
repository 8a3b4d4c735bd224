import { isSecret } from "./isSecret.ts";
import { encodedEnd, encodedLine, keyBegin, keyEnd, keyLine, measures } from "./secretForms.ts";

/** A part of a line, from `start` up to but excluding `end`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Reads private keys and other encoded data of several lines. */
export class KeyReader {
  #isInKey = false;
  #isInOther = false;
  #wasFull = false;

  /** The spans of a line that is part of a key. */
  read(line: string): readonly Span[] | undefined {
    const isMark = line.includes("-----");
    const begin = isMark && keyBegin.exec(line);
    if (begin) {
      this.#isInKey = !keyEnd.test(line);
      return bodyAfter(line, begin.index + begin[0].length);
    }
    if ((isMark && keyEnd.test(line)) || line.startsWith("@@ ")) {
      this.#isInKey = false;
      return undefined;
    }
    if (isMark && /-----(?:BEGIN|END) /.test(line)) this.#isInOther = line.includes("-----BEGIN ");
    const data = keyLine.exec(line)?.[1];
    if (this.#isInKey) {
      this.#isInKey = data !== undefined || /^[+\- ]?\s*(?:[A-Z][\w-]{1,30}: .*)?$/.test(line);
      return data === undefined ? undefined : spanOf(line, data);
    }
    // A hash of lines of digits is none.
    const isFull =
      encodedLine.test(line) &&
      !this.#isInOther &&
      !/^[\da-f]+$/i.test(data ?? "") &&
      isSecret(data ?? "", measures.random);
    const isEnd = this.#wasFull && data !== undefined && encodedEnd.test(line);
    this.#wasFull = isFull;
    return data !== undefined && (isFull || isEnd) ? spanOf(line, data) : undefined;
  }
}

/** What of a key stands in the line of its beginning. */
function bodyAfter(line: string, start: number): readonly Span[] {
  const [body = ""] = /^(?:\\+[nr]|[A-Za-z0-9+/=\s:,])*/.exec(line.slice(start)) ?? [];
  return body.length < 20 ? [] : [{ start, end: start + body.length }];
}

function spanOf(line: string, part: string): readonly Span[] {
  const start = line.indexOf(part);
  return [{ start, end: start + part.length }];
}

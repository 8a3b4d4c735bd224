/** A text without white space, and where each of its characters stands in the text. */
export interface Squeezed {
  readonly text: string;
  readonly at: readonly number[];
}

/** How far a text is read to see how much it says. */
const longestLook = 512;
/** Most overlaps that are worth a look. */
const mostOverlaps = 12;

/** The text without white space. */
export function squeeze(text: string): Squeezed {
  const at: number[] = [];
  for (let index = 0; index < text.length; index += 1) if (text.charCodeAt(index) > 32) at.push(index);
  return { text: text.replace(/[\0- ]+/g, ""), at };
}

/** How many characters at the start of one text are the end of another: all possible numbers, the largest first. */
export function overlaps(headOf: string, tailOf: string): readonly number[] {
  const tail = tailOf.slice(-headOf.length);
  const borders = new Int32Array(headOf.length);
  const step = (length: number, char: number) => {
    let next = length;
    while (next > 0 && (next === headOf.length || headOf.charCodeAt(next) !== char)) next = borders[next - 1] ?? 0;
    return next < headOf.length && headOf.charCodeAt(next) === char ? next + 1 : next;
  };
  for (let index = 1, length = 0; index < headOf.length; index += 1) {
    length = step(length, headOf.charCodeAt(index));
    borders[index] = length;
  }
  let length = 0;
  for (let index = 0; index < tail.length; index += 1) length = step(length, tail.charCodeAt(index));
  const found: number[] = [];
  for (; length > 0 && found.length < mostOverlaps; length = borders[length - 1] ?? 0) found.push(length);
  return found;
}

/** How many letters, digits and underscores a text has: how much it says. Counts no further than needed. */
export function weight(text: string, enough = 64): number {
  let count = 0;
  for (let index = 0; index < Math.min(text.length, longestLook) && count < enough; index += 1)
    if (isWord(text[index])) count += 1;
  return count;
}

/** Whether a character can be part of a name. */
export function isWord(char: string | undefined): boolean {
  return char !== undefined && /[\p{L}\p{N}_$]/u.test(char);
}

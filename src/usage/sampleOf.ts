/** Number and length of the pieces, in characters. */
const pieces = 8;
const pieceLength = 1_000;

/** Evenly spread pieces of a long text, to estimate its tokens in a fraction of the time; a short text as it is. */
export function sampleOf(text: string): string {
  if (text.length <= pieces * pieceLength) return text;
  const step = (text.length - pieceLength) / (pieces - 1);
  const starts = Array.from({ length: pieces }, (_, index) => Math.floor(index * step));
  return starts.map((start) => text.slice(start, start + pieceLength)).join("");
}

/** One event of a stream on the wire. Without its `marker` frames, a stream is incomplete. */
export interface Frame {
  readonly kind: "content" | "marker" | "other";
  readonly text: string;
}

/** A whole answer in both forms. */
export interface Answer {
  readonly json: unknown;
  readonly frames: readonly Frame[];
  /** An event that says the answer failed. */
  readonly failure: (error: unknown) => string;
}

/** Splits a text into `count` pieces of similar length or, for 0, into words with their preceding spaces. */
export function pieces(text: string, count: number): readonly string[] {
  if (text === "") return [];
  if (count === 0) return text.match(/\s*\S+|\s+$/g) ?? [];
  const characters = Array.from(text);
  const parts = Math.min(count, characters.length);
  const at = (index: number): number => Math.round((index * characters.length) / parts);
  return Array.from({ length: parts }, (_, index) => characters.slice(at(index), at(index + 1)).join(""));
}

/** Estimates tokens by a rule of thumb. */
export function tokensIn(text: string): number {
  return Math.ceil(text.length / 4);
}

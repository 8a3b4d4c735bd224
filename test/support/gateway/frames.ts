/** One event of a stream on the wire. Without its `marker` frames, a stream is incomplete. */
export interface Frame {
  readonly kind: "content" | "marker" | "other";
  readonly text: string;
}

/** A whole answer in both forms. */
export interface Answer {
  readonly json: unknown;
  readonly frames: readonly Frame[];
}

/** Splits a text into words with their preceding spaces. */
export function words(text: string): readonly string[] {
  return text.match(/\s*\S+|\s+$/g) ?? [];
}

/** Splits a text into pieces of about one token. */
export function tokens(text: string): readonly string[] {
  return text.match(/[^]{1,4}/gu) ?? [];
}

/** Estimates tokens by a rule of thumb. */
export function tokensIn(text: string): number {
  return Math.ceil(text.length / 4);
}

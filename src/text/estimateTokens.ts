/**
 * Estimates the tokens of a text for the gateway's models, without their vocabulary. Splits the text like the o200k
 * tokenizer and adds the average cost of each piece by kind and length, measured on TypeScript, Python, JSON, English
 * and Chinese. Linear in the length of the text.
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  let position = 0;
  while (position < text.length) {
    const piece = pieceAt(text, position);
    tokens += piece.cost;
    position = piece.end;
  }
  return Math.ceil(tokens);
}

interface Piece {
  readonly end: number;
  readonly cost: number;
}

type Kind = "lower" | "upper" | "ideograph" | "letter" | "digit" | "newline" | "space" | "mark" | "none";

/** The character before a word that belongs to its piece. */
type Lead = "none" | "space" | "mark";

const longestNumber = 3;

function pieceAt(text: string, start: number): Piece {
  const kind = kindAt(text, start);
  if (isLetter(kind)) return wordAt(text, start, "none");
  if (kind === "digit") return { end: Math.min(endOf(text, start, ["digit"]), start + longestNumber), cost: 1 };
  if (kind === "mark") return afterLead(text, start, "mark") ?? marksAt(text, start, start);

  const end = endOf(text, start, ["space", "newline"]);
  const newline = lastNewline(text, start, end);
  if (newline >= 0) return { end: newline + 1, cost: 1 };
  // The last space belongs to the following word or marks; those before it are one token.
  if (end === text.length) return { end, cost: 1 };
  if (end - start > 1) return { end: end - 1, cost: 1 };
  if (kindAt(text, end) === "mark") return marksAt(text, start, end);
  return afterLead(text, start, "space") ?? { end, cost: 1 };
}

function afterLead(text: string, start: number, lead: Lead): Piece | undefined {
  return isLetter(kindAt(text, start + 1)) ? wordAt(text, start + 1, lead) : undefined;
}

/** Uppercase letters followed by other letters: `HTMLElement` and `Element` are one piece each, `camelCase` is two. */
function wordAt(text: string, start: number, lead: Lead): Piece {
  const capitals = endOf(text, start, ["upper"]) - start;
  const end = endOf(text, start + capitals, ["lower", "ideograph", "letter"]);
  const last = kindAt(text, end - 1);
  const length = end - start;
  if (last === "ideograph") return { end, cost: 0.7 * length + ideographLead[lead] };
  if (last === "letter") return { end, cost: 0.4 * length + 0.6 };
  const isCode = isGlued(text, start, end);
  const isConstant = capitals === length && capitals > 1;
  const isMixed = capitals > 1 && !isConstant;
  const costs = isMixed ? mixedCosts : isConstant ? constantCosts : wordCosts;
  const { base, free, slope } = costs[isCode && lead === "none" ? "glued" : lead];
  // Long words are rarely in the vocabulary.
  const rest = 0.2 * Math.max(0, length - longWord);
  return { end, cost: base + slope * Math.max(0, length - free) + rest };
}

const longWord = 13;

/** Punctuation with following line breaks and slashes. Repeats of the same mark cost as much as one. */
function marksAt(text: string, start: number, firstMark: number): Piece {
  const end = endOf(text, firstMark, ["mark"]);
  const length = end - firstMark;
  let kinds = 1;
  for (let index = firstMark + 1; index < end; index++) if (text[index] !== text[index - 1]) kinds++;
  const different = Math.min(length, kinds);
  let tail = end;
  while (kindAt(text, tail) === "newline" || text[tail] === "/") tail++;
  const emoji = surrogates(text, firstMark, end);
  const cost = 1 + (different > 2 ? 0.2 : 0) + 0.55 * Math.max(0, different - 3) + length / 60 + 0.6 * emoji;
  return { end: Math.max(tail, start + 1), cost };
}

/** One token up to `free` characters, `slope` more per additional one. */
interface Cost {
  readonly base: number;
  readonly free: number;
  readonly slope: number;
}

type Costs = Readonly<Record<Lead | "glued", Cost>>;

const wordCosts: Costs = {
  space: { base: 1, free: 5, slope: 0.042 },
  none: { base: 1, free: 2, slope: 0.075 },
  mark: { base: 1.1, free: 2, slope: 0.11 },
  glued: { base: 1.1, free: 8, slope: 0.08 },
};

const constantCosts: Costs = {
  space: { base: 1, free: 2, slope: 0.15 },
  none: { base: 1, free: 2, slope: 0.2 },
  mark: { base: 1.6, free: 2, slope: 0.18 },
  glued: { base: 1.05, free: 2, slope: 0.55 },
};

const mixedCosts: Costs = {
  space: { base: 1.2, free: 3, slope: 0.2 },
  none: { base: 2, free: 4, slope: 0.2 },
  mark: { base: 2.5, free: 4, slope: 0.12 },
  glued: { base: 2, free: 3, slope: 0.4 },
};

const ideographLead: Readonly<Record<Lead, number>> = { none: 0.2, space: 0.6, mark: 0.8 };

/** Whether a digit or another word is adjacent, as in hashes and camelCase. */
function isGlued(text: string, start: number, end: number): boolean {
  const before = start > 0 ? kindAt(text, start - 1) : "none";
  const after = kindAt(text, end);
  return before === "digit" || isLetter(before) || after === "digit" || after === "upper";
}

function endOf(text: string, start: number, kinds: readonly Kind[]): number {
  let end = start;
  while (kinds.includes(kindAt(text, end))) end++;
  return end;
}

function lastNewline(text: string, start: number, end: number): number {
  for (let index = end - 1; index >= start; index--) if (kindAt(text, index) === "newline") return index;
  return -1;
}

function surrogates(text: string, start: number, end: number): number {
  let count = 0;
  for (let index = start; index < end; index++) if ((text.charCodeAt(index) & 0xf800) === 0xd800) count++;
  return count;
}

function isLetter(kind: Kind): boolean {
  return kind === "lower" || kind === "upper" || kind === "ideograph" || kind === "letter";
}

const asciiKinds: readonly Kind[] = Array.from({ length: 128 }, (_, code) => asciiKind(String.fromCharCode(code)));

function asciiKind(character: string): Kind {
  if (/[a-z]/.test(character)) return "lower";
  if (/[A-Z]/.test(character)) return "upper";
  if (/\d/.test(character)) return "digit";
  if (/[\r\n]/.test(character)) return "newline";
  return /\s/.test(character) ? "space" : "mark";
}

function kindAt(text: string, index: number): Kind {
  if (index >= text.length) return "none";
  const code = text.charCodeAt(index);
  return asciiKinds[code] ?? kindBeyondAscii(code);
}

function kindBeyondAscii(code: number): Kind {
  const range = ranges.find(({ from, to }) => code >= from && code <= to);
  return range?.kind ?? "letter";
}

/** Ranges beyond ASCII that are not alphabetic, the most frequent first. */
const ranges: readonly { readonly from: number; readonly to: number; readonly kind: Kind }[] = [
  { from: 0x4e00, to: 0x9fff, kind: "ideograph" },
  { from: 0xff01, to: 0xff0f, kind: "mark" },
  { from: 0x3001, to: 0x303f, kind: "mark" },
  { from: 0xff1a, to: 0xff20, kind: "mark" },
  { from: 0x2010, to: 0x2027, kind: "mark" },
  { from: 0x3040, to: 0x30ff, kind: "ideograph" },
  { from: 0xac00, to: 0xd7a3, kind: "ideograph" },
  { from: 0x3400, to: 0x4dbf, kind: "ideograph" },
  { from: 0xf900, to: 0xfaff, kind: "ideograph" },
  { from: 0x2030, to: 0x2bff, kind: "mark" },
  { from: 0xd800, to: 0xf8ff, kind: "mark" },
  { from: 0xff3b, to: 0xff65, kind: "mark" },
  { from: 0x00a1, to: 0x00bf, kind: "mark" },
  { from: 0x00a0, to: 0x00a0, kind: "space" },
  { from: 0x2000, to: 0x200a, kind: "space" },
  { from: 0x3000, to: 0x3000, kind: "space" },
];

/**
 * Estimates the tokens of a text for the gateway's models, without their vocabulary. Splits the text like the o200k
 * tokenizer and adds the average cost of each piece by kind and length, measured on TypeScript, Python, JSON, English
 * and Chinese. Linear in the length of the text.
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  pieces.lastIndex = 0;
  for (let piece = pieces.exec(text); piece; piece = pieces.exec(text)) {
    const [all, lead, word, marks] = piece;
    if (word !== undefined) tokens += costOfWord(text, pieces.lastIndex - word.length, word, lead ?? "");
    else if (marks !== undefined) tokens += costOfMarks(marks);
    else if (all !== "") tokens += 1;
  }
  return Math.ceil(tokens);
}

/** Characters by their kinds; all others are letters. */
const space = String.raw` \t\v\f\u00a0\u2000-\u200a\u3000`;
const newline = String.raw`\r\n`;
const ideograph = String.raw`\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff`;
const mark = String.raw`\x00-\x08\x0e-\x1f!-\/:-@[-\x60{-\x7f\u00a1-\u00bf\u2010-\u2027\u2030-\u2bff\u3001-\u303f\ud800-\uf8ff\uff01-\uff0f\uff1a-\uff20\uff3b-\uff65`;
const lower = String.raw`[^A-Z\d${space}${newline}${mark}]`;

/**
 * Blanks up to the last line break, all blanks at the end, and those before the last one, which belongs to what follows.
 * Words: uppercase letters followed by other letters, so that `HTMLElement` and `Element` are one piece each, and
 * `camelCase` is two, with the blank or the mark before them. Marks, with line breaks and slashes after them. Digits.
 */
const pieces = new RegExp(
  String.raw`[${space}${newline}]*[${newline}]|[${space}]+$|[${space}]+(?=[${space}])|([${space}${mark}])?([A-Z]+${lower}*|${lower}+)|[${space}]?([${mark}]+)[${newline}/]*|\d{1,3}|[${space}]`,
  "g",
);

const isSpace = new RegExp(`[${space}]`);
/** Of the characters of words, only capital letters come before it. */
const capitalZ = 90;
const isIdeograph = new RegExp(`[${ideograph}]$`);

function costOfWord(text: string, start: number, word: string, lead: string): number {
  const { length } = word;
  const kind = lead === "" ? "none" : isSpace.test(lead) ? "space" : "mark";
  if (word.charCodeAt(length - 1) >= 128) {
    return isIdeograph.test(word) ? 0.7 * length + ideographLead[kind] : 0.4 * length + 0.6;
  }
  let capitals = 0;
  while (word.charCodeAt(capitals) <= capitalZ) capitals += 1;
  const isConstant = capitals === length && capitals > 1;
  const costs = isConstant ? constantCosts : capitals > 1 ? mixedCosts : wordCosts;
  const isGlued = kind === "none" && (isPart(text[start - 1]) || /[A-Z\d]/.test(text[start + length] ?? ""));
  const { base, free, slope } = costs[isGlued ? "glued" : kind];
  // Long words are rarely in the vocabulary.
  return base + slope * Math.max(0, length - free) + 0.2 * Math.max(0, length - longWord);
}

const longWord = 13;

const part = new RegExp(String.raw`[^${space}${newline}${mark}]`);

/** Whether a character is a digit or a letter, as in hashes and camelCase. */
function isPart(character = ""): boolean {
  return part.test(character);
}

/** Repeats of the same mark cost as much as one. */
function costOfMarks(marks: string): number {
  const different = marks.replace(/(.)\1+/gs, "$1").length;
  const emoji = marks.match(/[\ud800-\udfff]/g)?.length ?? 0;
  return 1 + (different > 2 ? 0.2 : 0) + 0.55 * Math.max(0, different - 3) + marks.length / 60 + 0.6 * emoji;
}

/** One token up to `free` characters, `slope` more per additional one. */
interface Cost {
  readonly base: number;
  readonly free: number;
  readonly slope: number;
}

/** By the character before a word that belongs to its piece, and for words with others around them. */
type Costs = Readonly<Record<"space" | "none" | "mark" | "glued", Cost>>;

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

const ideographLead = { none: 0.2, space: 0.6, mark: 0.8 };

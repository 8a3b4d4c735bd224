/**
 * Estimates the tokens of a text for the gateway's models, without their vocabulary. Splits the text like the o200k
 * tokenizer and adds the average cost of each piece by kind and length, measured on TypeScript, Python, JSON, English,
 * Chinese, and the languages of TypeScript's messages. Linear in the length of the text.
 */
export function estimateTokens(text: string): number {
  let [tokens, start] = [0, 0];
  for (const { 0: run, index } of text.matchAll(longRun)) {
    if (!encodedKinds.every((kind) => kind.test(run))) continue;
    tokens += tokensOf(text.slice(start, index)) + 0.68 * run.length;
    start = index + run.length;
  }
  return Math.ceil(tokens + tokensOf(text.slice(start)));
}

/** The tokens up to the end of each line, as long as they are at most `maxTokens`. */
export function lineEnds(lines: readonly string[], maxTokens: number): readonly number[] {
  const ends: number[] = [];
  let end = 0;
  for (const line of lines) {
    end += estimateTokens(`${line}\n`);
    if (end > maxTokens) break;
    ends.push(end);
  }
  return ends;
}

/** Base64 is long, and has letters of both cases and digits. */
const longRun = /(?<![\w+/-])[\w+/-]{64,}/g;
const encodedKinds = [/[a-z]/, /[A-Z]/, /\d/];

function tokensOf(text: string): number {
  let tokens = 0;
  pieces.lastIndex = 0;
  for (let piece = pieces.exec(text); piece; piece = pieces.exec(text)) {
    const [all, lead, word, marks] = piece;
    if (word !== undefined) tokens += costOfWord(word, lead ?? "");
    else if (marks !== undefined) tokens += costOfMarks(marks);
    else if (all !== "") tokens += 1;
  }
  return tokens;
}

/** Characters by their kinds; all others are letters. */
const space = String.raw` \t\v\f\u00a0\u2000-\u200a\u3000`;
const newline = String.raw`\r\n`;
const ideograph = String.raw`\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff`;
const mark = String.raw`\x00-\x08\x0e-\x1f!-\/:-@[-\x60{-\x7f\u00a1-\u00bf\u2010-\u2027\u2030-\u2bff\u3001-\u303f\ud800-\uf8ff\uff01-\uff0f\uff1a-\uff20\uff3b-\uff65`;
const lower = String.raw`[^A-Z\d${space}${newline}${mark}]`;

/**
 * Spaces up to the last line break, or at the end, or before the last one, which belongs to the piece that follows.
 * Words: uppercase letters followed by other letters, so that `HTMLElement` and `Element` are one piece each, and
 * `camelCase` is two, with the space or the mark before them. Marks, with line breaks and slashes after them. Digits.
 */
const pieces = new RegExp(
  String.raw`[${space}${newline}]*[${newline}]|[${space}]+$|[${space}]+(?=[${space}])|([${space}${mark}])?([A-Z]+${lower}*|${lower}+)|[${space}]?([${mark}]+)[${newline}/]*|\d{1,3}|[${space}]`,
  "g",
);

const endsWithIdeograph = new RegExp(`[${ideograph}]$`);
const endsWithHangul = /[\uac00-\ud7a3]$/;
const isCyrillic = /[\u0400-\u052f]/;
const notAscii = /[^\x20-\x7e]/;

/** A word costs one token, and part of one for each character beyond some length, which is higher after a space. */
function costOfWord(word: string, lead: string): number {
  const { length } = word;
  if (notAscii.test(word)) {
    if (endsWithIdeograph.test(word)) return 0.74 * length + (lead === "" ? 0.2 : 0.6);
    if (endsWithHangul.test(word)) return 0.55 * length + 0.45;
    return 1 + (isCyrillic.test(word) ? 0.2 : 0.29) * Math.max(0, length - 2.5);
  }
  const isConstant = /^[A-Z]{2}/.test(word);
  const isAfterSpace = lead.trim() !== lead;
  const [free, slope] = isConstant ? [2, 0.2] : isAfterSpace ? [5, 0.045] : [2, 0.09];
  // Long words are rarely in the vocabulary.
  return 1 + slope * Math.max(0, length - free) + 0.2 * Math.max(0, length - longWord);
}

const longWord = 13;

/** Repeats of the same mark cost as much as one. */
function costOfMarks(marks: string): number {
  const different = marks.replace(/(.)\1+/gs, "$1").length;
  const emoji = marks.match(/[\ud800-\udfff]/g)?.length ?? 0;
  return 1 + 0.55 * Math.max(0, different - 2.4) + marks.length / 60 + 0.6 * emoji;
}

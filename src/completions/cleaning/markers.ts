import { squeeze } from "./overlap.ts";
import type { Place } from "./place.ts";

const words =
  "CURSOR|CARET|FILL|HOLE|FIM|MIDDLE|MID|PREFIX|SUFFIX|PRE|SUF|COMPLETE|COMPLETION|INSERT|INSERTION|YOUR_CODE|YOUR CODE|CODE|TODO_FILL|MISSING|BLANK|MASK|PLACEHOLDER";
const upper = `(?:[A-Z]+[_ -])?(?:${words})(?:[_ -](?:ME|HERE|IN|THIS|HOLE|POSITION|POS|MARKER|CURSOR|TOKEN|TEXT|AT|CODE|MIDDLE))*(?:[_ -]?\\d)?`;
const lower =
  "(?:(?:user|editable)[_ -]?)?(?:cursor|caret|fill|hole|fim|insert|completion|complete|region)(?:[_ -](?:is|me|here|in|hole|position|pos|marker|middle|prefix|suffix|begin|end|start|point))*";
/** Names that only stand for a place in code, so that they need no more than the brackets of a tag. */
const places =
  "fim[_-](?:prefix|suffix|middle|hole|pad)|(?:cursor|caret)(?:[_ -]?(?:here|position|pos|marker))?|extra_id_\\d+|fill[_-]?(?:me|here|in)?|hole|mask|blank|insert|placeholder";
const position = `${upper}|cursor(?:[_ ](?:here|position))?|fill[_ ]?here`;
const marker = new RegExp(
  [
    `<\\|(?:${lower}|${upper})\\|>`,
    "<[｜|][^<>\\n]{0,12}fim[^<>\\n]{0,12}[｜|]>",
    `</?(?:${places})\\s?/?>`,
    `<{1,3}/?(?:${upper})/?>{1,3}`,
    `\\{\\{ ?(?:${position}) ?\\}\\}`,
    `\\[{1,2}(?:CURSOR|CARET|FILL|HOLE|MASK|MIDDLE|INSERT|FILL_HERE|INSERT_HERE|CURSOR_HERE|cursor)\\]{1,2}`,
    `/\\* ?(?:${position}) ?\\*/`,
    `<!-- ?(?:${position}) ?-->`,
    `[⟨〈«│](?:${position})[⟩〉»│]`,
    "[_@$|]{1,3}(?:CURSOR|FILL_HERE|FILL_ME|FILL_IN|HOLE|CURSOR_HERE)[_@$|]{1,3}",
    "\\|(?:cursor|caret)\\|",
    "[█▮▌▏‸⎀]",
  ].join("|"),
  "g",
);
/** Elements of pages and drawings. */
const element = /^<\/?(?:mask|insert|hole|fill|blank|placeholder|PRE|CODE)\s?\/?>$/;

/** The answer without the marker of the cursor, and without the code on the side of it that is not the completion. */
export function withoutMarkers(answer: string, place: Place): string {
  const parts: string[] = [];
  let from = 0;
  for (const { 0: mark, index } of answer.matchAll(marker)) {
    if (isContent(mark, index, answer, place)) continue;
    parts.push(answer.slice(from, index));
    from = index + mark.length;
    if (/middle/i.test(mark) && answer.slice(from, from + 1_000).trim() !== "") parts.length = 0;
    if (parts.length > 200) break;
  }
  if (from === 0) return answer;
  parts.push(answer.slice(from));
  while (parts.length > 1 && isEcho(parts[0] ?? "", place.before, true)) parts.shift();
  while (parts.length > 1 && isEcho(parts.at(-1) ?? "", place.after, false)) parts.pop();
  return parts.join("");
}

/** Whether the document uses the same text, or a block character is part of a string. */
function isContent(mark: string, index: number, answer: string, { before, after, syntax }: Place): boolean {
  if (before.includes(mark) || after.includes(mark)) return true;
  if (syntax.hasTags && element.test(mark)) return true;
  return (
    mark.length === 1 && /["'`█▮▌▏░▒▓]/.test(answer[index - 1] ?? "") && /["'`█▮▌▏░▒▓]/.test(answer[index + 1] ?? "")
  );
}

/** Whether a part is nothing but the text on its side of the cursor. */
function isEcho(part: string, side: string, isBefore: boolean): boolean {
  const said = squeeze(part).text;
  if (said === "") return true;
  const known = squeeze(isBefore ? side.slice(-2 * part.length - 200) : side.slice(0, 2 * part.length + 200)).text;
  const size = Math.min(said.length, known.length, 400);
  if (size === 0) return false;
  return isBefore ? known.endsWith(said.slice(-size)) : known.startsWith(said.slice(0, size));
}

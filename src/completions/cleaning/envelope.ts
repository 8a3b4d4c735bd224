import { hasText } from "../../text/lines.ts";
import type { Place } from "./place.ts";
import { introduces, isProse } from "./prose.ts";

/** Longest line that is read as a fence or tag, in characters. */
const longestMark = 200;
/** Longest answer that is read as code within a line of Markdown, in characters. */
const longestLine = 600;

const thoughts =
  /^\s*<(think|thinking|thoughts?|reasoning|analysis|scratchpad|plan)>(?:[^<]|<(?!\/\1>))*(?:<\/\1>(?:[ \t]*\n)*|$)/i;
const otherTag =
  /^\s*<((?:[a-z]{2,12}[_-])?(?:completion|completed|code|answer|output|result|response|insert|fill|infill|middle|text|snippet|solution|suggestion)(?:[_-][a-z]{2,12}){0,2})(?: [^<>\n]{0,80})?(?<!\/)>/i;
const fence = /^\s{0,12}(`{3,}|~{3,}(?= {0,3}[\w-]*$)) {0,3}([^`]{0,80})$/;
/** Tokens that end a turn or a file. */
const lastToken =
  /<[|｜](?:end|fim_pad|eot|eos|im_|file|user(?!_cursor)|assistant|system|return|eom)[\w▁]*[|｜]>|<\/s>|<EOT>|<eos>|<end_of_turn>|\[\/INST\]/gi;
/** Tokens that start a file or turn, with the name of who speaks. */
const firstTokens =
  /^\s*(?:<[|｜](?!(?:user_)?(?:cursor|caret|hole|fim))[\w▁]{2,30}[|｜]>|<s>|<bos>|(?<=>)assistant\b)+(?:(?<=assistant(?:<\|\w{2,30}\||\|)?>?)\n{1,2})?/i;
/** What stands for the cursor or a hole in prompts. */
const marker =
  /<\|?\/?(?:(?:user_|fim[_▁-]?|code_)?(?:cursor|caret|hole|fill|insert|mask|middle|prefix|suffix|completion)(?:[_▁ -]?(?:is|me|here|in|hole|position|marker)){0,3})\s?\/?\|?>|<｜fim▁\w+｜>|(?:\{\{|\[\[?|<<<?|__|\/\* ?|<!-- ?)(?:cursor|caret|fill|hole|mask|fill_(?:me|here|in)|(?:cursor|insert|complete)_here)(?: ?\*\/| ?-->|\}\}|\]\]?|>>>?|__)|<extra_id_\d>|[█▮](?!["'`█])|(?<!["'`█])[█▮]/gi;

/** The answer without what the model thought first; empty while it thinks. */
export function withoutThoughts(answer: string): string {
  return answer.replace(thoughts, "");
}

/** The answer without the model's own tokens, except for those of the document. */
export function withoutTokens(answer: string, place: Place): string {
  const isOwn = (token: string): boolean => !isIn(place, token);
  const start = firstTokens.exec(answer.slice(0, longestMark))?.[0] ?? "";
  const own = isOwn(start.trim()) ? answer.slice(start.length) : answer;
  const end = [...own.matchAll(lastToken)].find(({ 0: token, index }) => isOwn(token) && hasText(own.slice(0, index)));
  return own.slice(0, end?.index);
}

/** The answer without what stands for the cursor, except where the document has it. */
export function withoutMarkers(answer: string, place: Place): string {
  return answer.replace(marker, (mark) => (isIn(place, mark) ? mark : ""));
}

function isIn({ before, after }: Place, token: string): boolean {
  return before.includes(token) || after.includes(token);
}

/** What the tag holds that the prompt asks for, or another one around all of the answer; `undefined` if there is none. */
export function insideTag(answer: string, { before, after }: Place): string | undefined {
  const isOwn = (name: string): boolean => !before.includes(`<${name}`) && !after.includes(`</${name}`);
  const asked = answer.indexOf("<completion>");
  const [open, name = ""] =
    asked >= 0 && isOwn("completion")
      ? ["<completion>", "completion"]
      : (otherTag.exec(answer.slice(0, longestMark)) ?? []);
  if (open !== undefined && isOwn(name)) {
    const start = Math.max(0, name === "completion" ? asked : 0) + open.length;
    const end = answer.indexOf(`</${name}>`, start);
    return withoutLineBreaks(answer.slice(start, end < 0 ? undefined : end));
  }
  const end = answer.lastIndexOf("</completion>");
  return end < 0 || !isOwn("completion") ? undefined : withoutLineBreaks(answer.slice(0, end));
}

/** The text without the line breaks after the start of a tag, and before its end. */
function withoutLineBreaks(inner: string): string {
  return inner.replace(/^[ \t]*\n/, "").replace(/\n[ \t]*$/, "");
}

/** The lines that start or end a fence. */
export function fencesIn(lines: readonly string[]): readonly { line: number; mark: string; info: string }[] {
  return lines.flatMap((text, line) => {
    const [, mark = "", info = ""] = fence.exec(text.slice(0, longestMark)) ?? [];
    return mark === "" ? [] : [{ line, mark: mark.slice(0, 3), info: info.trim() }];
  });
}

/** What is inside the fence of an answer; `undefined` if there is none, or it is the document's. */
export function insideFence(answer: string, place: Place): string | undefined {
  const single = /^\s*(`+)(?!.*[#$]\{)([^`\n]+)\1\s*$/.exec(answer.slice(0, longestLine))?.[2];
  if (single !== undefined) return single;
  const lines = answer.split("\n");
  const all = fencesIn(lines);
  const [first] = all;
  // Tildes under a line underline it.
  if (!first || (first.mark === "~~~" && all.length === 1 && hasText(lines[first.line - 1] ?? ""))) return undefined;
  const said = lines.slice(0, first.line).filter(hasText);
  const isDocument = place.language.levels === "none";
  const isFirst = said.every((line) => introduces(line, place) || (!isDocument && isProse(line)));
  const close = all.find(({ line, mark, info }) => line > first.line && mark === first.mark && info === "");
  const content = lines.slice(first.line + 1, close?.line).join("\n");
  if (isDocument && !(isFirst && said.length > 0) && isOfDocument(first.info, place)) return undefined;
  if (!isFirst) return first.info === "" || !isDocument ? lines.slice(0, first.line).join("\n") : undefined;
  return close ? content : content.replace(/`{3}\s*$/, "");
}

/** Whether a block is the document's own, rather than what the answer is wrapped in. */
function isOfDocument(info: string, { before, after, linePrefix }: Place): boolean {
  if (fencesIn(before.split("\n")).length % 2 === 1) return info === "" && fencesIn(after.split("\n"))[0]?.info !== "";
  return !hasText(linePrefix) && info !== "" && !/^(?:markdown|md|mdx|text|txt|plaintext)$|[\\/]/i.test(info);
}

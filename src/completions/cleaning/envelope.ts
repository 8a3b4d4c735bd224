import { isFilled } from "../../text/lines.ts";
import type { Place } from "./place.ts";
import { introduces, isProse } from "./prose.ts";

/** Longest line that is read as a fence or tag, in characters. */
const longestMark = 200;
/** Longest answer that is read as code within a line of Markdown, in characters. */
const longestLine = 600;

const thoughts =
  /^\s*<(think|thinking|thoughts?|reasoning|analysis|scratchpad|plan)>(?:[^<]|<(?!\/\1>))*(?:<\/\1>(?:[ \t]*\n[ \t]*\n)?|$)/i;
const tagNames =
  "(?:[a-z]{2,12}[_-])?(?:completion|completed|code|answer|output|result|response|insert|fill|infill|middle|text|snippet|solution|suggestion)(?:[_-][a-z]{2,12}){0,2}";
const openTag = new RegExp(`^<(${tagNames})(?: [^<>\\n]{0,80})?(?<!/)>`, "i");
const closeTag = new RegExp(`</(${tagNames})>\\s*$`, "i");
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

/** The answer without control characters, without the model's own tokens, and without markers of the cursor. */
export function withoutTokens(answer: string, place: Place): string {
  const { before, after } = place;
  const isOwn = (token: string): boolean => !before.includes(token) && !after.includes(token);
  const text = answer.replace(
    /\u001b\[[\d;]{0,20}[A-Za-z]|[\0-\u0008\u000b-\u001f\u007f-\u009f\u200b\u2060\ufeff]/g,
    "",
  );
  const start = firstTokens.exec(text.slice(0, longestMark))?.[0] ?? "";
  const own = isOwn(start.trim()) ? text.slice(start.length) : text;
  const end = [...own.matchAll(lastToken)].find(({ 0: token, index }) => isOwn(token) && isFilled(own.slice(0, index)));
  return own.slice(0, end?.index).replace(marker, (mark) => (isOwn(mark) ? "" : mark));
}

/** What is inside the fence or tag around an answer; `undefined` if there is none. */
export function insideEnvelope(answer: string, place: Place): string | undefined {
  return insideTag(answer, place) ?? insideFence(answer, place);
}

function insideTag(answer: string, place: Place): string | undefined {
  const { before, after } = place;
  const lines = answer.split("\n");
  const at = lines.findIndex((line) => openTag.test(line.trimStart().slice(0, longestMark)));
  const [open = "", name = ""] = openTag.exec((lines[at] ?? "").trimStart().slice(0, longestMark)) ?? [];
  const isOwn = (tag: string): boolean => tag !== "" && !before.includes(`<${tag}`) && !after.includes(`</${tag}`);
  if (
    at >= 0 &&
    isOwn(name) &&
    lines.slice(0, at).every((line) => !isFilled(line) || isProse(line) || introduces(line, place))
  ) {
    const start = answer.indexOf(open, lines.slice(0, at).join("\n").length) + open.length;
    const end = answer.indexOf(`</${name}>`, start);
    const inner = answer.slice(start, end < 0 ? undefined : end);
    return inner.replace(/^[ \t]*\n/, "").replace(/\n[ \t]*$/, "");
  }
  const close = closeTag.exec(answer.slice(-longestMark));
  if (!close || !isOwn(close[1] ?? "") || answer.includes(`<${close[1] ?? ""}`)) return undefined;
  return answer.slice(0, answer.length - close[0].length).replace(/\n[ \t]*$/, "");
}

/** The lines that start or end a fence. */
export function fencesIn(lines: readonly string[]): readonly { line: number; mark: string; info: string }[] {
  return lines.flatMap((text, line) => {
    const [, mark = "", info = ""] = fence.exec(text.slice(0, longestMark)) ?? [];
    return mark === "" ? [] : [{ line, mark: mark.slice(0, 3), info: info.trim() }];
  });
}

function insideFence(answer: string, place: Place): string | undefined {
  const single = /^\s*(`+)(?!.*[#$]\{)([^`\n]+)\1\s*$/.exec(answer.slice(0, longestLine))?.[2];
  if (single !== undefined) return single;
  const lines = answer.split("\n");
  const all = fencesIn(lines);
  const [first] = all;
  // Tildes under a line underline it.
  if (!first || (first.mark === "~~~" && all.length === 1 && isFilled(lines[first.line - 1] ?? ""))) return undefined;
  const said = lines.slice(0, first.line).filter(isFilled);
  const isText = place.language.levels === "none";
  const isFirst = said.every((line) => introduces(line, place) || (!isText && isProse(line)));
  const close = all.find(({ line, mark, info }) => line > first.line && mark === first.mark && info === "");
  const inner = lines.slice(first.line + 1, close?.line);
  const content = inner.join("\n");
  if (isText && !(isFirst && said.length > 0) && isOfDocument(first.info, place)) return undefined;
  if (!isFirst) return first.info === "" || !isText ? lines.slice(0, first.line).join("\n") : undefined;
  return close ? content : content.replace(/`{3}\s*$/, "");
}

/** Whether a block is the document's own, rather than what the answer is wrapped in. */
function isOfDocument(info: string, { before, after, linePrefix }: Place): boolean {
  if (fencesIn(before.split("\n")).length % 2 === 1) return info === "" && fencesIn(after.split("\n"))[0]?.info !== "";
  return !isFilled(linePrefix) && info !== "" && !/^(?:markdown|md|mdx|text|txt|plaintext)$|[\\/]/i.test(info);
}

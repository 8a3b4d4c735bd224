import type { Place } from "./place.ts";

const names =
  "code|completion|completed|answer|output|result|response|insert|insertion|inserted|fill|filling|fim|middle|hole|text|snippet|content|suggestion|solution|source|artifact|pre|block|generated|missing|continuation|final|assistant|codeblock|replacement|infill";
const envelope = new RegExp(`^(?:[a-z]+[_:-]){0,3}(?:${names})(?:[_:-][a-z]+){0,3}$`, "i");
const thoughts =
  /^\s*<(think|thinking|thoughts?|reasoning|analysis|scratchpad|reflection|plan|inner_monologue)>[^]*?(?:<\/\1>[ \t]*\n*|$)/i;
const role =
  /^\s*(?:<\|im_start\|>\s*)?(?:<\|assistant\|>|\[ASSISTANT\]|### Response:?|(?:assistant|AI)(?::|(?=\n)))[ \t]*\n?/i;
const nextTurn = /\n[ \t]*\n(?:(?:User|Human): |### (?:Instruction|Input|Question):?|<\|user\|>)[^]*$/;
const ending =
  /<[|｜](?!(?:\w+[_-])?(?:cursor|caret|fill|hole|insert|mask|editable|begin)|fim[^|｜]{0,3}(?:begin|prefix|suffix|middle|hole|end))[\w▁]{2,30}[|｜]>|<\/s>(?=\s|$)|<(?:EOT|eos|end_of_turn)>|\[\/(?:INST|CODE|ANSWER|COMPLETION)\]|\[EOS\]/gi;
const fimStart = /^\s*(?:<[|｜]?(?:fim[_▁-](?:prefix|begin)|PRE)[|｜]?>)/;
const fimMiddle = /<[|｜]?(?:fim[_-]middle|fim▁end|MID(?=> ))[|｜]?>(?:(?<=<MID>) )?/g;
const openTag = /<([A-Za-z][\w:-]{1,40})(?: [\w-]{1,20}=["'][^<>\n]{0,80}["'])?>/g;
const context = /^\s*<(prefix|suffix|before|after|context|code_before|code_after)>[^]*?<\/\1>[ \t]*\n?/i;

/** The answer without the thoughts that it starts with; empty while they go on. */
export function withoutThoughts(answer: string): string {
  return answer.replace(thoughts, "");
}

/** The answer without thoughts, and without what follows the model's own sign of its end. */
export function withoutControl(answer: string, { before, after, syntax }: Place): string {
  let text = answer.replace(/^[\ufeff\u200b\u2060]+/, "").replace(/^[ \t]*\u00a0[ \t\u00a0]*/gm, spaces);
  for (let round = 0; round < 3; round += 1) text = withoutThoughts(text).replace(context, "");
  if (fimStart.test(text)) {
    const middle = [...text.matchAll(fimMiddle)].at(-1);
    if (middle) text = text.slice(middle.index + middle[0].length);
  }
  if (!syntax.isProse) text = text.replace(role, "").replace(nextTurn, "");
  for (const { 0: mark, index } of text.matchAll(ending))
    if (text.slice(0, index).trim() !== "" && !before.includes(mark) && !after.includes(mark))
      return text.slice(0, index);
  return text.replace(ending, (mark) => (before.includes(mark) || after.includes(mark) ? mark : ""));
}

function spaces(text: string): string {
  return text.replaceAll("\u00a0", " ");
}

/** Whether a line is only a tag that models put around an answer. */
export function isEnvelope(line: string): boolean {
  const [, name = ""] = /^\s*<([A-Za-z][\w:-]{1,40})>\s*$/.exec(line.slice(0, 200)) ?? [];
  return name !== "" && envelope.test(name);
}

/** The content of the tag that the answer is wrapped in; `undefined` if it is not. */
export function insideTags(answer: string, place: Place): string | undefined {
  const [, empty = ""] = /^\s*<([A-Za-z][\w:-]{1,40})>\s*<\/\1>\s*$/.exec(answer.slice(0, 200)) ?? [];
  if (envelope.test(empty)) return "";
  openTag.lastIndex = 0;
  for (let tries = 0; tries < 20; tries += 1) {
    const open = openTag.exec(answer);
    if (!open) break;
    const name = open[1] ?? "";
    const before = answer.slice(0, open.index);
    if (!envelope.test(name) || !isOwn(name, before, place)) continue;
    const start = open.index + open[0].length;
    const close = answer.indexOf(`</${name}>`, start);
    const content = answer.slice(start, close < 0 ? undefined : close);
    const isComplete = close >= 0 || before.trim() === "";
    if (isComplete) return withoutEdges(content);
  }
  const close = /\s*<\/([A-Za-z][\w:-]{1,40})>\s*$/.exec(answer.slice(-200));
  if (!close || !envelope.test(close[1] ?? "") || answer.includes(`<${close[1] ?? ""}`)) return undefined;
  return isOwn(close[1] ?? "", "", place) ? answer.slice(0, answer.length - close[0].length) : undefined;
}

/** Whether a tag belongs to the answer: it starts a line there, and the document does not use it. */
function isOwn(name: string, before: string, { before: prefix, after, syntax, linePrefix }: Place): boolean {
  if (before.slice(before.lastIndexOf("\n") + 1).trim() !== "") return false;
  const isComment = /^\s*(?:\/\/|\/?\*|#|--)/.test(linePrefix);
  if (!isComment && !syntax.hasTags && !syntax.isProse && /^code$|completion/i.test(name)) return true;
  return !prefix.slice(-16_384).includes(`<${name}`) && !after.slice(0, 16_384).includes(`</${name}`);
}

function withoutEdges(content: string): string {
  return content.replace(/^[ \t]*\n/, "").replace(/\n[ \t]*$/, "");
}

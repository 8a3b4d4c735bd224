import { insideTags, withoutReasoning } from "../prompts/answerTags.ts";
import { visibleText } from "../text/hiddenText.ts";
import { cutText, withLineFeeds } from "../text/lines.ts";
import { withoutMasks } from "../text/secrets/placeholders.ts";

/** The tag around a commit message. */
export const messageTag = "commit-message";

/** Maximum lengths of a message and of an answer, in characters. */
const maxMessageLength = 4_000;
export const maxAnswerLength = 10 * maxMessageLength;

/** Maximum length of a subject outside an envelope, in characters. The prompt asks for 72. */
const maxSubjectLength = 120;

const fence = /^(`{3,}|~{3,})[^\n]*(?:\n|$)/;
const pairOfTags = /^<([\w-]+)>\n([^]*)\n<\/\1>$/;

/** Quotation marks or other marks around all of a message, which has no others. */
const quoted = /^(["`]|\*\*)((?:(?!\1)[^])+)\1$/;

/** A line about the message or by the model about itself. */
const aboutMessage = /^(?:i\b(?!\/)|sorry\b)|commit message|提交(?:消息|信息|说明)|抱歉|对不起/i;

/**
 * The commit message in an answer: the text in its envelope, with an empty line after the subject. An answer without an
 * envelope must be only a message, after at most one line that introduces it. Empty if there is no message, or if it is
 * doubtful.
 */
export function readMessage(answer: string): string {
  const text = visibleText(withLineFeeds(withoutMasks(withoutReasoning(answer.slice(0, maxAnswerLength)))));
  const inside = insideTags(text, messageTag);
  const message = inside === undefined ? bareMessage(text.trim()) : unwrapped(inside.trim());
  const [subject = "", ...body] = message.split("\n").map((line) => line.trimEnd());
  // For Git, all lines up to the first empty one are the subject.
  const whole = [subject, "", ...body].join("\n").replace(/\n{3,}/g, "\n\n");
  return cutText(whole, maxMessageLength).trim();
}

function bareMessage(text: string): string {
  const [first = "", ...lines] = text.split("\n");
  const rest = lines.join("\n").trim();
  const isIntroduction = /[:：]\**$/.test(first.trimEnd()) && (aboutMessage.test(first) || fence.test(rest));
  const message = unwrapped(isIntroduction ? rest : text);
  const [subject = ""] = message.split("\n", 1);
  // A sentence is an excuse or a comment rather than a subject.
  const isDoubtful =
    subject.length > maxSubjectLength || /[.:!?。：！？]\s*$/.test(subject) || aboutMessage.test(subject);
  return isDoubtful ? "" : message;
}

/** The text inside the fence that it begins with, or inside the tags or marks around all of it. */
function unwrapped(text: string): string {
  const [opening = "", mark] = fence.exec(text) ?? [];
  if (mark === undefined) return (pairOfTags.exec(text) ?? quoted.exec(text))?.[2]?.trim() ?? text;
  const lines = text.slice(opening.length).split("\n");
  let open = 1;
  const end = lines.findIndex((line) => {
    // A fence with a language is one in the message.
    if (line.trimStart().startsWith(mark)) open += /[\w+#-]$/.test(line.trimEnd()) ? 1 : -1;
    return open === 0;
  });
  return lines
    .slice(0, end < 0 ? undefined : end)
    .join("\n")
    .trim();
}

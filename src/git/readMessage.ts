import { insideEnvelope, withoutReasoning } from "../text/envelope.ts";
import { visibleText } from "../text/invisible.ts";
import { cutText, withLineFeeds } from "../text/lines.ts";
import { withoutMasks } from "../text/secrets/maskSecrets.ts";

/** The tag around a commit message. */
export const messageTag = "commit-message";

/** Maximum lengths of a message and of an answer, in characters. */
const longestMessage = 4_000;
export const longestAnswer = 10 * longestMessage;

/** Maximum length of a subject outside an envelope, in characters. The prompt asks for 72. */
const longestSubject = 120;

const fence = /^(`{3,}|~{3,})[^\n]*(?:\n|$)/;

/**
 * The commit message in an answer: the text in its envelope, with an empty line after the subject. An answer without an
 * envelope must be only a message. Empty if there is no message, or in doubt.
 */
export function readMessage(answer: string): string {
  const text = visibleText(withLineFeeds(withoutMasks(withoutReasoning(answer.slice(0, longestAnswer)))));
  const inside = insideEnvelope(text, messageTag);
  const message = unfenced((inside ?? text).trim());
  const [subject = "", ...body] = message.split("\n").map((line) => line.trimEnd());
  // Outside an envelope, a sentence is an excuse or a comment rather than a subject.
  const isDoubtful = subject.length > longestSubject || /[.:!?。：！？]$/.test(subject);
  if (inside === undefined && isDoubtful) return "";
  // For Git, all lines up to the first empty one are the subject.
  const whole = [subject, "", ...body].join("\n").replace(/\n{3,}/g, "\n\n");
  return cutText(whole, longestMessage).trim();
}

/** The text inside the fence that it begins with. */
function unfenced(text: string): string {
  const [opening = "", mark] = fence.exec(text) ?? [];
  if (mark === undefined) return text;
  const lines = text.slice(opening.length).split("\n");
  const end = lines.findIndex((line) => line.trimStart().startsWith(mark));
  return lines
    .slice(0, end < 0 ? undefined : end)
    .join("\n")
    .trim();
}

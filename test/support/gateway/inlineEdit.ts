import type { Conversation } from "./conversation.ts";
import { changeCode } from "./sampleCode.ts";

/** A question about lines of a file, as sent by inline chat. */
interface InlineQuestion {
  readonly question: string;
  readonly language: string;
  /** The code in question. */
  readonly code: string;
  /** The requested fence of the block. */
  readonly fence: string;
  readonly mark: string;
}

/** Reads the question from a conversation whose instructions ask for a marked block. */
export function inlineQuestionOf({ turns }: Conversation): InlineQuestion | undefined {
  const all = turns.map(({ text }) => text).join("\n\n");
  const [, fence = "", language = "", mark = ""] = /^(`{3,})([\w+#-]*) (replace)\n/m.exec(all) ?? [];
  const last = turns.findLast(({ role }) => role === "user")?.text ?? "";
  const [, , code = "", rest = ""] =
    /^The question is about .*\n\n(`{3,})[^\n]*\n([\s\S]*?)\n?^\1$([\s\S]*)/m.exec(last) ?? [];
  if (mark === "" || rest === "") return undefined;
  return { question: afterFacts(rest), language, code, fence, mark };
}

/**
 * Answers like a model asked for a change: the code below a comment with the request. Questions that begin with "what",
 * "why" or "explain", or that say "no block", get no change. "two blocks", "short fence", "open block", "another
 * place", "three places", "dedented" and "delete" are taken literally.
 */
export function answerInline({ question, language, code, fence, mark }: InlineQuestion): string {
  const block = (text: string, info: string, around = fence): string =>
    [around + info, ...(text === "" ? [] : [text]), around].join("\n");
  const change = changeCode({ language, code }, question).code;
  const info = `${language} ${mark}`;
  const asks = (pattern: RegExp): boolean => pattern.test(question);
  if (asks(/another place/i)) return `This goes elsewhere:\n\n${block("const elsewhere = true;", language)}`;
  if (asks(/^(what|why|explain)\b|\bno block\b/i)) {
    return `You asked: *${question}*\n\nThese lines begin with \`${code.trim().split("\n")[0] ?? ""}\` and need no change.`;
  }
  if (asks(/\btwo blocks\b/i)) return `Both:\n\n${block(change, info)}\n\n${block(change, info)}`;
  if (asks(/\bshort fence\b/i)) return block(change, info, "```");
  if (asks(/\bopen block\b/i)) return `${fence}${info}\n${change}`;
  if (asks(/\bdelete\b/i)) return `Gone:\n\n${block("", info)}`;
  if (asks(/\bthree places\b/i)) return block(inThreePlaces(code.split("\n")).join("\n"), info);
  if (asks(/\bdedented\b/i)) return block(change.replace(/^[ \t]+/gm, ""), info);
  return `Here is the change:\n\n${block(change, info)}\n\nThe new comment says what was asked.`;
}

/** Changes the first line, removes the one in the middle, and adds one at the end. */
function inThreePlaces(lines: readonly string[]): readonly string[] {
  const kept = lines.toSpliced(Math.floor(lines.length / 2), 1).slice(1);
  return [`${lines[0] ?? ""} // changed`, ...kept, "// added"];
}

/** The user's question, which comes last, after the facts about the code. */
function afterFacts(rest: string): string {
  const facts = /^(?:Of these, the following is selected:|Problems reported on these lines:)/;
  const parts = rest.trim().split("\n\n");
  return parts.slice(parts.findLastIndex((part) => facts.test(part)) + 1).join("\n\n");
}

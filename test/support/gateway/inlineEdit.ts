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
  /** The mark of the block that replaces the code; empty where only SEARCH/REPLACE blocks are asked for. */
  readonly mark: string;
  /** The path that such blocks are to name. */
  readonly path: string;
}

/** Reads the question from a conversation whose instructions ask for a marked block, or for SEARCH/REPLACE blocks. */
export function inlineQuestionOf({ turns }: Conversation): InlineQuestion | undefined {
  const all = turns.map(({ text }) => text).join("\n\n");
  const [, path = "", fence = "", language = ""] = /^(.+)\n(`{3,})([\w+#-]*)\n<<<<<<< SEARCH\n/m.exec(all) ?? [];
  const mark = / (replace)$/m.exec(all)?.[1] ?? "";
  const users = turns.filter(({ role }) => role === "user").map(({ text }) => text);
  const isRepair = users.at(-1)?.startsWith("Nothing of your last answer was applied") === true;
  const [, , code = "", rest = ""] =
    /^(?:The question is about|Nothing is selected\.) .*\n\n(`{3,})[^\n]*\n([\s\S]*?)\n?^\1$([\s\S]*)/m.exec(
      users.at(isRepair ? -2 : -1) ?? "",
    ) ?? [];
  if (fence === "" || rest === "") return undefined;
  return { question: afterFacts(rest), language, code, fence, mark, path };
}

/**
 * Answers like a model asked for a change: the code below a comment with the request. Questions that begin with "what",
 * "why" or "explain" get no change. "another place" and "three places" are taken literally. "forget" quotes lines that the
 * file does not have, also when it is asked once more. "write 25 lines" adds as many and one. "break it" adds a line with two commas, which "fix the new problems" removes. "add the import" adds one at the top of a file that begins with one.
 */
export function answerInline({ question, language, code, fence, mark, path }: InlineQuestion): string {
  const block = (text: string, info: string): string => [fence + info, text, fence].join("\n");
  const change = changeCode({ language, code }, question).code;
  const info = `${language} ${mark}`;
  const asks = (pattern: RegExp): boolean => pattern.test(question);
  if (asks(/another place/i)) return `This goes elsewhere:\n\n${block("const elsewhere = true;", language)}`;
  if (asks(/^(what|why|explain)\b/i)) {
    return `You asked: *${question}*\n\nThese lines begin with \`${code.trim().split("\n")[0] ?? ""}\` and need no change.`;
  }
  if (asks(/\bthree places\b/i)) return block(inThreePlaces(code.split("\n")).join("\n"), info);
  const [, count] = /^write (\d+) lines$/i.exec(question) ?? [];
  if (count) return block(`${change}\n${"// more\n".repeat(Number(count))}// end`, info);
  if (asks(/\bbreak it\b/i)) return block(`${code}\n,,`, info);
  if (asks(/^fix the new problems\b/i)) return block(code.replaceAll("\n,,", ""), info);
  const search = (old: string, text: string): string =>
    `${path}\n${block(`<<<<<<< SEARCH\n${old}\n=======\n${text}\n>>>>>>> REPLACE`, language)}`;
  if (asks(/\bforget\b/i)) {
    return `Here is the change:\n\n${search(`${code} // forgotten`, change)}`;
  }
  if (mark === "") {
    return `Here is the change:\n\n${search(code, change)}\n\nThe new comment says what was asked.`;
  }
  if (asks(/\badd the import\b/i)) {
    return `Both:\n\n${block(change, info)}\n\n${search('import "a";', 'import "a";\nimport "b";')}`;
  }
  return `Here is the change:\n\n${block(change, info)}\n\nThe new comment says what was asked.`;
}

/** Changes the first line, removes the one in the middle, and adds one at the end. */
function inThreePlaces(lines: readonly string[]): readonly string[] {
  const kept = lines.toSpliced(Math.floor(lines.length / 2), 1).slice(1);
  return [`${lines[0] ?? ""} // changed`, ...kept, "// added"];
}

/** The user's question, which comes last, after the facts about the code. */
function afterFacts(rest: string): string {
  const facts = /^(?:Of these, the following is selected:|Problems reported (?:on these lines|in this file):)/;
  const parts = rest.trim().split("\n\n");
  return parts.slice(parts.findLastIndex((part) => facts.test(part)) + 1).join("\n\n");
}

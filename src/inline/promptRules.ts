import { replaceMark } from "../edits/read/readEdits.ts";
import { oneLine } from "../text/lines.ts";
import { hasMask, maskRule } from "../text/maskSecrets.ts";
import type { CodeContext } from "./codeContext.ts";
import { fenceFor } from "./editBlock.ts";

/** The most lines that an answer is asked to replace as a whole. Longer ones would cost more than they are worth. */
export const mostReplaced = 400;

/** The rules of an answer: how it may change the file. */
export function rulesFor(code: CodeContext): string {
  const rules = [
    "You are Codex, asked from inside a code editor about a file. Answer briefly, in Markdown, in the language of the question.",
  ];
  if (!code.canEdit) rules.push("The file cannot be changed. Explain, and show code only as an example.");
  else if (isReplaced(code)) rules.push(...replaceRules(code));
  else rules.push("When the answer changes the file, give one small block for each place:", ...blockRules(code));
  if (code.canEdit) rules.push("Never repeat the whole file. When nothing is to be changed, write no such block.");
  if (Array.from({ length: code.lineCount }, (_, line) => code.textOf(line)).some(hasMask)) rules.push(maskRule);
  return rules.join("\n\n");
}

/** Whether the lines in question are replaced as a whole: chosen lines that are not too many. */
function isReplaced({ scope, lines }: CodeContext): boolean {
  return scope !== "cursor" && lines.end - lines.start <= mostReplaced;
}

function replaceRules(code: CodeContext): readonly string[] {
  const { languageId } = code;
  const fence = fenceOf(code);
  return [
    "When the answer changes the given lines, give their whole replacement, exactly once, in one fenced block marked like this:",
    `${fence}${languageId} ${replaceMark}\n(all lines that take the place of the given lines)\n${fence}`,
    `The block takes the place of exactly the given lines and of nothing else. Keep the indentation of every line. Leave out nothing, write no line numbers, and repeat no line from around them. The fence is ${fence.length} backticks, or more if the code itself contains such a fence. Mark no other block with "${replaceMark}".`,
    "When something elsewhere in the file has to change as well, such as an import, give one small block for each place:",
    ...blockRules(code),
  ];
}

function blockRules(code: CodeContext): readonly string[] {
  const fence = fenceOf(code);
  return [
    `${oneLine(code.path)}\n${fence}${code.languageId}\n<<<<<<< SEARCH\n(the lines to change, copied from the file)\n=======\n(the lines that take their place)\n>>>>>>> REPLACE\n${fence}`,
    "Copy the lines below SEARCH exactly, with their indentation: whole lines, none left out, only as many as make them unique in the file. To insert, copy a line beside the place and repeat it below the separator.",
  ];
}

function fenceOf({ lines, languageId, textOf }: CodeContext): string {
  const texts = Array.from({ length: lines.end - lines.start }, (_, index) => textOf(lines.start + index));
  return fenceFor(texts, languageId);
}

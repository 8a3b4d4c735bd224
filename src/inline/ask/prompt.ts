import { replaceMark } from "../../edits/read/readEdits.ts";
import type { ChatMessage } from "../../gateway/types.ts";
import { estimateTokens } from "../../prompts/estimateTokens.ts";
import { type Exchange, fitHistory } from "../../prompts/fitHistory.ts";
import type { LineRange } from "../../text/lineRange.ts";
import { cutText, oneLine } from "../../text/lines.ts";
import { fenceAround, fenced } from "../../text/markdown.ts";
import { type Diagnostic, diagnosticList } from "../../problems/diagnostics.ts";

interface EarlierExchange extends Exchange {
  /** What the user did with the answer's change; may be empty. */
  readonly outcome: string;
}

/** The messages of a question, and the lines of the document that they quote. */
export interface CodePrompt {
  readonly messages: readonly ChatMessage[];
  readonly shown: LineRange;
}

/** Maximum tokens of surrounding lines, imports, and outline together. If nothing is selected, any part of the file may matter. */
const maxAround = { selection: 6_000, symbol: 6_000, cursor: 24_000 };
/** Maximum share of the outline in these tokens. */
const outlineShare = 0.2;
/** Room for fences that are longer than three backticks, in tokens. */
const longerFences = 10;
/** Number of lines at the top of a file that are searched for imports. */
const importLines = 200;
/** Maximum length of a line of the outline, in characters. */
const maxHeadingLength = 500;

const importPattern =
  /^\s*(import\b|from\b.*\bimport\b|#\s*include\b|using\b|use\b|require\b|(const|let|var)\b.*=\s*require\()/;

/**
 * Builds the messages for a question about code in at most `budget` tokens, as `estimateTokens` counts them: rules, the
 * newest earlier exchanges that fit, and the current code. `undefined` if not even code and question fit.
 */
export function buildMessages(
  code: CodeContext,
  question: string,
  earlier: readonly EarlierExchange[],
  budget: number,
): CodePrompt | undefined {
  const rules = rulesFor(code);
  const userText = [earlier.at(-1)?.outcome ?? "", codePart(code), question].filter((part) => part !== "").join("\n\n");
  let remaining = budget - estimateTokens(rules) - estimateTokens(userText);
  if (remaining < 0) return undefined;
  const around = code.sendsOnlyTarget
    ? { text: "", shown: code.lines }
    : surroundings(code, Math.min(remaining, maxAround[code.scope]));
  remaining -= estimateTokens(around.text);
  const messages: readonly ChatMessage[] = [
    { role: "system", content: rules },
    ...fitHistory(earlier, remaining),
    { role: "user", content: around.text === "" ? userText : `${around.text}\n\n${userText}` },
  ];
  return { messages, shown: around.shown };
}

function codePart(code: CodeContext): string {
  const { path, cell, languageId, lines, scope, selected, diagnostics, texts } = code;
  const file = oneLine(path) + (cell === undefined ? "" : `, cell ${cell}`);
  const place = scope === "cursor" ? "Nothing is selected. The cursor is in" : "The question is about";
  const facts = [`File ${file} (${languageId}, ${texts.length} lines).`];
  facts.push(
    lines.start === lines.end
      ? `The question is about the place before line ${lines.start + 1}.`
      : `${place} ${nameOf(lines)}:`,
    fenced(texts.slice(lines.start, lines.end), languageId),
  );
  if (selected !== undefined)
    facts.push(`Of these, the following is selected:\n${fenced(selected.split("\n"), languageId)}`);
  if (diagnostics.length > 0) {
    const where = scope === "cursor" ? "in this file" : "on these lines";
    facts.push(`Problems reported ${where}:\n${diagnosticList(diagnostics).join("\n")}`);
  }
  return facts.join("\n\n");
}

/** Outline, imports and surrounding lines, nearest first, in at most `budget` tokens; and which lines these are. */
function surroundings(code: CodeContext, budget: number): { readonly text: string; readonly shown: LineRange } {
  const { lines, texts } = code;
  // Headings and fences around the lines count too.
  let remaining = budget - estimateTokens(describe(code, [""], [""], [""], [""])) - longerFences;
  const fits = (text: string, reserved = 0): boolean => {
    const cost = estimateTokens(`${text}\n`);
    if (cost > remaining - reserved) return false;
    remaining -= cost;
    return true;
  };
  const imports = texts
    .slice(0, Math.min(importLines, lines.start))
    .filter((text) => importPattern.test(text) && fits(text));
  const reserved = Math.max(0, remaining - budget * outlineShare);
  const outline = code.outline
    .map((line) => `${line + 1}: ${cutText(texts[line]?.trim() ?? "", maxHeadingLength)}`)
    .filter((text) => fits(text, reserved));
  let { start, end } = lines;
  for (let [isUp, isDown] = [true, true]; isUp || isDown;) {
    isUp &&= start > 0 && fits(texts[start - 1] ?? "");
    if (isUp) start -= 1;
    isDown &&= end < texts.length && fits(texts[end] ?? "");
    if (isDown) end += 1;
  }
  const isAll = start === 0 && end === texts.length;
  const [above, below] = [texts.slice(start, lines.start), texts.slice(lines.end, end)];
  return { text: describe(code, isAll ? [] : outline, imports, above, below), shown: { start, end } };
}

function describe(
  { languageId, lines }: CodeContext,
  outline: readonly string[],
  imports: readonly string[],
  above: readonly string[],
  below: readonly string[],
): string {
  const first = lines.start - above.length;
  const parts: string[] = [];
  if (outline.length > 0) parts.push(`Outline of the file, with line numbers:\n${fenced(outline, languageId)}`);
  if (imports.length > 0 && first > 0) parts.push(`Imports of the file:\n${fenced(imports, languageId)}`);
  if (above.length > 0)
    parts.push(`Before, ${nameOf({ start: first, end: lines.start })}:\n${fenced(above, languageId)}`);
  if (below.length > 0) {
    parts.push(`After, ${nameOf({ start: lines.end, end: lines.end + below.length })}:\n${fenced(below, languageId)}`);
  }
  return parts.join("\n\n");
}

function nameOf({ start, end }: LineRange): string {
  return end - start === 1 ? `line ${end}` : `lines ${start + 1} to ${end}`;
}

/** How the lines of a question were chosen. An empty document counts as a symbol. */
export type TargetScope = "selection" | "symbol" | "cursor";

/** The code that a question is about. Line numbers are zero-based. */
export interface CodeContext {
  /** Path relative to the workspace, by which answers name the file. */
  readonly path: string;
  /** The number of the cell in a notebook, from one. */
  readonly cell: number | undefined;
  readonly languageId: string;
  readonly lines: LineRange;
  readonly scope: TargetScope;
  /** First lines of the file's symbols, in order. */
  readonly outline: readonly number[];
  /** The selected text, if it is only a part of the lines. */
  readonly selected: string | undefined;
  /** The most severe first. */
  readonly diagnostics: readonly Diagnostic[];
  /** Whether the answer may change the code. */
  readonly canEdit: boolean;
  /** Whether only the target lines may be sent. */
  readonly sendsOnlyTarget?: boolean;
  /** All lines of the file. */
  readonly texts: readonly string[];
}

/** Maximum number of lines that the model is asked to replace as a whole. More would cost too many tokens. */
export const maxReplaced = 400;

/** The rules for an answer: how it may change the file. */
function rulesFor(code: CodeContext): string {
  const rules = [
    "You are Codex, asked from inside a code editor about a file. Answer briefly, in Markdown, in the language of the question.",
  ];
  // A few selected lines are replaced as a whole.
  const isReplaced = code.scope !== "cursor" && code.lines.end - code.lines.start <= maxReplaced;
  if (!code.canEdit) rules.push("The file cannot be changed. Explain, and show code only as an example.");
  else if (isReplaced) rules.push(...replaceRules(code));
  else rules.push("When the answer changes the file, give one small block for each place:", ...blockRules(code));
  if (code.canEdit) rules.push("Never repeat the whole file. When nothing is to be changed, write no such block.");
  return rules.join("\n\n");
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

function fenceOf({ lines, languageId, texts }: CodeContext): string {
  return fenceFor(texts.slice(lines.start, lines.end), languageId);
}

/** A fence for these lines: longer than any in them, and of at least four backticks in Markdown. */
export function fenceFor(lines: readonly string[], languageId = ""): string {
  return fenceAround(lines, /markdown|mdx|quarto/.test(languageId) ? 4 : 3);
}

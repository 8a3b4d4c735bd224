import type { ChatMessage } from "../gateway/types.ts";
import { estimateTokens } from "../text/estimateTokens.ts";
import { type Exchange, fitHistory } from "../text/fitHistory.ts";
import type { LineRange } from "../text/lineRange.ts";
import { oneLine } from "../text/lines.ts";
import { fenceAround } from "../text/markdown.ts";
import type { CodeContext } from "./codeContext.ts";
import { problemList } from "./problemList.ts";
import { rulesFor } from "./promptRules.ts";

/** One earlier question with its answer. */
interface EarlierExchange extends Exchange {
  /** What became of the answer's change; may be empty. */
  readonly outcome: string;
}

/** The messages of a question, and the lines of the document that they quote. */
export interface CodePrompt {
  readonly messages: readonly ChatMessage[];
  readonly shown: LineRange;
}

/** Maximum tokens of surrounding lines, imports and outline together. Without chosen lines, any of the file may matter. */
const mostAround = { selection: 6_000, symbol: 6_000, cursor: 24_000 };
/** Maximum part of these for the outline. */
const outlineShare = 0.2;
/** Room for fences that are longer than three backticks, in tokens. */
const longerFences = 10;
/** Number of lines at the top of a file that are searched for imports. */
const importLines = 200;
/** The most characters of a line of the outline. */
const longestHeading = 500;

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
  const asked = [earlier.at(-1)?.outcome ?? "", codePart(code), question].filter((part) => part !== "").join("\n\n");
  let left = budget - estimateTokens(rules) - estimateTokens(asked);
  if (left < 0) return undefined;
  const around = surroundings(code, Math.min(left, mostAround[code.scope]));
  left -= estimateTokens(around.text);
  const messages: readonly ChatMessage[] = [
    { role: "system", content: rules },
    ...fitHistory(earlier, left),
    { role: "user", content: around.text === "" ? asked : `${around.text}\n\n${asked}` },
  ];
  return { messages, shown: around.shown };
}

/** The code with its diagnostics and selection. */
function codePart(code: CodeContext): string {
  const { path, cell, languageId, lineCount, lines, scope, selected, diagnostics } = code;
  const file = oneLine(path) + (cell === undefined ? "" : `, cell ${cell}`);
  const place = scope === "cursor" ? "Nothing is selected. The cursor is in" : "The question is about";
  const facts = [`File ${file} (${languageId}, ${lineCount} lines).`];
  facts.push(
    lines.start === lines.end
      ? `The question is about the place before line ${lines.start + 1}.`
      : `${place} ${nameOf(lines)}:`,
    fenced(textsOf(code, lines), languageId),
  );
  if (selected !== undefined)
    facts.push(`Of these, the following is selected:\n${fenced(selected.split("\n"), languageId)}`);
  if (diagnostics.length > 0) {
    facts.push(`Problems reported on these lines:\n${problemList(diagnostics).join("\n")}`);
  }
  return facts.join("\n\n");
}

/** Outline, imports and surrounding lines, nearest first, in at most `budget` tokens; and which lines these are. */
function surroundings(code: CodeContext, budget: number): { readonly text: string; readonly shown: LineRange } {
  const above: string[] = [];
  const below: string[] = [];
  // Headings and fences around the lines count too.
  let left = budget - estimateTokens(describe(code, [""], [""], [""], [""])) - longerFences;
  const take = (line: number, add: (text: string) => void): boolean => {
    const text = code.textOf(line);
    const cost = estimateTokens(`${text}\n`);
    if (cost > left) return false;
    left -= cost;
    add(text);
    return true;
  };
  const imports: string[] = [];
  for (let line = 0; line < Math.min(importLines, code.lines.start); line += 1) {
    if (importPattern.test(code.textOf(line))) take(line, (text) => imports.push(text));
  }
  const outline = takeOutline(code, Math.min(left, budget * outlineShare));
  left -= estimateTokens(outline.join("\n"));
  let up = code.lines.start - 1;
  let down = code.lines.end;
  while (up >= 0 || down < code.lineCount) {
    if (up >= 0) up = take(up, (text) => above.unshift(text)) ? up - 1 : -1;
    if (down < code.lineCount) down = take(down, (text) => below.push(text)) ? down + 1 : code.lineCount;
  }
  const isAll = up < 0 && above.length === code.lines.start && below.length === code.lineCount - code.lines.end;
  return {
    text: describe(code, isAll ? [] : outline, imports, above, below),
    shown: { start: code.lines.start - above.length, end: code.lines.end + below.length },
  };
}

/** As many of the symbols' first lines as fit, with their numbers. */
function takeOutline({ outline, textOf }: CodeContext, budget: number): readonly string[] {
  let left = budget;
  return outline
    .map((line) => `${line + 1}: ${textOf(line).trim().slice(0, longestHeading)}`)
    .filter((text) => {
      const cost = estimateTokens(`${text}\n`);
      if (cost > left) return false;
      left -= cost;
      return true;
    });
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

function textsOf({ textOf }: Pick<CodeContext, "textOf">, { start, end }: LineRange): readonly string[] {
  return Array.from({ length: end - start }, (_, index) => textOf(start + index));
}

function nameOf({ start, end }: LineRange): string {
  return end - start === 1 ? `line ${end}` : `lines ${start + 1} to ${end}`;
}

function fenced(lines: readonly string[], languageId: string): string {
  const fence = fenceAround(lines);
  return [fence + languageId, ...lines, fence].join("\n");
}

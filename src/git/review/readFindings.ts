import { asObject, asText, parseStart } from "../../base/json.ts";
import { beginningOf, hasText, splitLines } from "../../text/lines.ts";
import { withoutReasoning } from "../../prompts/answerTags.ts";

/** The tag around the findings. */
export const findingsTag = "findings";

/** What a finding is about, and how bad it is, the worst first. */
const kinds = ["bug", "improvement"] as const;
const severities = ["high", "medium", "low"] as const;
export type FindingKind = (typeof kinds)[number];
export type Severity = (typeof severities)[number];

/** A finding as the model wrote it, unchecked. */
export interface ReportedFinding {
  readonly file: string;
  /** The first and last line, from 1, if it names any. */
  readonly lines: { readonly first: number; readonly last: number } | undefined;
  /** The line of code that it is about, if it quotes one. */
  readonly quote: string;
  readonly kind: FindingKind;
  readonly severity: Severity;
  readonly title: string;
  readonly text: string;
}

/** The content of an answer. */
export interface ReadAnswer {
  readonly findings: readonly ReportedFinding[];
  /** The lines that are not read as findings; empty if they only say that there are none. */
  readonly others: string;
}

/** Maximum number of findings that are read; the rest are text. The prompt asks for 20. */
const maxFindings = 50;

/** Maximum lengths, in characters. */
export const maxAnswerLength = 100_000;
const maxTitleLength = 200;
const maxTextLength = 3_000;
const maxQuoteLength = 1_000;
const maxOthersLength = 20_000;

/** Maximum length of a finding as JSON, in characters, and maximum number of other objects that are parsed. */
const maxLength = 20_000;
const maxParsed = 50;

const none = /^\W{0,10}no[ _]findings\W{0,10}$/i;
/** A line that only wraps findings: a fence, a tag, or the name of a list in an object. */
const wrapper = /^\s{0,10}(?:`{3,}|~{3,}|<\/?[\w-]{1,40}>\s{0,10}$|\{?\s{0,10}"\w{1,40}"\s{0,10}:[\s[\]{},]{0,20}$)/;
/** What a list has before an item. */
const marker = /(?:^|\n)[ \t]{0,10}(?:[-*•]|\d{1,3}[.)])[ \t`]{0,10}$/;

/** Reads the findings in an answer: JSON objects, whatever is between them or around them. */
export function readFindings(answer: string): ReadAnswer {
  const answered = withoutReasoning(answer.slice(0, maxAnswerLength));
  const tag = `<${findingsTag}>`;
  const [start, close] = [answered.indexOf(tag), answered.lastIndexOf(`</${findingsTag}>`)];
  // Each finding may have tags of its own.
  const text = start < 0 ? answered : answered.slice(start + tag.length, close > start ? close : undefined);
  const findings: ReportedFinding[] = [];
  const between: string[] = [];
  const opening = /\{\s*"/g;
  let end = 0;
  let parsed = 0;
  for (let at = opening.exec(text)?.index; at !== undefined; at = opening.exec(text)?.index) {
    if (findings.length === maxFindings || parsed === maxParsed) break;
    const piece = text.slice(at, at + maxLength);
    const { value: strict, rest } = parseStart(piece);
    const value = strict ?? parseStart(escaped(piece.slice(0, piece.length - rest.length))).value;
    const finding = findingOf(value);
    if (finding === undefined) {
      parsed += 1;
      continue;
    }
    findings.push(finding);
    between.push(text.slice(end, at).replace(marker, ""));
    end = at + piece.length - rest.length;
    opening.lastIndex = end;
  }
  const lines = splitLines([...between, text.slice(end)].join("\n"));
  const others = lines.filter((line) => /[\p{L}\p{N}]/u.test(line) && !wrapper.test(line)).join("\n");
  return { findings, others: none.test(others) ? "" : beginningOf(others, maxOthersLength) };
}

/** JSON with the escapes that models forget in the strings that quote code: of tabs, line breaks, and backslashes. */
function escaped(json: string): string {
  return json.replace(/"(?:[^"\\]|\\[^])*"/g, (string) =>
    string
      .replace(/\\(["\\/bfnrtu]?)/g, (found, escape) => (escape === "" ? "\\\\" : found))
      .replace(/[\t\r\n]/g, (found) => JSON.stringify(found).slice(1, -1)),
  );
}

function findingOf(value: unknown): ReportedFinding | undefined {
  const json = asObject(value) ?? {};
  const field = (name: string): string => asText(json[name])?.trim() ?? "";
  const firstLine = (text: string): string => splitLines(text).find(hasText)?.trim() ?? "";
  const [file, text, quote] = [field("file"), field("text"), firstLine(field("code"))];
  const [title = ""] = [field("title"), text].map(firstLine).filter(hasText);
  const lines = linesOf(json.line);
  if (file === "" || title === "" || (lines === undefined && quote === "")) return undefined;
  return {
    file,
    lines,
    quote: quote.slice(0, maxQuoteLength),
    kind: kinds.find((kind) => kind === field("kind").toLowerCase()) ?? "improvement",
    severity: severities.find((severity) => severity === field("severity").toLowerCase()) ?? "medium",
    title: beginningOf(title, maxTitleLength),
    text: beginningOf(text, maxTextLength),
  };
}

/** The lines that a number names, a text such as `12-14`, or a list of two numbers. */
function linesOf(value: unknown): ReportedFinding["lines"] {
  const [first, last = first, ...more] = JSON.stringify(value ?? "").match(/\d+/g) ?? [];
  if (first === undefined || more.length > 0) return undefined;
  return { first: Number(first), last: Math.max(Number(first), Number(last)) };
}

import { asObject, asText, parseJson } from "../../base/json.ts";
import { beginningOf, hasText, splitLines } from "../../text/lines.ts";
import { insideTags, withoutReasoning } from "../../prompts/answerTags.ts";

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

const none = /^\W{0,10}no[ _]findings\W{0,10}$/i;
const fence = /^\s{0,10}(?:`{3,}|~{3,})/;

/** Reads the findings in an answer: one JSON object a line, a list of them, or only one. */
export function readFindings(answer: string): ReadAnswer {
  const answered = withoutReasoning(answer.slice(0, maxAnswerLength));
  const lines = splitLines(insideTags(answered, findingsTag) ?? answered).filter(
    (line) => hasText(line) && !fence.test(line),
  );
  const whole = parseJson(lines.join("\n"));
  const list = [asObject(whole)?.findings ?? whole].flat();
  const parts = whole === undefined ? lines : list.map((part) => JSON.stringify(part));
  const findings: ReportedFinding[] = [];
  const others: string[] = [];
  for (const part of parts) {
    const finding = findings.length < maxFindings ? findingOf(part) : undefined;
    if (finding) findings.push(finding);
    else if (/[\p{L}\p{N}]/u.test(part)) others.push(part);
  }
  const text = others.join("\n");
  return { findings, others: none.test(text) ? "" : beginningOf(text, maxOthersLength) };
}

function findingOf(part: string): ReportedFinding | undefined {
  // Most lines of an answer in another format are no JSON, and errors of the parser are slow.
  const json = asObject(part.trimStart().startsWith("{") ? parseJson(part.replace(/,\s*$/, "")) : undefined) ?? {};
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

import { beginningOf, splitLines } from "../../text/lines.ts";

/** What a finding is about. */
export type FindingKind = "bug" | "improvement";

/** How bad it is. */
export type Severity = "high" | "medium" | "low";

/** A finding as the model wrote it. Nothing in it is checked yet. */
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

/** What an answer says. */
export interface ReadAnswer {
  readonly findings: readonly ReportedFinding[];
  /** Parts that are no finding in the expected form. */
  readonly others: readonly string[];
  /** Number of parts that are too many to be read. */
  readonly left: number;
  /** Whether it says that there is nothing to find. */
  readonly saysNone: boolean;
}

/** Maximum number of findings, and maximum lengths in characters. */
const mostFindings = 50;
const longestAnswer = 100_000;
const longestTitle = 200;
const longestText = 3_000;
const longestQuote = 1_000;

const begin = /^[\s#*_>-]{0,10}FINDING\b[\s\d#*_:.)-]{0,20}$/;
const end = /^[\s#*_>-]{0,10}END(?: FINDING)?[\s*_.]{0,10}$/;
const none = /^[\s#*_>-]{0,10}NO[ _]FINDINGS[\s*_.]{0,10}$/i;
const field = /^[\s*_>-]{0,10}(file|path|lines?|kind|type|severity|code|title|text)[*_]{0,3}\s{0,3}[:：](.*)$/i;
const fence = /^\s{0,10}(?:`{3,}|~{3,})/;

/** Other words for a field. */
const fieldNames: Readonly<Record<string, string>> = { path: "file", lines: "line", type: "kind" };

/** Reads the findings in an answer, one block of fields each. Nothing that is missing is guessed; the rest is returned as text. */
export function readFindings(answer: string): ReadAnswer {
  const findings: ReportedFinding[] = [];
  const others: string[] = [];
  let left = 0;
  const lines = splitLines(answer.slice(0, longestAnswer));
  for (const block of blocksOf(lines.filter((line) => !none.test(line)))) {
    // Code that a finding quotes may have such a line too.
    const last = block.findLastIndex((line) => end.test(line));
    const body = block.slice(0, last < 0 ? undefined : last);
    const finding = findingOf(body);
    const texts = [...(finding ? [] : [body]), last < 0 ? [] : block.slice(last + 1)]
      .map((part) => part.join("\n").trim())
      .filter((text) => /[^-*_=`~\s]/.test(text));
    for (const part of [...(finding ? [finding] : []), ...texts]) {
      if (findings.length + others.length >= mostFindings) left += 1;
      else if (typeof part === "string") others.push(beginningOf(part, longestText));
      else findings.push(part);
    }
  }
  const saysNone = findings.length + others.length === 0 && lines.some((line) => none.test(line));
  return { findings, others, left, saysNone };
}

/** The lines between marks. Without its mark, a finding begins where a file and a line follow each other again. */
function blocksOf(lines: readonly string[]): readonly (readonly string[])[] {
  const blocks: string[][] = [[]];
  let hasFile = false;
  for (const [index, line] of lines.entries()) {
    const isMark = begin.test(line);
    const isFile = fieldOf(line)?.name === "file";
    if (isMark || (isFile && hasFile && fieldOf(lines[index + 1] ?? "")?.name === "line")) {
      blocks.push([]);
      hasFile = false;
    }
    hasFile ||= isFile;
    if (!isMark) blocks.at(-1)?.push(line);
  }
  return blocks;
}

function fieldOf(line: string): { readonly name: string; readonly value: string } | undefined {
  const [, word, value = ""] = field.exec(line) ?? [];
  if (word === undefined) return undefined;
  const name = word.toLowerCase();
  return { name: fieldNames[name] ?? name, value: withoutMarks(value) };
}

function findingOf(lines: readonly string[]): ReportedFinding | undefined {
  const fields = new Map<string, string[]>();
  let last = "";
  for (const line of lines) {
    // The text comes last, and may look like fields.
    const found = last === "text" ? undefined : fieldOf(line);
    if (found && !fields.has(found.name)) {
      fields.set(found.name, [found.value]);
      last = found.name;
    } else fields.get(last)?.push(line);
  }
  const value = (name: string): string => (fields.get(name) ?? []).join("\n").trim();
  const [, file = "", suffix = ""] =
    /^(.*?)(?:(?::|#L)(\d{1,7}(?:-L?\d{1,7})?))?$/s.exec(unquoted(value("file"))) ?? [];
  const text = value("text");
  const title = [value("title"), text].flatMap((words) => words.split("\n")).find((line) => line !== "") ?? "";
  const quote = (fields.get("code") ?? []).map(unquoted).find((line) => line !== "" && !fence.test(line)) ?? "";
  const place = linesOf(value("line")) ?? linesOf(suffix);
  if (file === "" || title === "" || (place === undefined && quote === "")) return undefined;
  return {
    file: unquoted(file),
    lines: place,
    quote,
    kind: kindOf(value("kind")),
    severity: severityOf(value("severity")),
    title: beginningOf(withoutMarks(title), longestTitle),
    text: beginningOf(text, longestText),
  };
}

function linesOf(value: string): ReportedFinding["lines"] {
  const [, from, to] = /^\D{0,10}?(\d{1,7})(?:\s?(?:-|–|—|to|,)\s?L?(\d{1,7}))?(?!\d)/.exec(value) ?? [];
  if (from === undefined) return undefined;
  const first = Number(from);
  return { first, last: Math.max(first, Number(to ?? from)) };
}

function kindOf(value: string): FindingKind {
  return /bug|error|defect|correct|secur|vulnerab|crash|leak|race|regress/i.test(value) ? "bug" : "improvement";
}

function severityOf(value: string): Severity {
  if (/high|critical|blocker|major|severe/i.test(value)) return "high";
  return /low|minor|trivial|nit|info/i.test(value) ? "low" : "medium";
}

/** A value without the emphasis around it. */
function withoutMarks(value: string): string {
  return value
    .trim()
    .replace(/^[*_]{1,3}(?=\s|$)/, "")
    .trim();
}

/** A path or line of code without the backticks around it. */
function unquoted(value: string): string {
  const trimmed = value.trim().slice(0, longestQuote);
  const inner = /^(`+) ?(.*?) ?\1$/s.exec(trimmed)?.[2];
  return inner === undefined || inner === "" ? trimmed : inner;
}

import { beginningOf, splitLines } from "../../text/lines.ts";
import type { FindingKind, ReportedFinding, Severity } from "./finding.ts";

/** What an answer says. */
export interface ReadAnswer {
  readonly findings: readonly ReportedFinding[];
  /** Parts that are no finding in the expected form. */
  readonly others: readonly string[];
  /** Number of findings that are too many to be read. */
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

type Field = "file" | "line" | "kind" | "severity" | "code" | "title" | "text";

/** The part of an answer that is being read. */
interface Block {
  readonly lines: string[];
  readonly fields: Map<Field, string[]>;
  last: Field | undefined;
}

const begin = /^[\s#*_>-]{0,10}FINDING\b[\s\d#*_:.)-]{0,20}$/;
const end = /^[\s#*_>-]{0,10}END(?: FINDING)?[\s*_.]{0,10}$/;
const none = /^[\s#*_>-]{0,10}NO[ _]FINDINGS[\s*_.]{0,10}$/i;
const field = /^[\s*_>-]{0,10}(file|path|lines?|kind|type|severity|code|title|text)[*_]{0,3}\s{0,3}[:：](.*)$/i;
const fence = /^\s{0,10}(?:`{3,}|~{3,})/;

const fieldNames: Readonly<Record<string, Field>> = { path: "file", lines: "line", type: "kind" };

/**
 * Reads the findings in an answer, one block of fields each. Models leave out marks and add decoration: whatever is
 * missing, nothing is guessed, and what cannot be read is returned as text.
 */
export function readFindings(answer: string): ReadAnswer {
  const reader = new AnswerReader();
  const lines = splitLines(answer.slice(0, longestAnswer));
  for (const [index, line] of lines.entries()) reader.add(line, lines[index + 1] ?? "");
  return reader.finish();
}

class AnswerReader {
  readonly #findings: ReportedFinding[] = [];
  readonly #others: string[] = [];
  #block = emptyBlock();
  #isInFence = false;
  #left = 0;
  #saysNone = false;

  add(line: string, next: string): void {
    const begins = begin.test(line) || beginsUnmarked(line, next, this.#block);
    if (this.#isInFence && !begins) {
      if (fence.test(line)) this.#isInFence = false;
      this.#append(line);
    } else if (begins || end.test(line)) {
      this.#flush();
      if (field.test(line)) this.#append(line);
    } else if (none.test(line)) this.#saysNone = true;
    else {
      if (fence.test(line)) this.#isInFence = true;
      this.#append(line);
    }
  }

  finish(): ReadAnswer {
    this.#flush();
    const { length } = this.#findings;
    return {
      findings: this.#findings,
      others: this.#others,
      left: this.#left,
      saysNone: this.#saysNone && length === 0 && this.#others.length === 0,
    };
  }

  #append(line: string): void {
    const block = this.#block;
    block.lines.push(line);
    const found = this.#isInFence || block.last === "text" ? undefined : field.exec(line);
    const word = found?.[1]?.toLowerCase() ?? "";
    const name = found && (fieldNames[word] ?? (word as Field));
    if (name !== undefined && name !== null && !block.fields.has(name)) {
      block.fields.set(name, [withoutMarks(found?.[2] ?? "")]);
      block.last = name;
    } else if (block.last) block.fields.get(block.last)?.push(line);
  }

  #flush(): void {
    const block = this.#block;
    this.#block = emptyBlock();
    this.#isInFence = false;
    const text = block.lines.join("\n").trim();
    const finding = findingOf(block);
    if (text === "" || /^[-*_=`~\s]+$/.test(text)) return;
    if (this.#findings.length + this.#others.length >= mostFindings) this.#left += 1;
    else if (finding) this.#findings.push(finding);
    else this.#others.push(beginningOf(text, longestText));
  }
}

function emptyBlock(): Block {
  return { lines: [], fields: new Map(), last: undefined };
}

/** Whether a finding begins without its mark: its file and its line follow each other. */
function beginsUnmarked(line: string, next: string, { fields }: Block): boolean {
  return fields.has("file") && nameOf(line) === "file" && nameOf(next) === "line";
}

function nameOf(line: string): Field | undefined {
  const word = field.exec(line)?.[1]?.toLowerCase();
  return word === undefined ? undefined : (fieldNames[word] ?? (word as Field));
}

function findingOf({ fields }: Block): ReportedFinding | undefined {
  const value = (name: Field): string => (fields.get(name) ?? []).join("\n").trim();
  const [, file = "", suffix = ""] =
    /^(.*?)(?:(?::|#L)(\d{1,7}(?:-L?\d{1,7})?))?$/s.exec(unquoted(value("file"))) ?? [];
  const text = value("text");
  const title = [value("title"), text].flatMap((words) => words.split("\n")).find((line) => line !== "") ?? "";
  const quote = (fields.get("code") ?? []).map(unquoted).find((line) => line !== "" && !fence.test(line)) ?? "";
  const lines = linesOf(value("line")) ?? linesOf(suffix);
  if (file === "" || title === "" || (lines === undefined && quote === "")) return undefined;
  return {
    file: unquoted(file),
    lines,
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

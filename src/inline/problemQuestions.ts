import { DiagnosticSeverity, l10n, type Range, type TextDocument } from "vscode";
import { withoutRoots } from "../reading/promptPaths.ts";
import { maskParts } from "../text/maskSecrets.ts";
import type { Diagnostic } from "./codeContext.ts";
import type { Question } from "./codeTarget.ts";
import { allTexts, rangeOf } from "./documentCode.ts";
import { fixableProblems } from "./documentProblems.ts";
import { problemList } from "./problemList.ts";
import { mostReplaced } from "./promptRules.ts";
import type { Target } from "./target.ts";
import { linesAround, mostUrgent } from "./urgentProblems.ts";

/** Asks for a fix of errors that a change has brought to a document. */
export function newProblemsQuestion(document: TextDocument, problems: readonly Diagnostic[]): Question {
  const shown = l10n.t("Fix the new problems.");
  const mask = maskParts(allTexts(document));
  const listed = problems.map((problem) => ({ ...problem, message: mask(problem.message) }));
  return { shown, prompt: [shown, "", "Errors that the change has brought:", ...problemList(listed)].join("\n") };
}

/**
 * Asks about all errors and warnings of a document, those nearest to a range first. Where they are close to each other,
 * the question is about the lines around them; otherwise, it is about the file and lists them.
 */
export function allProblemsTarget(document: TextDocument, { start }: Range): Target | undefined {
  const problems = mostUrgent(fixableProblems(document), start.line);
  const [first] = problems;
  if (!first) return undefined;
  const { uri } = document;
  const shown = l10n.t("Fix all errors and warnings in this file.");
  const lines = linesAround(problems);
  if (lines.end - lines.start <= mostReplaced) {
    return { uri, range: rangeOf(document, lines), question: { shown, prompt: shown } };
  }
  const mask = maskParts(allTexts(document));
  const listed = problems.map(({ range, severity, message }) => {
    return {
      line: range.start.line,
      severity: DiagnosticSeverity[severity].toLowerCase(),
      message: mask(withoutRoots(message)),
    };
  });
  const prompt = [shown, "", "Problems reported in this file:", ...problemList(listed)].join("\n");
  return { uri, range: first.range.with({ end: first.range.start }), isAboutFile: true, question: { shown, prompt } };
}

import { type Diagnostic, DiagnosticSeverity, languages, type TextDocument } from "vscode";
import { withoutRoots } from "../reading/promptPaths.ts";
import type { Problem } from "./newProblems.ts";

/** The problems of a document that are at least this severe, from top to bottom. */
export function problemsIn({ uri }: TextDocument, least: DiagnosticSeverity): readonly Problem[] {
  return languages
    .getDiagnostics(uri)
    .filter(({ severity }) => severity <= least)
    .toSorted((one, other) => one.range.start.compareTo(other.range.start))
    .map(({ range, severity, message, source = "", code }) => ({
      line: range.start.line,
      severity: DiagnosticSeverity[severity].toLowerCase(),
      message: withoutRoots(message),
      source,
      code: codeText(code),
    }));
}

/** The errors and warnings of a document. */
export function fixableProblems({ uri }: TextDocument): readonly Diagnostic[] {
  return languages.getDiagnostics(uri).filter(({ severity }) => severity <= DiagnosticSeverity.Warning);
}

function codeText(code: Diagnostic["code"]): string {
  return String(typeof code === "object" ? code.value : (code ?? ""));
}

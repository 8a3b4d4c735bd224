import {
  CodeAction,
  CodeActionKind,
  type CodeActionContext,
  type CodeActionProvider,
  type Diagnostic,
  DiagnosticSeverity,
  type Disposable,
  l10n,
  languages,
  type Range,
  type TextDocument,
  workspace,
} from "vscode";
import { diffScheme, editScheme, prefix } from "../manifest.ts";

/** The tasks offered as code actions. */
export type InlineTask = "explain" | "fix" | "tests" | "doc";

/** The task that is about the problems of a whole file. */
export type FileTask = "fixAll";

/** Offers Fix on problems, for all of a file as well, and Explain, Write Tests and Document on a selection. */
export function registerCodeActions(): Disposable {
  const provider: CodeActionProvider = { provideCodeActions };
  const providedCodeActionKinds = [CodeActionKind.QuickFix, kind];
  return languages.registerCodeActionsProvider("*", provider, { providedCodeActionKinds });
}

const kind = CodeActionKind.RefactorRewrite.append("codex");

function provideCodeActions(document: TextDocument, range: Range, { diagnostics }: CodeActionContext): CodeAction[] {
  const isOff = workspace.getConfiguration("chat").get("disableAIFeatures") === true;
  if (isOff || document.uri.scheme === diffScheme || document.uri.scheme === editScheme) return [];
  const actions: CodeAction[] = [];
  const [first] = diagnostics;
  if (first) {
    const whole = diagnostics.reduce((union, diagnostic) => union.union(diagnostic.range), first.range);
    const fix = action("fix", l10n.t("Fix with Codex"), CodeActionKind.QuickFix, document, range.union(whole));
    fix.diagnostics = [...diagnostics];
    actions.push(fix);
    if (fixableDiagnostics(document).length > 1) {
      actions.push(
        action("fixAll", l10n.t("Fix All Problems in File with Codex"), CodeActionKind.QuickFix, document, range),
      );
    }
  }
  if (!range.isEmpty) {
    actions.push(
      action("explain", l10n.t("Explain with Codex"), kind, document, range),
      action("tests", l10n.t("Write Tests with Codex"), kind, document, range),
      action("doc", l10n.t("Document with Codex"), kind, document, range),
    );
  }
  return actions;
}

function action(
  task: InlineTask | FileTask,
  title: string,
  kind: CodeActionKind,
  { uri }: TextDocument,
  range: Range,
): CodeAction {
  const offered = new CodeAction(title, kind);
  offered.command = { command: `${prefix}.inlineChat`, title, arguments: [{ task, uri, range }] };
  return offered;
}

/** The errors and warnings of a document. */
export function fixableDiagnostics({ uri }: TextDocument): readonly Diagnostic[] {
  return languages.getDiagnostics(uri).filter(({ severity }) => severity <= DiagnosticSeverity.Warning);
}

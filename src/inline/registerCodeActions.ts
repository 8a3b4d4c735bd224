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
import type { Task } from "../prompts/tasks.ts";

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
  const action = (task: Task | "fixAll", title: string, kind: CodeActionKind, about = range): CodeAction => {
    const offered = new CodeAction(title, kind);
    const target = { task, uri: document.uri, range: about };
    offered.command = { command: `${prefix}.inlineChat`, title, arguments: [target] };
    return offered;
  };
  const actions: CodeAction[] = [];
  if (diagnostics.length > 0) {
    const whole = diagnostics.reduce((union, diagnostic) => union.union(diagnostic.range), range);
    const fix = action("fix", l10n.t("Fix with Codex"), CodeActionKind.QuickFix, whole);
    fix.diagnostics = [...diagnostics];
    actions.push(fix);
    if (fixableDiagnostics(document).length > 1) {
      actions.push(action("fixAll", l10n.t("Fix All Problems in File with Codex"), CodeActionKind.QuickFix));
    }
  }
  if (!range.isEmpty) {
    actions.push(
      action("explain", l10n.t("Explain with Codex"), kind),
      action("tests", l10n.t("Write Tests with Codex"), kind),
      action("doc", l10n.t("Document with Codex"), kind),
    );
  }
  return actions;
}

/** The errors and warnings of a document. */
export function fixableDiagnostics({ uri }: TextDocument): readonly Diagnostic[] {
  return languages.getDiagnostics(uri).filter(({ severity }) => severity <= DiagnosticSeverity.Warning);
}

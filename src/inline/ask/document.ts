import {
  DiagnosticSeverity,
  FilePermission,
  languages,
  type Range,
  Selection,
  type TextDocument,
  type Uri,
  workspace,
} from "vscode";
import { UserError } from "../../failures/userError.ts";
import { mostUrgent, withoutQuotes } from "../../problems/diagnostics.ts";
import { described } from "../../problems/errorWatch.ts";
import { type DenialReason, denialTexts, type FileGate } from "../../reading/fileGate.ts";
import { nameInRequests } from "../../reading/promptPaths.ts";
import { hasTooManyLines } from "../../text/lines.ts";
import { codeEditor, rangeOf, showInTextEditor } from "../../ui/editors.ts";
import { cellOf, declarationsIn } from "../../ui/openDocument.ts";
import type { WindowSecrets } from "../../text/secrets/windowSecrets.ts";
import type { CodeContext } from "./prompt.ts";
import { type NamedRange, targetLines } from "./targetLines.ts";

/** The code of a conversation. */
export interface CodeTarget extends Pick<CodeContext, "lines" | "scope" | "selected" | "canEdit"> {
  readonly document: TextDocument;
  /** Whether the user has selected the lines in an editor. Code actions and other extensions give a range of their own. */
  readonly isSelected?: boolean;
}

/** A question: the text its thread shows, and the prompt for the model. */
export interface Question {
  readonly shown: string;
  readonly prompt: string;
  /** Called when a change of the answer is applied, and when it is undone as a whole. */
  readonly applied?: (isApplied: boolean) => void;
}

/** All lines of a document. Never called while the user types, because documents can be long. */
export function allTexts(document: TextDocument): readonly string[] {
  return Array.from({ length: document.lineCount }, (_, line) => document.lineAt(line).text);
}

/** The code context for a question, whose secrets are learned: `texts` are the lines of the document when it was asked. */
export async function readCodeContext(
  { document, lines, scope, selected, canEdit }: CodeTarget,
  texts: readonly string[],
  secrets: Pick<WindowSecrets, "learn" | "linesIn">,
): Promise<CodeContext> {
  const outline = scope === "cursor" ? await outlineOf(document) : [];
  const path = pathOf(document);
  const text = texts.join("\n");
  await secrets.learn(text, path);
  const withSecrets = await secrets.linesIn(text);
  // A part of a secret is not recognized as one.
  const hasSecret = [...withSecrets].some((line) => lines.start <= line && line < lines.end);
  const range = rangeOf(document, lines);
  const reported = languages.getDiagnostics(document.uri);
  const diagnostics =
    scope === "cursor"
      ? mostUrgent(
          reported.filter(({ severity }) => severity <= DiagnosticSeverity.Warning),
          lines.start,
        )
      : reported
          .filter((diagnostic) => range.intersection(diagnostic.range) !== undefined)
          .toSorted((one, other) => one.severity - other.severity);
  const cell = cellOf(document.uri);
  return {
    path,
    cell: cell && cell.index + 1,
    languageId: document.languageId,
    lines,
    scope,
    outline,
    selected: hasSecret ? undefined : selected,
    diagnostics: withoutQuotes(described(diagnostics), withSecrets),
    canEdit,
    texts,
  };
}

/** Why the file of a conversation is denied. The user has opened it, perhaps from outside the workspace. */
export async function denialOf(
  gate: Pick<FileGate, "denied">,
  { document: { uri } }: Pick<CodeTarget, "document">,
): Promise<DenialReason | undefined> {
  return (await gate.denied([uri], { allowsOutside: true })).get(uri);
}

/** Throws a `UserError` unless the lines may be sent: of a denied file, only those that the user has selected may. */
export function requireSelected(
  { isSelected = false }: Pick<CodeTarget, "isSelected">,
  reason: DenialReason | undefined,
): void {
  if (reason !== undefined && !isSelected) throw new UserError("fileDenied", { subject: denialTexts[reason]() });
}

/** Whether a document can be edited. Anything not known to be writable counts as read-only. */
async function isEditable(document: TextDocument): Promise<boolean> {
  const { uri } = cellOf(document.uri)?.notebook ?? document;
  if (uri.scheme === "untitled") return true;
  if (workspace.fs.isWritableFileSystem(uri.scheme) !== true) return false;
  try {
    const { permissions } = await workspace.fs.stat(uri);
    return permissions !== FilePermission.Readonly;
  } catch {
    // A missing file is created when the document is saved.
    return true;
  }
}

/** The path by which answers name a document. For a cell, its notebook's. */
export function pathOf(document: TextDocument): string {
  const { uri } = cellOf(document.uri)?.notebook ?? document;
  return nameInRequests(uri);
}

/** Where to ask, by default the selection of the active editor, and what, by default nothing yet. */
export interface Target {
  readonly uri?: Uri | undefined;
  readonly range?: Range | undefined;
  readonly question?: Question | undefined;
  /** Whether the question is about any part of the file, not only about the symbol around an empty range. */
  readonly isAboutFile?: boolean;
}

/** Maximum wait for document symbols, in milliseconds; language extensions may still be starting. */
const symbolTimeout = 1_000;

/** The code to ask about: the lines of the selection, or of the enclosing symbol when nothing is selected. */
export async function findCodeTarget({ uri, range, isAboutFile = false }: Target): Promise<CodeTarget> {
  const editor = codeEditor();
  const document = uri ? await workspace.openTextDocument(uri) : editor?.document;
  if (!document) throw new UserError("noEditor");
  if (hasTooManyLines(document.getText())) throw new UserError("tooManyLines");
  const asked = range && document.validateRange(range);
  const selection = asked ?? (editor?.document === document ? editor.selection : new Selection(0, 0, 0, 0));
  if (cellOf(document.uri)) await showInTextEditor(document.uri, selection);
  const isBlank = selection.isEmpty && document.getText().trim() === "";
  const symbols =
    selection.isEmpty && !isBlank && !isAboutFile ? await declarationsIn(document.uri, symbolTimeout) : [];
  const lines = isBlank ? { start: 0, end: document.lineCount } : targetLines(selection, symbols);
  const isSymbol = isBlank || lines.end - lines.start > 1;
  const text = document.getText(selection).trim();
  const isPart = text !== "" && text !== document.getText(rangeOf(document, lines)).trim();
  const selected = isPart ? document.getText(selection) : undefined;
  const scope = selection.isEmpty ? (isSymbol ? "symbol" : "cursor") : "selection";
  const own = editor?.document === document ? editor.selection : undefined;
  const isSelected = !selection.isEmpty && own?.contains(selection) === true;
  return { document, lines, scope, selected, isSelected, canEdit: await isEditable(document) };
}

/** The first lines of all symbols of a document, in its order. */
async function outlineOf(document: TextDocument): Promise<readonly number[]> {
  const linesOf = ({ range, children = [] }: NamedRange): readonly number[] => [
    range.start.line,
    ...children.flatMap(linesOf),
  ];
  return [...new Set((await declarationsIn(document.uri, symbolTimeout)).flatMap(linesOf))].toSorted(
    (one, other) => one - other,
  );
}

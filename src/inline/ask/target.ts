import { commands, type Range, Selection, type TextDocument, type Uri, window, workspace } from "vscode";
import { UserError } from "../../failures/userError.ts";
import { cellOf, type CodeTarget, isEditable, type Question, rangeOf, showForThreads } from "./document.ts";
import { type NamedRange, targetLines } from "./targetLines.ts";

/** Where to ask, by default the selection of the active editor, and what, by default nothing yet. */
export interface Target {
  readonly uri?: Uri | undefined;
  readonly range?: Range | undefined;
  readonly question?: Question | undefined;
  /** Whether the question is about any part of the file, not only about the symbol around an empty range. */
  readonly isAboutFile?: boolean;
}

/** Maximum wait for document symbols, in milliseconds; language extensions may still be starting. */
const symbolPatience = 1_000;

/** The code to ask about: the lines of the selection, or of the enclosing symbol when nothing is selected. */
export async function findCodeTarget({ uri, range, isAboutFile = false }: Target): Promise<CodeTarget> {
  const editor = window.activeTextEditor;
  const document = uri ? await workspace.openTextDocument(uri) : editor?.document;
  if (!document) throw new UserError("noEditor");
  const asked = range && document.validateRange(range);
  const selection = asked ?? (editor?.document === document ? editor.selection : new Selection(0, 0, 0, 0));
  if (cellOf(document)) await showForThreads(document.uri, selection);
  const isBlank = selection.isEmpty && document.getText().trim() === "";
  const symbols = selection.isEmpty && !isBlank && !isAboutFile ? await symbolsOf(document) : [];
  const lines = isBlank ? { start: 0, end: document.lineCount } : targetLines(selection, symbols);
  const isSymbol = isBlank || lines.end - lines.start > 1;
  const text = document.getText(selection).trim();
  const isPart = text !== "" && text !== document.getText(rangeOf(document, lines)).trim();
  const selected = isPart ? document.getText(selection) : undefined;
  const scope = selection.isEmpty ? (isSymbol ? "symbol" : "cursor") : "selection";
  return { document, lines, scope, selected, canEdit: await isEditable(document) };
}

/** The first lines of all symbols of a document, in its order. */
export async function outlineOf(document: TextDocument): Promise<readonly number[]> {
  const linesOf = ({ range, children = [] }: NamedRange): readonly number[] => [
    range.start.line,
    ...children.flatMap(linesOf),
  ];
  return [...new Set((await symbolsOf(document)).flatMap(linesOf))].toSorted((one, other) => one - other);
}

async function symbolsOf({ uri }: TextDocument): Promise<readonly NamedRange[]> {
  const asked = commands.executeCommand("vscode.executeDocumentSymbolProvider", uri);
  const tooLate = new Promise<undefined>((resolve) => setTimeout(resolve, symbolPatience, undefined));
  const symbols = await Promise.race([asked, tooLate]);
  return Array.isArray(symbols) ? symbols.filter(isSymbol) : [];
}

/** A `SymbolInformation` is left out: its range need not span the whole symbol (Language Server Protocol 3.17). */
function isSymbol(symbol: unknown): symbol is NamedRange {
  return typeof symbol === "object" && symbol !== null && "range" in symbol && "children" in symbol;
}

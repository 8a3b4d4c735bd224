import { l10n, Selection, type TextDocument, Uri, window, workspace } from "vscode";
import type { PlacedHunk } from "../apply/edit.ts";
import type { EditStore } from "../apply/editStore.ts";
import { isUndecided } from "../apply/hunks.ts";
import { UserError } from "../failures/userError.ts";
import { revealLines, type DocumentLines, focusEditor, isInView, rangeOf, showInTextEditor } from "../ui/editors.ts";

/** The commands on applied hunks, with the titles of their links, which are beside the hunks or their answer. */
export const hunkCommandTitles = {
  keep: () => l10n.t("Keep"),
  undo: () => l10n.t("Undo"),
  keepAll: () => l10n.t("Keep All"),
  undoAll: () => l10n.t("Undo All"),
  nextChange: () => l10n.t("Next"),
  previousChange: () => l10n.t("Previous"),
} satisfies Record<string, () => string>;

export type HunkCommand = keyof typeof hunkCommandTitles;

export function isHunkCommand(name: string): name is HunkCommand {
  return name in hunkCommandTitles;
}

/** The edits, and the answer that a command belongs to: that of its argument, or else the last one of the current conversation. */
interface HunkServices {
  readonly edits: EditStore;
  readonly conversation: DocumentLines | undefined;
  /** The undecided hunks of the answer, if there is one. */
  readonly ofAnswer: readonly PlacedHunk[] | undefined;
}

/**
 * Runs a command on hunks. Its argument is the id of a hunk, an edit or an answer; anything else does nothing. Without an
 * argument, the command is about the hunk at the cursor, or else about the conversation or the hunks in view. Where it is
 * unclear which hunk that is, the next one is shown instead.
 */
export async function runOnHunks(services: HunkServices, command: HunkCommand, argument: unknown): Promise<void> {
  const { edits, ofAnswer } = services;
  await edits.ready;
  const given = argument === undefined ? [] : (ofAnswer ?? edits.named(argument).filter(isUndecided));
  if (command === "nextChange" || command === "previousChange") {
    if (argument !== undefined && given[0]?.id !== argument) return showEdit(edits, argument);
    await focusEditor();
    await revealHunk(edits, command === "nextChange" ? 1 : -1, given[0]);
    return;
  }
  const isAll = command === "keepAll" || command === "undoAll";
  const hunks =
    argument === undefined ? await targetHunks(services, isAll) : isAll ? undecidedInSameEdits(given) : given;
  if (hunks.length === 0) return;
  await focusEditor();
  const before = window.activeTextEditor?.document;
  if (command === "keep" || command === "keepAll") edits.keep(hunks);
  else await undo(edits, hunks);
  if (argument !== undefined || !before) return;
  const isMore = edits.openIn(before).length > 0 || hunks.some(({ edit }) => edit.files.length > 1);
  if (isMore) await revealHunk(edits, 1);
}

/** Undoes the hunks that are as the edit has left them. Throws a `UserError` about others. */
async function undo(edits: EditStore, hunks: readonly PlacedHunk[]): Promise<void> {
  await edits.undo(hunks.filter(({ state }) => state === "open"));
  const changed = hunks.find(({ state }) => state === "changed");
  if (changed) throw new UserError("editChanged", { subject: changed.id });
}

/** All undecided hunks of the same edits, in the same documents. */
function undecidedInSameEdits(hunks: readonly PlacedHunk[]): readonly PlacedHunk[] {
  const documents = new Set(hunks.map(({ document }) => document));
  const all = [...new Set(hunks.map(({ edit }) => edit))].flatMap((edit) => edit.hunks);
  return all.filter((hunk) => isUndecided(hunk) && documents.has(hunk.document));
}

/** The hunks that a command without an argument is about. If that is unclear, or they are not in view, shows where they are. */
async function targetHunks(services: HunkServices, isAll: boolean): Promise<readonly PlacedHunk[]> {
  const { edits, conversation, ofAnswer = [] } = services;
  const hunk = atCursor(edits);
  if (hunk) return isAll ? undecidedInSameEdits([hunk]) : [hunk];
  const isHere = conversation !== undefined && isInView(conversation);
  const own = isHere ? ofAnswer : [];
  const document = window.activeTextEditor?.document;
  const hunks = own.length > 0 || !document ? own : edits.openIn(document);
  if (hunks.length === 0) {
    if (conversation && !isHere) await revealLines(conversation);
    return [];
  }
  if ((isAll || hunks.length === 1) && (isHere || hunks.some(isInView))) return hunks;
  await focusEditor();
  await revealHunk(edits, 1);
  return [];
}

function atCursor(edits: EditStore): PlacedHunk | undefined {
  const { document, selection } = window.activeTextEditor ?? {};
  if (!document || !selection) return undefined;
  return edits.openIn(document).find(({ lines }) => {
    const start = Math.min(lines.start, document.lineCount - 1);
    const { line } = selection.active;
    return start <= line && line < Math.max(lines.end, start + 1);
  });
}

/** Opens the first file of an edit that has open hunks. */
async function showEdit(edits: EditStore, id: unknown): Promise<void> {
  const uris = edits.urisOf(id);
  for (const uri of uris) {
    const document = await documentOf(uri);
    const [first] = document ? edits.openIn(document) : [];
    if (first) return reveal(first);
  }
  // VS Code may not have reloaded what was just written.
  const [uri] = uris;
  if (uri !== undefined && (await documentOf(uri))) await showInTextEditor(Uri.parse(uri, true));
}

/**
 * Moves the cursor to the next or previous hunk, from another hunk or from the cursor. After the last hunk of a document, opens
 * the next file that has hunks.
 */
async function revealHunk(edits: EditStore, step: 1 | -1, from?: PlacedHunk): Promise<void> {
  const { document, selection } = window.activeTextEditor ?? {};
  const start = from ?? atCursor(edits);
  const here = start?.document ?? document;
  const own = here ? edits.openIn(here) : [];
  const line = selection?.active.line ?? 0;
  const beside = start
    ? own[own.findIndex(({ id }) => id === start.id) + step]
    : step > 0
      ? own.find(({ lines }) => lines.start > line)
      : own.findLast(({ lines }) => lines.start <= line);
  if (beside) return reveal(beside);
  const { uris } = edits;
  const index = here ? uris.indexOf(here.uri.toString()) : -1;
  const first = index < 0 && step < 0 ? 0 : index;
  for (let distance = 1; distance <= uris.length; distance += 1) {
    const uri = uris.at((first + step * distance) % uris.length);
    const other = uri === undefined ? undefined : await documentOf(uri);
    const target = other && edits.openIn(other).at(step > 0 ? 0 : -1);
    if (target) return reveal(target);
  }
}

/** The document of a file; `undefined` if it no longer exists. */
async function documentOf(uri: string): Promise<TextDocument | undefined> {
  try {
    return await workspace.openTextDocument(Uri.parse(uri, true));
  } catch {
    return undefined;
  }
}

async function reveal({ document, lines: { start } }: PlacedHunk): Promise<void> {
  const editor = await revealLines({ document, lines: { start, end: start + 1 } });
  const { start: cursor } = rangeOf(document, { start, end: start + 1 });
  if (editor) editor.selection = new Selection(cursor, cursor);
}

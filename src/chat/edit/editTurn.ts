import { type CancellationToken, type ChatRequest, languages, Location, Uri, window, workspace } from "vscode";
import type { TargetLines } from "../../edits/resolveEdits.ts";
import { mostUrgent, shortMessage, withoutQuotes } from "../../problems/diagnostics.ts";
import { described } from "../../problems/errorWatch.ts";
import { nameInRequests, pathOf } from "../../reading/promptPaths.ts";
import { isAttachment, type Reference, sourceInEditor } from "../context/gatherContext.ts";
import type { ContextPart } from "../context/planQuestion.ts";
import type { History, RefusedEdit } from "../context/turnRecord.ts";
import { touchedLines } from "../../text/lineRange.ts";
import type { WindowSecrets } from "../../text/secrets/windowSecrets.ts";
import { urisInTabs } from "../../ui/openDocument.ts";
import { sizeOf } from "../context/readFile.ts";
import type { EditStore } from "../../apply/editStore.ts";
import { stateText } from "./editTexts.ts";
import { urisOf } from "../../apply/diskChange.ts";
import { listFiles } from "../../reading/listFiles.ts";

/** Context and rules for a question whose answer may change files. */
export interface EditTurn {
  /**
   * When the answer changes files: see `EditIntent`. `undefined` if edits were not requested, although the answer may still
   * have some.
   */
  readonly intent: EditIntent | undefined;
  readonly rules: string;
  /** What to read in addition to attachments. */
  readonly references: readonly Reference[];
  readonly parts: readonly ContextPart[];
}

const noEdits: EditTurn = { intent: undefined, rules: "", references: [], parts: [] };

/** Whether files of this window can be changed: there are folders, and they are trusted. */
export function canEdit(): boolean {
  return workspace.isTrusted && (workspace.workspaceFolders ?? []).length > 0;
}

/** The input of `prepareEdits`: the edits of this chat, the last refused one, and the user's setting. */
export interface EditPreparation {
  readonly edits: EditStore;
  readonly earlier: Pick<History, "edits" | "refused" | "command">;
  readonly findsContext: boolean;
  readonly token: CancellationToken;
}

/** Prepares a question whose answer may change files: `/edit`, `/fix`, `/tests`, and what follows an edit. */
export async function prepareEdits(
  { edits, earlier, findsContext, token }: EditPreparation,
  { command, references }: Pick<ChatRequest, "command" | "references">,
): Promise<EditTurn> {
  if (!canEdit()) return noEdits;
  const known = await earlierEditsPart(edits, earlier.edits, earlier.refused);
  const continued = command ?? earlier.command ?? "";
  const isFollowUp = command === undefined && known.parts.length > 0;
  const mayEdit = isFollowUp || ["edit", "fix", "tests"].includes(continued);
  const intent = command === "edit" ? "always" : mayEdit ? "ifAsked" : undefined;
  if (intent === undefined) return noEdits;
  const isAttached = references.some(isAttachment);
  const isEdit = isFollowUp ? earlier.refused !== undefined : continued === "edit";
  const found = isEdit && !isAttached ? await editReferences(findsContext, token) : [];
  return {
    intent,
    rules: editRules(intent),
    references: [...found, ...known.references],
    parts: known.parts,
  };
}

/** The lines that a question is about: those of the only selection or symbol that is attached. */
export function targetLines({ references }: Pick<ChatRequest, "references">): TargetLines | undefined {
  const locations = references.flatMap(({ value }) => (value instanceof Location ? [value] : []));
  const [only, ...others] = locations;
  const path = only && pathOf(only.uri);
  if (!path || others.length > 0) return undefined;
  return { path, ...touchedLines(only.range) };
}

/** When an answer changes files: always, or only if the question asks for it. */
type EditIntent = "always" | "ifAsked";

/** The rules for an answer that changes files: a short plan, then a patch. */
function editRules(intent: EditIntent): string {
  const start =
    intent === "always"
      ? "The user asks you to change the files of a workspace. Write a short plan first, a few sentences in the language of the question about what changes and why, without code. Then write the changes as exactly one patch, at the end of the answer:"
      : "If files of the workspace have to change or to be created, explain briefly in the language of the question, and write the changes as exactly one patch at the end of the answer, instead of code blocks:";
  return [
    start,
    example,
    [
      "Paths are written as above the files that are quoted, relative to the workspace, with `/`.",
      "Lines below `*** Update File` start with a blank for context, `-` for removed and `+` for added lines. Copy context and removed lines exactly from the file, with their indentation. Give about three lines of context above and below each change, and more where they occur more than once in the file. Write `@@` before each place, with the line of the class or function that it is in, if there is one. Never write line numbers.",
      "Keep the hunks small: one for each place, in the order of the file. Never abbreviate, neither old nor new lines. Never repeat a whole file to change it.",
      "Change only what the question asks for, and everything that has to change with it, such as imports, callers, and tests. Change no file that you have not read. If the question cannot be answered without files that are not quoted, name them instead of writing a patch.",
    ].join("\n"),
  ].join("\n\n");
}

const example = `\`\`\`\`\`
*** Begin Patch
*** Update File: path/of/file.ts
@@ function name(
 a line that stays
-a line that goes
+a line that comes
 a line that stays
*** Add File: path/of/new.ts
+all lines of the new file
*** Delete File: path/of/old.ts
*** Update File: path/of/before.ts
*** Move to: path/of/after.ts
@@
 a line that stays
-a line that goes
+a line that comes
*** End Patch
\`\`\`\`\``;

/** Maximum number of open editors that are read, and of problems that are quoted. */
const maxEditors = 20;
const maxDiagnostics = 50;

/** What `/edit` reads without attachments: a small workspace, or the open editors; without `findsContext`, the active editor. */
export async function editReferences(findsContext: boolean, token: CancellationToken): Promise<readonly Reference[]> {
  if (!findsContext) {
    const source = sourceInEditor();
    // Unlike /explain, /edit sends nothing of a file that is left out, not even selected lines: it could not change it.
    return source ? [{ ...source, origin: "implicit" }] : [];
  }
  const folders = await smallFolders(token);
  if (folders.length > 0) return folders.map((value) => ({ value, origin: "earlier" }));
  const visible = window.visibleTextEditors.map(({ document }) => document.uri);
  const open = new Map([...visible, ...urisInTabs()].map((uri) => [uri.toString(), uri]));
  return [...open.values()]
    .filter((uri) => pathOf(uri) !== undefined)
    .slice(0, maxEditors)
    .map((value) => ({ value, origin: "implicit" }));
}

/** An edit reads all files of a workspace within these limits. */
const smallWorkspace = { files: 60, bytes: 200_000 };

/** The folders of the workspace if it is small; otherwise none. */
async function smallFolders(token: CancellationToken): Promise<readonly Uri[]> {
  const files = await listFiles(smallWorkspace.files + 1, token);
  if (files.length > smallWorkspace.files) return [];
  const sizes = await Promise.all(files.map(sizeOf));
  const bytes = sizes.reduce<number>((sum, size = 0) => sum + size, 0);
  return bytes > smallWorkspace.bytes ? [] : (workspace.workspaceFolders ?? []).map(({ uri }) => uri);
}

/** The problems that VS Code reports in the files of a question. */
export async function diagnosticsPart(
  parts: readonly ContextPart[],
  secrets: Pick<WindowSecrets, "linesIn">,
): Promise<readonly ContextPart[]> {
  const files = new Map(parts.flatMap(({ uri }) => (uri ? [[uri.toString(), uri] as const] : [])));
  const rows: string[] = [];
  for (const uri of files.values()) {
    const diagnostics = mostUrgent(languages.getDiagnostics(uri), 0).slice(0, maxDiagnostics - rows.length);
    if (diagnostics.length === 0) continue;
    const withSecrets = await secrets.linesIn((await workspace.openTextDocument(uri)).getText());
    for (const { line, message } of withoutQuotes(described(diagnostics), withSecrets)) {
      rows.push(`${nameInRequests(uri)}:${line + 1}: ${shortMessage(message)}`);
    }
  }
  if (rows.length === 0) return [];
  return [{ name: "Problems reported in these files", language: "", text: rows.join("\n") }];
}

/** The states of the edits that this chat has proposed. The answers have the edits themselves, as the model wrote them. */
export async function earlierEditsPart(
  edits: EditStore,
  ids: readonly string[],
  refused?: RefusedEdit,
): Promise<{ readonly parts: readonly ContextPart[]; readonly references: readonly Reference[] }> {
  const references: Reference[] = [];
  const texts: string[] = [];
  for (const [index, id] of ids.entries()) {
    const states = await edits.fileStates(id);
    if (states.length === 0) continue;
    const rows = states.map((one) => `- ${nameInRequests(Uri.parse(one.file.uri, true))}: ${stateText(one)}`);
    texts.push([`Edit ${index + 1}:`, ...rows].join("\n"));
    for (const uri of states.flatMap(({ file }) => urisOf(file))) {
      const value = Uri.parse(uri, true);
      if ((await sizeOf(value)) !== undefined) references.push({ value, origin: "earlier" });
    }
  }
  if (refused) {
    const rows = refused.reasons.map((reason) => `- ${reason}`);
    texts.push(
      ["The edits of the last answer do not fit, so none of them was offered or applied:", ...rows].join("\n"),
    );
    for (const uri of refused.files) references.push({ value: Uri.parse(uri), origin: "earlier" });
  }
  if (texts.length === 0) return { parts: [], references: [] };
  texts.push(
    "All files are quoted as they are now. A new patch has to contain everything that is still to be changed; what was not applied, or was undone, is not in the files.",
  );
  const part = { name: "State of the edits in this chat", language: "", text: texts.join("\n\n") };
  return { parts: [part], references };
}

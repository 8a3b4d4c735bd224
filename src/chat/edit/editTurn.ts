import { type CancellationToken, type ChatContext, type ChatRequest, Location, workspace } from "vscode";
import type { AskedLines } from "../../edits/resolveEdits.ts";
import type { FileGate } from "../../reading/fileGate.ts";
import { pathOf } from "../../reading/promptPaths.ts";
import type { Reference } from "../context/attachments.ts";
import type { ContextPart } from "../context/fitContext.ts";
import { implicitKind } from "../models/unpublishedApi.ts";
import { earlierEdits } from "../participant/turnRecord.ts";
import { earlierEditsPart, editReferences } from "./editContext.ts";
import type { EditRecords } from "./editRecords.ts";
import { editRules, type EditWish } from "./editRules.ts";

/** What a question brings along because its answer may change files. */
export interface EditTurn {
  /** When the answer is to change files; `undefined` if it was not asked for that, but may still have edits. */
  readonly wish: EditWish | undefined;
  readonly rules: string;
  /** What to read besides what is attached. */
  readonly references: readonly Reference[];
  readonly parts: readonly ContextPart[];
  /** The lines that the question is about, if it is about some. */
  readonly asked: AskedLines | undefined;
}

const noEdits: EditTurn = { wish: undefined, rules: "", references: [], parts: [], asked: undefined };

/** Whether files of this window can be changed: there are folders, and they are trusted. */
export function canEdit(): boolean {
  return workspace.isTrusted && (workspace.workspaceFolders ?? []).length > 0;
}

/** What preparing edits needs. `findsContext` is the user's setting: whether to read what nobody attached. */
export interface EditPreparation {
  readonly records: EditRecords;
  readonly gate: FileGate;
  readonly findsContext: boolean;
  readonly token: CancellationToken;
}

/** Prepares a question whose answer may change files: `/edit`, `/fix`, `/tests`, and what follows an edit. */
export async function prepareEdits(
  { records, gate, findsContext, token }: EditPreparation,
  request: Pick<ChatRequest, "command" | "references">,
  context: Pick<ChatContext, "history">,
): Promise<EditTurn> {
  if (!canEdit()) return noEdits;
  const earlier = await earlierEditsPart(records, gate, earlierEdits(context));
  const { command } = request;
  const isTask = command === "fix" || command === "tests";
  const isFollowUp = command === undefined && earlier.parts.length > 0;
  const wish = command === "edit" ? "always" : isTask || isFollowUp ? "ifAsked" : undefined;
  if (wish === undefined) return { ...noEdits, asked: askedLines(request) };
  const found = command === "edit" && !hasFiles(request) ? await editReferences(findsContext, token) : [];
  return {
    wish,
    rules: editRules(wish),
    references: [...found, ...earlier.references],
    parts: earlier.parts,
    asked: askedLines(request),
  };
}

/** Whether files are attached, apart from the one that VS Code adds by itself. */
function hasFiles({ references }: Pick<ChatRequest, "references">): boolean {
  return references.some(({ id, value }) => typeof value === "object" && implicitKind(id) === undefined);
}

/** The lines of the only selection or symbol that is attached. */
function askedLines({ references }: Pick<ChatRequest, "references">): AskedLines | undefined {
  const locations = references.flatMap(({ value }) => (value instanceof Location ? [value] : []));
  const [only, ...others] = locations;
  const path = only && pathOf(only.uri);
  if (!path || others.length > 0) return undefined;
  const { start, end } = only.range;
  return { path, start: start.line, end: end.character === 0 && end.line > start.line ? end.line : end.line + 1 };
}

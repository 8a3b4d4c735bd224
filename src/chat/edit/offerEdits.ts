import { type ChatResponseStream, type Command, l10n, workspace } from "vscode";
import { askAgain, secondRequest } from "../../edits/repairPrompt.ts";
import { type EditReading, readEdits } from "../../edits/read/readEdits.ts";
import type { AskedLines } from "../../edits/resolveEdits.ts";
import type { ChatRequest, FinishReason, Gateway } from "../../gateway/types.ts";
import type { FileGate } from "../../reading/fileGate.ts";
import { pathOf } from "../../reading/promptPaths.ts";
import { extensionLine } from "../context/extensionLines.ts";
import type { ContextPart } from "../context/fitContext.ts";
import { noteEdits } from "./editActions.ts";
import { applyButton, editList, manageTrust, refusalList } from "./editView.ts";
import type { EditRecords } from "./editRecords.ts";
import type { EditTurn } from "./editTurn.ts";
import { proposedFiles } from "./proposedFiles.ts";
import { FileSnapshot } from "./fileSnapshot.ts";
import { proposeChange, type ProposedChange } from "./proposeChange.ts";
import { hasEdits, pathsIn, repairFor, resolveAnswer, type ResolvedAnswer, shownTexts } from "./resolveAnswer.ts";

/** The most files that one edit may name. */
const mostFiles = 500;

/** What offering an edit needs. */
export interface EditServices {
  readonly gateway: Pick<Gateway, "ask">;
  readonly records: EditRecords;
  readonly gate: FileGate;
}

/** An answer that has ended, with its request. */
export interface EditAnswer {
  readonly text: string;
  readonly reason: FinishReason;
  readonly request: ChatRequest;
  /** What the model was shown. */
  readonly parts: readonly ContextPart[];
  readonly turn: Pick<EditTurn, "wish" | "asked">;
  readonly stream: Pick<ChatResponseStream, "markdown">;
  readonly signal: AbortSignal;
}

/** What is offered below an answer. */
export interface EditOffer {
  /** The id of the edit, if the answer has one. */
  readonly edit: string | undefined;
  readonly buttons: readonly Command[];
}

const noOffer: EditOffer = { edit: undefined, buttons: [] };

/** Shows the edits of an answer for review, all of them or none. Where edits were asked for, says why there are none. */
export async function offerEdits(services: EditServices, answer: EditAnswer): Promise<EditOffer> {
  const { text, parts, turn, stream } = answer;
  const reading = readEdits(text, shownTexts(parts, pathOf));
  if (!workspace.workspaceFolders?.length || !hasEdits(reading)) return noOffer;
  if (!workspace.isTrusted) {
    stream.markdown(extensionLine("info", l10n.t("The changes can be applied once you trust the workspace.")));
    return { edit: undefined, buttons: [manageTrust()] };
  }
  const { changes, refusals } = await propose(services, answer, reading);
  if (refusals.length > 0 && turn.wish !== undefined) stream.markdown(refusalList(refusals));
  if (changes.length === 0) return noOffer;
  const edit = await services.records.add(changes);
  await noteEdits(services.records);
  stream.markdown(editList(edit, proposedFiles(changes)));
  return { edit, buttons: [applyButton(edit)] };
}

/** What an answer changes, perhaps in a second attempt. */
async function propose(services: EditServices, answer: EditAnswer, reading: EditReading): Promise<ProposedChange> {
  if (answer.reason !== "stop") return { changes: [], refusals: [{ kind: "cutOff" }] };
  const { asked, wish } = answer.turn;
  const snapshot = await FileSnapshot.of(answer.parts, services.gate);
  const first = await resolve(reading, snapshot, asked);
  const again = wish === undefined ? undefined : await repair(services, answer, first);
  const second = again === undefined ? undefined : readEdits(again, snapshot.texts);
  const repaired = second && hasEdits(second) ? await resolve(second, snapshot, asked) : undefined;
  const { problems, refusals, changes } = repaired?.problems.length === 0 ? repaired : first;
  if (problems.length + refusals.length > 0) return { changes: [], refusals: [...problems, ...refusals] };
  return await proposeChange(changes, snapshot.bytes, services.gate);
}

/** Resolves the edits of an answer, with all files that they name. */
async function resolve(
  reading: EditReading,
  snapshot: FileSnapshot,
  asked: AskedLines | undefined,
): Promise<ResolvedAnswer> {
  const named = pathsIn(reading);
  if (named.all.size > mostFiles) {
    return { operations: [], changes: [], problems: [], refusals: [{ kind: "tooManyFiles" }] };
  }
  await snapshot.addNamed(named);
  return resolveAnswer(reading, snapshot, asked);
}

/** Asks for edits that do not fit once more. `undefined` if that would not help, fails, or ends early. */
async function repair(
  { gateway }: EditServices,
  { request, text, parts, stream, signal }: EditAnswer,
  resolved: ResolvedAnswer,
): Promise<string | undefined> {
  const prompt = resolved.problems.length > 0 ? repairFor(resolved, shownTexts(parts, pathOf)) : undefined;
  if (prompt === undefined) return undefined;
  stream.markdown(extensionLine("sync", l10n.t("The edit did not fit the files, so the model was asked once more.")));
  try {
    return await askAgain(gateway, secondRequest(request, text, prompt), signal);
  } catch {
    // The answer is there, and says itself what is wrong with its edits.
    signal.throwIfAborted();
    return undefined;
  }
}

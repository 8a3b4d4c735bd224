import { type ChatResponseStream, type Command, l10n, workspace } from "vscode";
import { askAgain, secondRequest } from "../../edits/askAgain.ts";
import { type EditReading, readEdits } from "../../edits/read/readEdits.ts";
import type { ChatRequest, FinishReason, Gateway } from "../../gateway/types.ts";
import type { FileGate } from "../../reading/fileGate.ts";
import { pathOf } from "../../reading/promptPaths.ts";
import { extensionLine } from "../context/extensionLines.ts";
import type { ContextPart } from "../context/fitContext.ts";
import { editButtons, editList, manageTrust, refusalList } from "./editView.ts";
import type { EditRecords } from "./editRecords.ts";
import type { EditTurn } from "./editTurn.ts";
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

/** An answer with the files that it may change. */
interface ReadAnswer extends EditAnswer {
  readonly reading: EditReading;
  readonly snapshot: FileSnapshot;
}

const noOffer: EditOffer = { edit: undefined, buttons: [] };

/** Shows the edits of an answer for review, all of them or none. Where edits were asked for, says why there are none. */
export async function offerEdits(services: EditServices, answer: EditAnswer): Promise<EditOffer> {
  const { text, parts, turn, stream } = answer;
  const shown = parts.flatMap((part) => {
    const path = part.uri && pathOf(part.uri);
    return path === undefined ? [] : [[path, part.text] as const];
  });
  const reading = readEdits(text, new Map(shown));
  if (!workspace.workspaceFolders?.length || !hasEdits(reading)) return noOffer;
  if (!workspace.isTrusted) {
    stream.markdown(extensionLine("info", l10n.t("The changes can be applied once you trust the workspace.")));
    return { edit: undefined, buttons: [manageTrust()] };
  }
  const proposed = await propose(services, {
    ...answer,
    reading,
    snapshot: await FileSnapshot.of(parts, services.gate),
  });
  if (proposed.type === "refused" && turn.wish !== undefined) stream.markdown(refusalList(proposed.refusals));
  if (proposed.type === "refused" || proposed.changes.length === 0) return noOffer;
  const edit = await services.records.add(proposed.changes);
  stream.markdown(editList(edit, (await services.records.filesOf(edit)) ?? []));
  return { edit, buttons: editButtons(edit) };
}

async function propose(services: EditServices, answer: ReadAnswer): Promise<ProposedChange> {
  if (answer.reason !== "stop") return { type: "refused", refusals: [{ kind: "cutOff" }] };
  const { problems, refusals, changes } = await resolveOrRepair(services, answer);
  if (problems.length + refusals.length > 0) return { type: "refused", refusals: [...problems, ...refusals] };
  return await proposeChange(changes, answer.snapshot.bytes, services.gate);
}

async function resolveOrRepair(services: EditServices, answer: ReadAnswer): Promise<ResolvedAnswer> {
  const resolved = await resolve(answer, answer.reading);
  if (answer.turn.wish === undefined || resolved.problems.length === 0) return resolved;
  const prompt = repairFor(resolved, shownTexts(answer.parts, pathOf));
  if (prompt === undefined) return resolved;
  answer.stream.markdown(
    extensionLine("sync", l10n.t("The edit did not fit the files, so the model was asked once more.")),
  );
  const again = await trySecond(services, answer, prompt);
  const reading = again === undefined ? undefined : readEdits(again, answer.snapshot.texts);
  if (!reading || !hasEdits(reading)) return resolved;
  const repaired = await resolve(answer, reading);
  return repaired.problems.length === 0 ? repaired : resolved;
}

/** Resolves the edits of an answer, with all files that they name. */
async function resolve({ snapshot, turn }: ReadAnswer, reading: EditReading): Promise<ResolvedAnswer> {
  const named = pathsIn(reading);
  if (named.all.size > mostFiles) {
    return { operations: [], changes: [], problems: [], refusals: [{ kind: "tooManyFiles" }] };
  }
  await snapshot.addNamed(named);
  const { texts, whole, unreadable, closed } = snapshot;
  return resolveAnswer(reading, { texts, whole, unreadable, closed, asked: turn.asked });
}

/** The second attempt; `undefined` if it fails or ends early. */
async function trySecond(
  { gateway }: EditServices,
  { request, text, signal }: EditAnswer,
  prompt: string,
): Promise<string | undefined> {
  try {
    return await askAgain(gateway, secondRequest(request, text, prompt), signal);
  } catch {
    // The answer is there, and says itself what is wrong with its edits.
    signal.throwIfAborted();
    return undefined;
  }
}

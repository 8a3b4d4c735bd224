import { type ChatResponseStream, type Command, l10n, type MarkdownString, workspace } from "vscode";
import { type EditReading, readEdits } from "../../edits/read/readEdits.ts";
import { buildRepairRequest, mergedEdits } from "../../edits/repairPrompt.ts";
import type { TargetLines } from "../../edits/resolveEdits.ts";
import type { ChatRequest, FinishReason, Gateway } from "../../gateway/types.ts";
import { wholeAnswer } from "../../gateway/wholeAnswer.ts";
import type { FileGate } from "../../reading/fileGate.ts";
import { pathOf } from "../../reading/promptPaths.ts";
import type { WindowSecrets } from "../../text/secrets/windowSecrets.ts";
import { extensionLine } from "../answerNotes.ts";
import type { ContextPart } from "../context/planQuestion.ts";
import type { RefusedEdit } from "../context/turnRecord.ts";
import type { EditStore } from "../../apply/editStore.ts";
import type { EditTurn } from "./editTurn.ts";
import { refusalText } from "./editTexts.ts";
import { FileSnapshot } from "./fileSnapshot.ts";
import { applyButton, editList, manageTrust, refusalList } from "./editView.ts";
import { proposeChange, type ProposedChange } from "./mayChange.ts";
import { restOf } from "./planStream.ts";
import {
  hasEdits,
  locateProblems,
  maxLocated,
  pathsIn,
  refusalsForModel,
  repairFor,
  resolveAnswer,
  type ResolvedAnswer,
  shownTexts,
  unchangedTarget,
} from "./resolveAnswer.ts";

const maxFiles = 500;

/** What offering an edit needs. */
export interface EditServices {
  readonly gateway: Pick<Gateway, "ask">;
  readonly edits: EditStore;
  readonly gate: FileGate;
  readonly secrets: WindowSecrets;
}

/** An answer that has ended, with its request. */
export interface EditAnswer {
  readonly text: string;
  readonly reason: FinishReason;
  /** The number of characters of the text that the chat shows. */
  readonly shownLength: number;
  readonly request: ChatRequest;
  readonly maxPromptTokens: number;
  readonly parts: readonly ContextPart[];
  readonly intent: EditTurn["intent"];
  readonly target: TargetLines | undefined;
  readonly stream: Pick<ChatResponseStream, "markdown">;
  readonly signal: AbortSignal;
}

/** The result for an answer with edits: what later turns need to know, and the button below it. */
export interface EditOffer {
  readonly edit?: string;
  readonly button?: Command;
  /** The answer that has the edits, as the model wrote it. */
  readonly text?: string;
  readonly refused?: RefusedEdit;
}

/** An offer, and what is shown about it below the answer. */
interface ShownOffer extends EditOffer {
  readonly below?: MarkdownString;
}

/** Shows the edits of an answer for review, all of them or none. Where edits were asked for, says why there are none. */
export async function offerEdits(services: EditServices, answer: EditAnswer): Promise<EditOffer> {
  const { text, parts, shownLength, stream } = answer;
  const reading = readEdits(text, shownTexts(parts, pathOf));
  let found: ShownOffer = {};
  try {
    found = await findOffer(services, answer, reading);
  } finally {
    const rest = restOf(text, shownLength, reading, found.edit !== undefined);
    if (rest.trim() !== "") stream.markdown(rest);
  }
  const { below, ...offer } = found;
  if (below) stream.markdown(below);
  return offer;
}

async function findOffer(services: EditServices, answer: EditAnswer, reading: EditReading): Promise<ShownOffer> {
  const { parts, intent } = answer;
  const isEdit = hasEdits(reading) || (intent === "always" && reading.operations.length > 0);
  if (!workspace.workspaceFolders?.length || !isEdit) return {};
  if (!workspace.isTrusted) {
    const below = extensionLine(l10n.t("The changes can be applied once you trust the workspace."));
    return { button: manageTrust(), below };
  }
  const { changes, refusals, written: text } = await propose(services, answer, reading);
  if (changes.length > 0) {
    const edit = await services.edits.propose(changes);
    return { edit, button: applyButton(edit), text, below: editList(edit, changes) };
  }
  if (refusals.length === 0 || intent === undefined) return { text };
  const reasons = refusalsForModel(refusals, shownTexts(parts, pathOf)).slice(0, maxLocated).map(refusalText);
  const files = [...new Set(parts.flatMap(({ uri }) => uri?.toString() ?? []))];
  return { text, refused: { reasons: [...new Set(reasons)], files }, below: refusalList(refusals) };
}

/** What an answer changes, perhaps after a second request, and the text that has these edits. */
async function propose(
  services: EditServices,
  answer: EditAnswer,
  reading: EditReading,
): Promise<ProposedChange & { readonly written: string }> {
  const { intent, parts, text } = answer;
  if (answer.reason !== "stop") return { changes: [], refusals: [{ kind: "cutOff" }], written: text };
  const snapshot = await FileSnapshot.of(parts, services);
  const target = unchangedTarget(answer.target, shownTexts(parts, pathOf), snapshot.texts);
  const first = await resolve(reading, snapshot, target);
  const repairText = intent === undefined ? undefined : await repair(services, answer, first);
  const second = repairText === undefined ? undefined : readEdits(repairText, snapshot.texts);
  // The edits of the second answer may also replace those of the first that fit.
  const readings =
    second && hasEdits(second)
      ? [{ ...second, operations: mergedEdits(second.operations, first.operations, first.problems) }, second]
      : [];
  let [resolved, written] = [first, text];
  for (const again of readings) {
    const repaired = await resolve(again, snapshot, target);
    if (repaired.problems.length > 0) continue;
    [resolved, written] = [repaired, `${text}\n\n${repairText}`];
    break;
  }
  const refusals = [...locateProblems(resolved, snapshot), ...resolved.refusals];
  if (refusals.length > 0) return { changes: [], refusals, written };
  return { ...(await proposeChange(resolved.changes, snapshot.texts, services.gate)), written };
}

/** Resolves the edits of an answer, with all files that they name. */
async function resolve(
  reading: EditReading,
  snapshot: FileSnapshot,
  target: TargetLines | undefined,
): Promise<ResolvedAnswer> {
  const named = pathsIn(reading);
  if (named.all.size > maxFiles) {
    return { operations: [], changes: [], problems: [], refusals: [{ kind: "tooManyFiles" }] };
  }
  await snapshot.addNamed(named);
  return resolveAnswer(reading, snapshot, target);
}

/** Sends a second request for edits that do not fit. `undefined` if that would not help, fails, or ends early. */
async function repair(
  { gateway, secrets }: EditServices,
  { request, text, parts, maxPromptTokens, stream, signal }: EditAnswer,
  resolved: ResolvedAnswer,
): Promise<string | undefined> {
  const shown = shownTexts(parts, pathOf);
  const prompt = resolved.problems.length > 0 ? repairFor(resolved, shown, (line) => secrets.restore(line)) : undefined;
  const repairRequest = prompt === undefined ? undefined : buildRepairRequest(request, text, prompt, maxPromptTokens);
  if (repairRequest === undefined) return undefined;
  stream.markdown(extensionLine(l10n.t("The edit did not fit the files, so the model was asked again."), "sync"));
  try {
    const second = await wholeAnswer(gateway, [repairRequest, signal]);
    return second.reason === "stop" ? second.text : undefined;
  } catch {
    // The answer is already shown, with the problems of its edits.
    signal.throwIfAborted();
    return undefined;
  }
}

import { type ChatResponseStream, l10n } from "vscode";
import { repairPrompt } from "../../edits/repairPrompt.ts";
import type { ChatRequest, FinishReason } from "../../gateway/types.ts";
import type { Services } from "../../services.ts";
import { extensionLine } from "../participant/extensionLines.ts";
import type { IgnoredFiles } from "../context/find/findContext.ts";
import { editList, refusalList } from "./editList.ts";
import type { EditRecords } from "./editRecords.ts";
import { canEdit, type EditTurn } from "./editTurn.ts";
import type { FileSnapshot } from "./fileSnapshot.ts";
import { proposeChange, type ProposedChange } from "./proposeEdit.ts";
import { hasEdits, pathsIn, resolveAnswer, type ResolvedAnswer } from "./resolveAnswer.ts";

/** What offering an edit needs. */
export interface EditServices extends Pick<Services, "gateway"> {
  readonly records: EditRecords;
  readonly ignoredFiles: IgnoredFiles;
}

/** An answer that has ended, with its request and the files as they were then. */
export interface EditAnswer {
  readonly text: string;
  readonly reason: FinishReason;
  readonly request: ChatRequest;
  readonly snapshot: FileSnapshot;
  readonly turn: Pick<EditTurn, "wish" | "asked">;
  readonly stream: Pick<ChatResponseStream, "markdown">;
  readonly signal: AbortSignal;
}

/**
 * Shows the edits of an answer for review, all of them or none. Where edits were asked for, says why there are none.
 * Returns the id of the edit.
 */
export async function offerEdits(services: EditServices, answer: EditAnswer): Promise<string | undefined> {
  const { text, snapshot, turn, stream } = answer;
  if (!canEdit() || !hasEdits(text, snapshot.texts)) return undefined;
  const proposed = await propose(services, answer);
  if (proposed.type === "refused" && turn.wish !== undefined) stream.markdown(refusalList(proposed.refusals));
  if (proposed.type === "refused" || proposed.changes.length === 0) return undefined;
  const id = await services.records.add(proposed.changes);
  const files = (await services.records.filesOf(id)) ?? [];
  stream.markdown(editList(id, files));
  return id;
}

async function propose(services: EditServices, answer: EditAnswer): Promise<ProposedChange> {
  if (answer.reason !== "stop") return { type: "refused", refusals: [{ kind: "cutOff" }] };
  const { problems, refusals, changes } = await resolveOrRepair(services, answer);
  if (problems.length + refusals.length > 0) return { type: "refused", refusals: [...problems, ...refusals] };
  return await proposeChange(changes, answer.snapshot.bytes, services.ignoredFiles);
}

async function resolveOrRepair(services: EditServices, answer: EditAnswer): Promise<ResolvedAnswer> {
  const resolved = await resolve(answer, answer.text);
  if (answer.turn.wish === undefined || resolved.problems.length === 0) return resolved;
  const prompt = repairPrompt(resolved.operations, answer.snapshot.texts, resolved.problems);
  if (prompt === undefined) return resolved;
  answer.stream.markdown(
    extensionLine("sync", l10n.t("The edit did not fit the files, so the model was asked once more.")),
  );
  const again = await askAgain(services, answer, prompt);
  if (again === undefined || !hasEdits(again, answer.snapshot.texts)) return resolved;
  const repaired = await resolve(answer, again);
  return repaired.problems.length === 0 ? repaired : resolved;
}

/** Resolves the edits of a text, with all files that they name. */
async function resolve({ snapshot, turn }: EditAnswer, text: string): Promise<ResolvedAnswer> {
  await snapshot.addNamed(pathsIn(text, snapshot.texts));
  const { texts, whole, unreadable } = snapshot;
  return resolveAnswer(text, { texts, whole, unreadable, asked: turn.asked });
}

/** The second attempt; `undefined` if it ends early. */
async function askAgain(
  { gateway }: EditServices,
  { request, text, signal }: EditAnswer,
  prompt: string,
): Promise<string | undefined> {
  const messages: ChatRequest["messages"] = [
    ...request.messages,
    { role: "assistant", content: text },
    { role: "user", content: prompt },
  ];
  let again = "";
  let reason: FinishReason | undefined;
  try {
    for await (const part of gateway.ask({ ...request, messages }, signal, () => undefined)) {
      if (part.type === "text") again += part.text;
      if (part.type === "finish") reason = part.reason;
    }
  } catch {
    // The answer is there, and says itself what is wrong with its edits.
    signal.throwIfAborted();
  }
  return reason === "stop" ? again : undefined;
}

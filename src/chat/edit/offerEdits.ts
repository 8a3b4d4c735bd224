import { CancellationTokenSource, type ChatResponseStream, type Command, l10n, type Uri, workspace } from "vscode";
import { diskFiles, unsavedBytes } from "../../apply/diskFiles.ts";
import { utf8In } from "../../apply/fileChange.ts";
import { longestPath, pathAndMention } from "../../edits/read/paths.ts";
import { type EditReading, readEdits } from "../../edits/read/readEdits.ts";
import { secondRequest } from "../../edits/repairPrompt.ts";
import type { TargetLines, Restore } from "../../edits/resolveEdits.ts";
import type { ChatRequest, FinishReason, Gateway } from "../../gateway/types.ts";
import { wholeAnswer } from "../../gateway/wholeAnswer.ts";
import type { FileGate } from "../../reading/fileGate.ts";
import { pathOf, uriOf } from "../../reading/promptPaths.ts";
import { ReadAllowance } from "../../reading/readAllowance.ts";
import { hasUnusableName } from "../../text/fileNames.ts";
import { hasTooManyLines, splitLines } from "../../text/lines.ts";
import type { WindowSecrets } from "../../text/secrets/windowSecrets.ts";
import { extensionLine } from "../context/extensionLines.ts";
import type { ContextPart } from "../context/planQuestion.ts";
import type { RefusedEdit } from "../context/turnRecord.ts";
import { fileLimit, sizeOf } from "../context/readFile.ts";
import type { RefusalKind } from "../../apply/refusalTexts.ts";
import type { Edits } from "../../apply/edits.ts";
import type { EditTurn } from "./editTurn.ts";
import { refusalText } from "./editTexts.ts";
import { applyButton, editList, manageTrust, refusalList } from "./editView.ts";
import { proposeChange, type ProposedChange } from "./mayChange.ts";
import { restOf } from "./planStream.ts";
import { proposedFiles } from "../../apply/proposedFiles.ts";
import {
  hasEdits,
  type KnownFiles,
  locateProblems,
  mostLocated,
  type NamedPaths,
  pathsIn,
  refusalsForModel,
  repairFor,
  resolveAnswer,
  type ResolvedAnswer,
  shownTexts,
} from "./resolveAnswer.ts";

/** The most files that one edit may name. */
const mostFiles = 500;

/** What offering an edit needs. */
export interface EditServices {
  readonly gateway: Pick<Gateway, "ask">;
  readonly records: Edits;
  readonly gate: FileGate;
  readonly secrets: WindowSecrets;
}

/** An answer that has ended, with its request. */
export interface EditAnswer {
  readonly text: string;
  readonly reason: FinishReason;
  /** How many characters of the text are shown. */
  readonly shown: number;
  readonly request: ChatRequest;
  /** The most tokens of a request. */
  readonly room: number;
  /** What the model was shown. */
  readonly parts: readonly ContextPart[];
  readonly intent: EditTurn["intent"];
  readonly asked: TargetLines | undefined;
  readonly stream: Pick<ChatResponseStream, "markdown">;
  readonly signal: AbortSignal;
}

/** What became of the edits of an answer: what later turns have to know, and the button below it. */
export interface EditOffer {
  readonly edit?: string;
  readonly button?: Command;
  /** The text that has the edits as the model wrote it. */
  readonly text?: string;
  readonly refused?: RefusedEdit;
}

/** Shows the edits of an answer for review, all of them or none. Where edits were asked for, says why there are none. */
export async function offerEdits(services: EditServices, answer: EditAnswer): Promise<EditOffer> {
  const { text, parts, stream } = answer;
  const reading = readEdits(text, shownTexts(parts, pathOf));
  let isShown = false;
  const showRest = (isOffered: boolean): void => {
    const rest = isShown ? "" : restOf(text, answer.shown, reading, isOffered);
    isShown = true;
    if (rest.trim() !== "") stream.markdown(rest);
  };
  try {
    return await offer(services, answer, reading, showRest);
  } finally {
    showRest(false);
  }
}

async function offer(
  services: EditServices,
  answer: EditAnswer,
  reading: EditReading,
  showRest: (isOffered: boolean) => void,
): Promise<EditOffer> {
  const { parts, intent, stream } = answer;
  if (!workspace.workspaceFolders?.length || !hasEdits(reading)) return {};
  if (!workspace.isTrusted) {
    stream.markdown(extensionLine(l10n.t("The changes can be applied once you trust the workspace.")));
    return { button: manageTrust() };
  }
  const { changes, refusals, written } = await propose(services, answer, reading);
  if (changes.length === 0) {
    showRest(false);
    if (refusals.length === 0 || intent === undefined) return { text: written };
    stream.markdown(refusalList(refusals));
    const reasons = refusalsForModel(refusals, shownTexts(parts, pathOf)).slice(0, mostLocated).map(refusalText);
    const files = [...new Set(parts.flatMap(({ uri }) => uri?.toString() ?? []))];
    return { text: written, refused: { reasons: [...new Set(reasons)], files } };
  }
  const edit = await services.records.propose(changes);
  showRest(true);
  stream.markdown(editList(edit, proposedFiles(changes)));
  return { edit, button: applyButton(edit), text: written };
}

/** What an answer changes, perhaps in a second attempt, and the text that says so. */
async function propose(
  services: EditServices,
  answer: EditAnswer,
  reading: EditReading,
): Promise<ProposedChange & { readonly written: string }> {
  const { asked, intent, text } = answer;
  if (answer.reason !== "stop") return { changes: [], refusals: [{ kind: "cutOff" }], written: text };
  const snapshot = await FileSnapshot.of(answer.parts, services);
  const first = await resolve(reading, snapshot, asked);
  const again = intent === undefined ? undefined : await repair(services, answer, first);
  const second = again === undefined ? undefined : readEdits(again, snapshot.texts);
  const repaired = second && hasEdits(second) ? await resolve(second, snapshot, asked) : undefined;
  const isRepaired = repaired?.problems.length === 0;
  const resolved = isRepaired ? repaired : first;
  const written = isRepaired && again !== undefined ? again : text;
  const refusals = [...locateProblems(resolved, snapshot), ...resolved.refusals];
  if (refusals.length > 0) return { changes: [], refusals, written };
  return { ...(await proposeChange(resolved.changes, snapshot.texts, services.gate)), written };
}

/** Resolves the edits of an answer, with all files that they name. */
async function resolve(
  reading: EditReading,
  snapshot: FileSnapshot,
  asked: TargetLines | undefined,
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
  { gateway, secrets }: EditServices,
  { request, text, parts, room, stream, signal }: EditAnswer,
  resolved: ResolvedAnswer,
): Promise<string | undefined> {
  const shown = shownTexts(parts, pathOf);
  const prompt = resolved.problems.length > 0 ? repairFor(resolved, shown, (line) => secrets.restore(line)) : undefined;
  const again = prompt === undefined ? undefined : secondRequest(request, text, prompt, room);
  if (again === undefined) return undefined;
  stream.markdown(extensionLine(l10n.t("The edit did not fit the files, so the model was asked once more."), "sync"));
  try {
    const second = await wholeAnswer(gateway, [again, signal]);
    return second.reason === "stop" ? second.text : undefined;
  } catch {
    // The answer is there, and says itself what is wrong with its edits.
    signal.throwIfAborted();
    return undefined;
  }
}

/** The most files that an abbreviated path may mean, and how many such paths are looked for at once. */
const mostCandidates = 20;
const atOnce = 50;
/** How long looking for them may take, in milliseconds: links can lead to all of a disk. */
const patience = 5_000;

/** The files of a question, and those that its answers name and that pass the gate, by path, as they are once it is answered. */
class FileSnapshot implements KnownFiles {
  /** With byte order marks, and with unsaved changes. */
  readonly texts = new Map<string, string>();
  readonly whole = new Set<string>();
  readonly denied = new Map<string, RefusalKind>();
  readonly restore: Restore;
  readonly #gate: FileGate;
  /** For all answers together: they name files as they like. */
  readonly #allowance = new ReadAllowance();

  constructor({ gate, secrets }: Pick<EditServices, "gate" | "secrets">) {
    this.#gate = gate;
    this.restore = (line) => secrets.restore(line);
  }

  /** Reads the files that the model was shown. It has read in full those that have not changed since. */
  static async of(
    parts: readonly ContextPart[],
    services: Pick<EditServices, "gate" | "secrets">,
  ): Promise<FileSnapshot> {
    const snapshot = new FileSnapshot(services);
    for (const { uri, text } of parts) {
      const path = uri && pathOf(uri);
      if (!path) continue;
      await snapshot.#add(path, uri);
      if (linesOf(snapshot.texts.get(path) ?? "") === linesOf(text)) snapshot.whole.add(path);
    }
    return snapshot;
  }

  /** Reads the files that paths of an answer may mean, so that none is overwritten or mistaken for another. */
  async addNamed({ all, existing }: NamedPaths): Promise<void> {
    const named = new Map<string, Uri>();
    const short: string[] = [];
    for (const written of all) {
      for (const path of new Set([written, ...pathAndMention(written.replace(/^(?:\.\/)+/, ""))])) {
        const uri = isPlain(path) ? uriOf(path) : undefined;
        if (uri) named.set(path, uri);
        if (uri && existing.has(written)) short.push(path);
      }
    }
    await this.#addOpen(named);
    const found = await candidatesFor(short.filter((path) => !this.#knows(path)));
    await this.#addOpen(new Map(found.map((uri) => [pathOf(uri) ?? "", uri])));
  }

  /** Reads those that pass the gate, and notes why the others are denied. */
  async #addOpen(files: ReadonlyMap<string, Uri>): Promise<void> {
    const fresh = [...files].filter(([path]) => !this.#knows(path));
    const denied = await this.#gate.denied(fresh.map(([, uri]) => uri));
    for (const [path, uri] of fresh) {
      const reason = denied.get(uri);
      const size = reason === undefined ? await sizeOf(uri) : undefined;
      if (reason !== undefined) this.denied.set(path, reason);
      else if (size !== undefined && size <= fileLimit && !this.#allowance.take(size)) {
        this.denied.set(path, "tooManyFiles");
      } else await this.#add(path, uri);
    }
  }

  async #add(path: string, uri: Uri): Promise<void> {
    if (path === "" || this.#knows(path)) return;
    const bytes = await bytesOf(uri);
    if (bytes === undefined) return;
    const text = bytes === "unreadable" ? undefined : utf8In(bytes);
    if (bytes === "unreadable" || text === undefined) this.denied.set(path, "encoding");
    else if (hasTooManyLines(text)) this.denied.set(path, "tooManyLines");
    else this.texts.set(path, text);
  }

  #knows(path: string): boolean {
    return this.texts.has(path) || this.denied.has(path);
  }
}

/** Whether a path stays inside its folder, and may be one of a file. */
function isPlain(path: string): boolean {
  if (path.length > longestPath || hasUnusableName(path)) return false;
  return path !== "" && !path.startsWith("/") && !/[\0:]/.test(path) && !path.split("/").includes("..");
}

/** Files whose path ends with one of these. */
async function candidatesFor(paths: readonly string[]): Promise<readonly Uri[]> {
  const found: Uri[] = [];
  const stop = new CancellationTokenSource();
  const timer = setTimeout(() => {
    stop.cancel();
  }, patience);
  try {
    for (let start = 0; start < paths.length; start += atOnce) {
      const globs = paths.slice(start, start + atOnce).map((path) => `**/${path.replace(/[[\]{}*?!,]/g, "[$&]")}`);
      const glob = globs.length === 1 ? (globs[0] ?? "") : `{${globs.join(",")}}`;
      found.push(...(await workspace.findFiles(glob, undefined, mostCandidates * globs.length, stop.token)));
    }
  } finally {
    clearTimeout(timer);
    stop.dispose();
  }
  return found;
}

/** A text without what editors do not show: its byte order mark and the form of its line endings. */
function linesOf(text: string): string {
  return splitLines(text.replace(/^\uFEFF/, "")).join("\n");
}

/** A file as it will be once it is saved; `undefined` for no file, and `unreadable` for one that is too large or no file. */
async function bytesOf(uri: Uri): Promise<Uint8Array | "unreadable" | undefined> {
  const size = await sizeOf(uri);
  // Whatever the reason, there is nothing to read. If the file is there after all, the edit is not applied.
  if (size === undefined) return undefined;
  return size > fileLimit ? "unreadable" : (unsavedBytes(uri) ?? (await diskFiles.read(uri.toString())));
}

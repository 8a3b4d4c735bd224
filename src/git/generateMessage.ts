import { UserError } from "../failures/userError.ts";
import type { Gateway } from "../gateway/types.ts";
import { quote } from "../text/safeText.ts";
import { type AskServices, requestFor } from "./changesPrompt.ts";
import { cleanMessage, joinTyped, longestAnswer } from "./cleanMessage.ts";
import { buildCommitPrompt } from "./commitPrompt.ts";
import { describeChanges, type DescribedChanges } from "./describeChanges.ts";
import type { Repository } from "./repository.ts";

/** The services that a commit message needs. */
export interface MessageServices extends AskServices {
  /** Called with the number of files of which only a part is sent. */
  readonly onCut: (count: number) => void;
  /** In milliseconds. */
  readonly now: () => number;
}

/** A message of the model that is, or was, in the input box. */
export interface WrittenMessage {
  /** What the user had typed. */
  readonly typed: string;
  /** The whole text in the box. */
  readonly message: string;
  /** The model's earlier words for it, the newest last. */
  readonly words: readonly string[];
}

/** Maximum tokens of a request: more context makes no better message, but costs more. */
const mostTokens = 24_000;

/** Number of earlier wordings that the model is told. */
const mostRejected = 3;

/** Text that is not shown yet, in characters: it may be an introduction, which is removed. */
const hidden = 24;

/** Time between two updates of the box, in milliseconds. */
const updateTime = 100;

/**
 * Writes a commit message into the input box of a repository. What the user typed stays its beginning; unless the whole
 * message arrives, it is all that is left. `previous` is the message of the last run. Nothing is returned if the user
 * typed in the box meanwhile, which then stays as it is.
 */
export async function generateMessage(
  services: MessageServices,
  repository: Repository,
  previous: WrittenMessage | undefined,
  signal: AbortSignal,
): Promise<WrittenMessage | undefined> {
  const box = new BoxWriter(repository, services.now);
  // An earlier message of the model is not typed; it is to be worded differently.
  const before = repository.message;
  const last = previous?.message === before ? previous : undefined;
  const rejected = last?.words.slice(-mostRejected) ?? [];
  const template = await repository.template();
  const typed = last?.typed ?? (before.trim() === template ? "" : before);
  const changes = await readChanges(repository, signal);
  const subjects = await repository.subjects();
  const input = {
    ...changes,
    typed,
    rejected,
    template,
    subjects,
    language: services.settings().commitMessageLanguage,
  };
  const { prompt, request } = requestFor(services, { feature: "commitMessage", most: mostTokens }, (budget) =>
    buildCommitPrompt(input, budget),
  );
  signal.throwIfAborted();
  if (prompt.cut > 0) services.onCut(prompt.cut);
  try {
    const isBody = typed.trimStart().includes("\n");
    const words = await receive(services, { request, isBody }, signal, (text) => box.write(joinTyped(typed, text)));
    if (words === undefined) return undefined;
    const message = joinTyped(typed, words);
    return box.finish(message) ? { typed, message, words: [...rejected, words] } : undefined;
  } catch (error) {
    box.restore();
    throw error;
  }
}

async function readChanges(repository: Repository, signal: AbortSignal): Promise<DescribedChanges> {
  const subject = quote(repository.name);
  if (await repository.isMerging()) throw new UserError("mergeInProgress", { subject });
  const found = repository.changes();
  if (found.changes.length === 0) throw new UserError("nothingChanged", { subject });
  const described = await describeChanges(repository, found, signal);
  if (described.files.length === 0) throw new UserError("onlySecretFiles", { subject });
  return described;
}

/** The model's words. `undefined` once `show` refuses a part: then the rest is not waited for. */
async function receive(
  { gateway, now }: MessageServices,
  { request, isBody }: { readonly request: Parameters<Gateway["ask"]>[0]; readonly isBody: boolean },
  signal: AbortSignal,
  show: (text: string) => boolean,
): Promise<string | undefined> {
  let answer = "";
  let shownAt = -Infinity;
  for await (const part of gateway.ask(request, signal)) {
    if (part.type === "finish" && part.reason === "length") throw new UserError("cutOff");
    if (part.type === "finish" && part.reason === "contentFilter") throw new UserError("filtered");
    if (part.type !== "text") continue;
    answer += part.text;
    if (answer.length > longestAnswer) break;
    if (now() - shownAt < updateTime || answer.length < hidden) continue;
    shownAt = now();
    const text = cleanMessage(answer, false, isBody);
    if (text !== "" && !show(text)) return undefined;
  }
  const words = cleanMessage(answer, true, isBody);
  if (words === "") throw new UserError("noMessage");
  return words;
}

/** An input box whose text VS Code tells with a delay. */
interface TextBox {
  message: string;
}

/** Time within which VS Code may still report an earlier text of ours, in milliseconds. */
const echoTime = 2_000;

/**
 * Writes a growing text into the input box of a repository, and stops as soon as the user types there. The box reports
 * each text again once the window shows it (`extHostSCM.ts`, VS Code 1.139), so an earlier text of ours is no typing.
 */
export class BoxWriter {
  readonly #box: TextBox;
  readonly #now: () => number;
  readonly #before: string;
  /** When each text was written. */
  readonly #written = new Map<string, number>();
  #last: string;
  #hasLost = false;

  constructor(box: TextBox, now: () => number) {
    this.#box = box;
    this.#now = now;
    this.#before = box.message;
    this.#last = box.message;
  }

  /** Writes the text; `false` if the user has typed. */
  write(text: string): boolean {
    const now = this.#now();
    const { message } = this.#box;
    const isOurs = message === this.#last || now - (this.#written.get(message) ?? -Infinity) < echoTime;
    this.#hasLost ||= !isOurs;
    if (this.#hasLost) return false;
    if (text === this.#last) return true;
    this.#written.set(text, now);
    this.#last = text;
    this.#box.message = text;
    return true;
  }

  /**
   * Writes the whole text so that one undo in the box brings back what was there: VS Code makes each text a step of its
   * own (`scmViewPane.ts`, VS Code 1.139), so the text from before is written once more.
   */
  finish(text: string): boolean {
    return this.restore() && this.write(text);
  }

  /** Puts back what was there, unless the user has typed. */
  restore(): boolean {
    return this.write(this.#before);
  }
}

import { UserError } from "../failures/userError.ts";
import type { Gateway } from "../gateway/types.ts";
import { quote } from "../text/safeText.ts";
import { BoxWriter } from "./boxWriter.ts";
import { type AskServices, requestFor } from "./changesPrompt.ts";
import { cleanMessage, longestAnswer } from "./cleanMessage.ts";
import { buildCommitPrompt } from "./commitPrompt.ts";
import { type DescribedChanges, describeChanges, messageDiffs } from "./describeChanges.ts";
import { joinTyped } from "./messageLayout.ts";
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
  const { isStaged, changes } = repository.changes();
  if (changes.length === 0) throw new UserError("nothingChanged", { subject });
  const described = await describeChanges({ isStaged, changes }, messageDiffs(repository, isStaged), signal);
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

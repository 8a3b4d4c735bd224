import { l10n, type Memento } from "vscode";
import { secondRequest } from "../../edits/repairPrompt.ts";
import type { FailedAction, Notice } from "../../failures/notice.ts";
import { UserError } from "../../failures/userError.ts";
import type { TextModel } from "../../gateway/models.ts";
import type { ChatRequest, EntryName, FinishReason, Gateway, WaitingEvent } from "../../gateway/types.ts";
import { wholeAnswer } from "../../gateway/wholeAnswer.ts";
import type { Settings } from "../../settings/settings.ts";
import { modelOf } from "../../settings/tokenLimits.ts";
import { estimateTokens } from "../../text/estimateTokens.ts";
import { maskParts } from "../../text/maskSecrets.ts";
import type { TokenCounter } from "../../text/tokenCounter.ts";
import { allTexts, type CodeTarget, outlineOf, readCodeContext } from "../ask/document.ts";
import { buildMessages } from "../ask/prompt.ts";
import { type Answer, type Proposal, proposeFor } from "./answer.ts";
import { outcomeOf } from "./decisions.ts";
import { readAnswer, secondPrompt, type ShownDocument } from "./proposal.ts";
import { RefreshThrottle, type TypingPauses } from "./refreshThrottle.ts";

/** The services an answer needs. */
export interface AnswerServices {
  readonly gateway: Pick<Gateway, "ask" | "preconnect">;
  readonly notifier: { report(error: unknown, operation: FailedAction): Pick<Notice, "text"> | undefined };
  readonly settings: () => Settings;
  readonly tokens: Pick<TokenCounter, "room">;
  readonly workspaceState: Memento;
}

/** The services that conversations share. */
export interface ThreadServices extends AnswerServices {
  readonly typing: TypingPauses;
}

/** The conversation of a question. */
export interface Conversation {
  /** The code as it is now: it may move while the answer arrives. */
  readonly target: CodeTarget;
  refresh(): void;
  answersBefore(answer: Answer): readonly Answer[];
  askAgain(answer: Answer): Promise<void>;
}

export function inlineChatModel(settings: Settings): TextModel {
  return modelOf(settings.inlineChatModel, settings);
}

/** One run of a question, which fills its answer in. */
export class AnswerRun {
  readonly #services: ThreadServices;
  readonly #conversation: Conversation;
  readonly #answer: Answer;
  readonly #asked: Answer["asked"];
  readonly #signal: AbortSignal;

  constructor(services: ThreadServices, conversation: Conversation, answer: Answer, signal: AbortSignal) {
    this.#services = services;
    this.#conversation = conversation;
    this.#answer = answer;
    const { document, lines } = conversation.target;
    answer.begin(allTexts(document), lines);
    this.#asked = answer.asked;
    this.#signal = signal;
  }

  /** Asks the question. A failure is recorded in the answer, not thrown. */
  async run(): Promise<void> {
    const refresh = (): void => {
      this.#conversation.refresh();
    };
    refresh();
    const throttle = new RefreshThrottle(refresh, this.#services.typing);
    try {
      await this.#receive(throttle);
    } catch (error) {
      if (this.#isSuperseded) return;
      const notice = this.#report(error);
      if (notice) this.#answer.breakOff(notice.text);
      else this.#answer.phase = "stopped";
    } finally {
      throttle.stop();
    }
  }

  /** Whether a later run has taken over the answer, so that this one must not change it. */
  get #isSuperseded(): boolean {
    return this.#answer.asked !== this.#asked;
  }

  async #receive(throttle: RefreshThrottle): Promise<void> {
    const answer = this.#answer;
    let entry: EntryName | undefined;
    let reason: FinishReason = "stop";
    const observe = ({ type }: WaitingEvent): void => {
      if (answer.phase !== "asking" && answer.phase !== "thinking") return;
      answer.phase = type === "thinking" ? "thinking" : "asking";
      this.#conversation.refresh();
    };
    const { request, subject } = await this.#request();
    for await (const part of this.#services.gateway.ask(request, this.#signal, observe)) {
      if (part.type === "start") entry = part.entry;
      if (part.type === "finish") reason = part.reason;
      if (part.type !== "text") continue;
      answer.append(part.text);
      throttle.add(part.text.length);
    }
    if (reason === "length") answer.breakOff(l10n.t("truncated: the model reached its output limit"), entry);
    else if (reason === "contentFilter") answer.breakOff(l10n.t("stopped by the gateway's content filter"), entry);
    else {
      const proposal = await this.#proposal(request, subject);
      if (!this.#isSuperseded) answer.finish(proposal, entry);
    }
  }

  /** The request, and the lines of the document that it quotes. */
  async #request(): Promise<{ readonly request: ChatRequest; readonly subject: ShownDocument }> {
    const settings = this.#services.settings();
    const { target } = this.#conversation;
    const { id: model, name, maxInputTokens, reasoningEffort } = inlineChatModel(settings);
    const outline = target.scope === "cursor" ? await outlineOf(target.document) : [];
    const code = readCodeContext(target, this.#asked.document, outline);
    const exchanges = this.#conversation
      .answersBefore(this.#answer)
      .filter(({ text }) => text !== "")
      .map(({ question, text, proposal, hunks, asked }) => ({
        question: question.prompt,
        answer: proposal?.reading.text ?? text,
        outcome: outcomeOf(hunks, maskParts(asked.document)),
      }));
    const room = this.#services.tokens.room(model, maxInputTokens);
    const prompt = buildMessages(code, this.#answer.question.prompt, exchanges, room);
    if (prompt === undefined) throw new UserError("selectionTooLong", { subject: name });
    const { messages, shown } = prompt;
    return {
      request: { api: settings.chatApi, model, messages, reasoningEffort, feature: "inline" },
      subject: { path: code.path, lines: this.#asked.document, shown },
    };
  }

  /** What the answer proposes, if need be after a second attempt. */
  async #proposal(request: ChatRequest, subject: ShownDocument): Promise<Proposal> {
    const { path } = subject;
    const reading = readAnswer(this.#answer.text, path);
    const first = proposeFor(this.#conversation.target, this.#asked, { reading });
    const text = await this.#secondAnswer(request, subject, first);
    if (text === undefined) return first;
    const source = { reading: readAnswer(text, path), first: reading };
    const second = proposeFor(this.#conversation.target, this.#asked, source);
    return second.hunks.length > 0 ? second : first;
  }

  /** Asks once more for edits that do not fit. `undefined` if that cannot help, fails, or is stopped. */
  async #secondAnswer(
    request: ChatRequest,
    subject: ShownDocument,
    { reading, hunks, misfits }: Proposal,
  ): Promise<string | undefined> {
    const isMisfit = hunks.length === 0 && misfits.length > 0;
    const prompt = isMisfit ? secondPrompt(reading.operations, subject, misfits) : undefined;
    if (prompt === undefined) return undefined;
    const second = secondRequest(request, reading.text, prompt);
    const tokens = second.messages.reduce((sum, { content }) => sum + estimateTokens(content), 0);
    const { id, maxInputTokens } = inlineChatModel(this.#services.settings());
    if (tokens > this.#services.tokens.room(id, maxInputTokens)) return undefined;
    this.#answer.phase = "adjusting";
    this.#conversation.refresh();
    try {
      const { text, reason } = await wholeAnswer(this.#services.gateway, [second, this.#signal]);
      return reason === "stop" ? text : undefined;
    } catch (error) {
      if (!this.#isSuperseded) this.#report(error);
      return undefined;
    }
  }

  #report(error: unknown): Pick<Notice, "text"> | undefined {
    return this.#services.notifier.report(error, {
      name: "inline chat",
      keyGroup: "codex",
      retry: () => this.#conversation.askAgain(this.#answer),
      modelFrom: "inlineChat.model",
    });
  }
}

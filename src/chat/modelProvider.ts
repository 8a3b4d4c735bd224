import {
  CancellationError,
  type CancellationToken,
  Disposable,
  type Event,
  EventEmitter,
  type LanguageModelChatProvider,
  type LanguageModelChatRequestMessage,
  LanguageModelChatToolMode,
  lm,
  type Progress,
  type ProvideLanguageModelChatResponseOptions,
  workspace,
} from "vscode";
import { setTimeout } from "node:timers/promises";
import { ask } from "../gateway/ask.ts";
import { TokenCounter } from "../gateway/tokenCounter.ts";
import { estimateTokens } from "../gateway/tokens.ts";
import type { ChatRequest } from "../gateway/types.ts";
import { prefix, vendor } from "../manifest.ts";
import type { Services } from "../services.ts";
import { UserError } from "../ui/userError.ts";
import { withSignal } from "../ui/withSignal.ts";
import { AnswerReport, type ReportedPart } from "./answerReport.ts";
import { countedText, toChatMessages, toTool } from "./messages.ts";
import { modelInformation, type PickableModel } from "./modelInformation.ts";
import { needsTools } from "./needsTools.ts";
import { sentText } from "./sentText.ts";

type Needs = Pick<Services, "gateway" | "keys" | "settings" | "notifier">;

/** VS Code drops text that was reported just before a failure; after this pause, in milliseconds, it is kept. */
const flushPause = 50;

/** Offers the gateway's text models to VS Code. `keysChanged` fires in every window when a key is stored or removed. */
export function registerModelProvider(services: Needs, keysChanged: Event<unknown>): Disposable {
  const changed = new EventEmitter<void>();
  return Disposable.from(
    changed,
    keysChanged(() => {
      changed.fire();
    }),
    workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(prefix)) changed.fire();
    }),
    lm.registerLanguageModelChatProvider(vendor, new ModelProvider(services, changed.event)),
  );
}

/** The text models as VS Code asks them. Keeps nothing of a request: several run at the same time. */
class ModelProvider implements LanguageModelChatProvider<PickableModel> {
  readonly onDidChangeLanguageModelChatInformation: Event<void>;
  readonly #services: Needs;
  readonly #counter = new TokenCounter();

  constructor(services: Needs, changed: Event<void>) {
    this.#services = services;
    this.onDidChangeLanguageModelChatInformation = changed;
  }

  async provideLanguageModelChatInformation(): Promise<PickableModel[]> {
    const { keys, settings } = this.#services;
    const hasKey = (await keys.source("codex")) !== "none";
    return settings().models.map((model) => modelInformation(model, hasKey));
  }

  async provideLanguageModelChatResponse(
    model: PickableModel,
    messages: readonly LanguageModelChatRequestMessage[],
    options: ProvideLanguageModelChatResponseOptions,
    progress: Progress<ReportedPart>,
    token: CancellationToken,
  ): Promise<void> {
    try {
      const mustCall = options.toolMode === LanguageModelChatToolMode.Required;
      const tools = (options.tools ?? []).map(toTool);
      const toolChoice = mustCall ? "required" : "auto";
      const request = { model: model.id, messages: toChatMessages(messages), tools, toolChoice } as const;
      const isHelpless = needsTools(tools, mustCall);
      await withSignal(token, (signal) => this.#answer(request, isHelpless, progress, signal));
    } catch (error) {
      const notice = this.#services.notifier.report(error, { name: "model", keyGroup: "codex" });
      await setTimeout(flushPause);
      throw notice ? withoutStack(notice.text) : new CancellationError();
    }
  }

  provideTokenCount(model: PickableModel, text: string | LanguageModelChatRequestMessage): Promise<number> {
    return Promise.resolve(this.#counter.count(model.id, typeof text === "string" ? text : countedText(text)));
  }

  /** `isHelpless`: the request makes no sense without tools. */
  async #answer(
    request: ChatRequest,
    isHelpless: boolean,
    progress: Progress<ReportedPart>,
    signal: AbortSignal,
  ): Promise<void> {
    const { chatApi, toolCalling } = this.#services.settings();
    if (isHelpless && toolCalling === "off") throw new UserError("noTools");
    const report = new AnswerReport(progress);
    let dropped: readonly string[] = [];
    for await (const part of ask(this.#services.gateway, chatApi, request, signal)) {
      if (part.type === "start") dropped = part.dropped;
      if (isHelpless && dropped.includes("tools")) throw new UserError("noTools");
      report.add(part);
    }
    const usage = report.reportUsage();
    if (usage) this.#counter.learn(request.model, estimateTokens(sentText(request, dropped)), usage.inputTokens);
    report.end();
  }
}

/** VS Code shows the stack of an error after its message. */
function withoutStack(message: string): Error {
  const error = new Error(message);
  error.stack = "";
  return error;
}

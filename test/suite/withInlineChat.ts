import { commands, type Disposable, Range, type TextDocument, workspace } from "vscode";
import type { EditStore } from "../../src/apply/editStore.ts";
import type { ThreadServices } from "../../src/inline/answer/answerRun.ts";
import type { FailedAction } from "../../src/failures/notice.ts";
import type { AnswerPart, ChatRequest } from "../../src/gateway/types.ts";
import { showHunksInEditors } from "../../src/hunks/showHunksInEditors.ts";
import { InlineChat } from "../../src/inline/inlineChat.ts";
import { isInView } from "../../src/ui/editors.ts";
import { readSettings, type Settings } from "../../src/settings/settings.ts";
import { TokenCounter } from "../../src/prompts/tokenCounter.ts";
import { WindowSecrets } from "../../src/text/secrets/windowSecrets.ts";
import { gate, editsIn, stored } from "./editing.ts";
import { testFolder } from "../support/testFolder.ts";
import { until } from "../support/until.ts";

export const question = { shown: "Change it", prompt: "Change it" };

/** An inline chat, what its model says, and what was asked of it. */
class LocalInlineChat {
  /** What the model answers, one question after the other, and with the last text all that follow. */
  texts: string[] = [];
  failure: Error | undefined;
  apply: Settings["inlineChatApply"] = "ask";
  beforeEnd: (signal: AbortSignal) => Promise<unknown> = () => Promise.resolve();
  readonly requests: ChatRequest[] = [];
  readonly reported: FailedAction[] = [];
  readonly #folder: () => string;
  readonly services: Omit<ThreadServices, "typing"> = {
    gateway: { ask: (request, signal) => this.#answer(request, signal), preconnect: () => undefined },
    notifier: {
      report: (error, operation) => {
        if (error instanceof Error && error.name === "AbortError") return undefined;
        this.reported.push(operation);
        return { text: "It failed." };
      },
    },
    settings: () => ({
      ...readSettings((section) => workspace.getConfiguration(section, null)),
      inlineChatApply: this.apply,
    }),
    tokens: new TokenCounter(),
    secrets: new WindowSecrets(),
    gate,
  };
  #edits: EditStore | undefined;
  #chat: InlineChat | undefined;
  #marks: Disposable | undefined;

  constructor(folder: () => string) {
    this.#folder = folder;
  }

  get edits(): EditStore {
    return (this.#edits ??= editsIn(this.#folder()));
  }

  get chat(): InlineChat {
    return this.#open();
  }

  #open(): InlineChat {
    this.#marks ??= showHunksInEditors(this.edits);
    return (this.#chat ??= new InlineChat(this.services, this.edits));
  }

  /** Begins anew with what is stored, as a window that is reloaded. */
  async restart(): Promise<void> {
    await this.end();
    this.#open();
    await this.edits.ready;
  }

  async end(): Promise<void> {
    this.#chat?.dispose();
    this.#marks?.dispose();
    if (this.#edits) await stored(this.#edits);
    this.#edits?.dispose();
    this.#edits = this.#chat = this.#marks = undefined;
  }

  /** Forgets what was asked, and sets what the model answers. */
  reset(texts: readonly string[]): void {
    this.texts = [...texts];
    this.failure = undefined;
    this.apply = "ask";
    this.beforeEnd = () => Promise.resolve();
    this.requests.length = this.reported.length = 0;
  }

  /** Asks about a line. */
  async ask(document: TextDocument, line = 1): Promise<void> {
    const range = new Range(line, 0, line, Math.max(1, document.lineAt(line).text.length));
    await this.chat.open({ uri: document.uri, range, question });
  }

  /** Asks again, and waits until the conversation is in view: its new thread scrolls the editor while it is laid out. */
  async askAgain(document: TextDocument, line = 1): Promise<void> {
    await this.chat.act("askAgain");
    await until(() => isInView({ document, lines: { start: line, end: line + 1 } }));
  }

  /** What the model was told last. */
  asked(request = this.requests.at(-1)): string {
    return request?.messages.at(-1)?.content ?? "";
  }

  async *#answer(request: ChatRequest, signal: AbortSignal): AsyncGenerator<AnswerPart> {
    this.requests.push(request);
    const [text] = this.texts.length > 1 ? this.texts.splice(0, 1) : this.texts;
    await Promise.resolve();
    if (this.failure) throw this.failure;
    yield { type: "start", entry: "primary", dropped: [] };
    if (text !== undefined) yield { type: "text", text };
    await this.beforeEnd(signal);
    yield { type: "finish", reason: "stop" };
  }
}

/** Gives each test of a block a new inline chat, whose model answers these texts, and closes the editor in front after it. */
export function withInlineChat(...texts: readonly string[]): LocalInlineChat {
  const local = new LocalInlineChat(() => folder());
  beforeEach(() => {
    local.reset(texts);
  });
  afterEach(async () => {
    await local.end();
    await commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
  });
  const folder = testFolder();
  return local;
}

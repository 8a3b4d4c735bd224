import { URI, Utils } from "vscode-uri";
import { plainL10n } from "../plainL10n.ts";

/** A class whose instances only hold what they are constructed with, under these names. */
function record(...names: readonly string[]): new (...values: readonly unknown[]) => object {
  return class {
    readonly [name: string]: unknown;

    constructor(...values: readonly unknown[]) {
      for (const [index, name] of names.entries()) Reflect.set(this, name, values[index]);
    }
  };
}

class LanguageModelDataPart extends record("data", "mimeType") {
  static image(data: Uint8Array, mimeType: string): LanguageModelDataPart {
    return new LanguageModelDataPart(data, mimeType);
  }

  static json(value: unknown, mimeType: string): LanguageModelDataPart {
    return new LanguageModelDataPart(Buffer.from(JSON.stringify(value, null, "\t")), mimeType);
  }
}

const MarkdownString = record("value", "supportThemeIcons");

class ChatResponseMarkdownPart extends record("value") {
  constructor(value: unknown) {
    super(typeof value === "string" ? new MarkdownString(value, false) : value);
  }
}

interface Disposable {
  readonly dispose: () => unknown;
}

class EventEmitter<T> {
  readonly #listeners = new Set<(event: T) => unknown>();

  readonly event = (listener: (event: T) => unknown): Disposable => {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  };

  fire(event: T): void {
    for (const listener of this.#listeners) listener(event);
  }
}

class CancellationTokenSource {
  readonly token = { isCancellationRequested: false, onCancellationRequested: new EventEmitter().event };
}

/**
 * VS Code's API as unit tests need it: a window in English, without settings, folders, and editors, and classes that only
 * hold values, as a test in the extension host compares with VS Code's own. All else is `undefined`.
 */
export const stub = {
  l10n: { ...plainL10n },
  env: { language: "en", remoteName: undefined },
  window: {
    onDidChangeActiveTextEditor: new EventEmitter().event,
    showOpenDialog: (): Promise<readonly URI[] | undefined> => Promise.resolve(undefined),
    withProgress: (_: unknown, task: (progress: object, token: object) => unknown): unknown =>
      task({ report: () => undefined }, new CancellationTokenSource().token),
  },
  commands: { executeCommand: (): Promise<undefined> => Promise.resolve(undefined) },
  extensions: { getExtension: (): undefined => undefined, onDidChange: new EventEmitter().event },
  lm: {},
  languages: { createLanguageStatusItem: (): Disposable => ({ dispose: () => undefined }) },
  workspace: {
    getConfiguration: (): object => ({ get: () => undefined, inspect: () => undefined }),
    getWorkspaceFolder: (): undefined => undefined,
    asRelativePath: ({ path }: URI): string => path,
  },
  Disposable: {
    from: (...all: readonly Disposable[]): Disposable => ({
      dispose: () => {
        for (const one of all) one.dispose();
      },
    }),
  },
  CommentMode: { Editing: 0, Preview: 1 },
  LanguageStatusSeverity: { Information: 0, Warning: 1, Error: 2 },
  ProgressLocation: { SourceControl: 1, Window: 10, Notification: 15 },
  QuickInputButtons: { Back: {} },
  QuickPickItemKind: { Separator: -1, Default: 0 },
  StatusBarAlignment: { Left: 1, Right: 2 },
  EventEmitter,
  ThemeColor: record("id"),
  ThemeIcon: record("id"),
  MarkdownString,
  Uri: Object.assign(URI, { joinPath: Utils.joinPath }),
  Location: record("uri", "range"),
  ChatRequestTurn: record(),
  ChatResponseTurn: record(),
  ChatResponseAnchorPart: record("value", "title"),
  ChatResponseMarkdownPart,
  CancellationError: class extends Error {},
  CancellationTokenSource,
  LanguageModelChatMessageRole: { User: 1, Assistant: 2 },
  LanguageModelChatToolMode: { Auto: 1, Required: 2 },
  LanguageModelDataPart,
  LanguageModelPromptTsxPart: record("value"),
  LanguageModelTextPart: record("value"),
  LanguageModelThinkingPart: record("value", "id", "metadata"),
  LanguageModelToolCallPart: record("callId", "name", "input"),
  LanguageModelToolResultPart: record("callId", "content"),
  LanguageModelToolResult: record("content"),
};

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import {
  CancellationTokenSource,
  type ChatRequest as Request,
  type ChatRequestTurn,
  ChatResponseAnchorPart,
  ChatResponseMarkdownPart,
  type ChatResponseStream,
  type ChatResponseTurn,
  commands,
  Diagnostic,
  DocumentSymbol,
  type DocumentSymbolProvider,
  languages,
  lm,
  Location,
  type MarkdownString,
  Range,
  SymbolKind,
  Uri,
  window,
  workspace,
} from "vscode";
import { createFeatures } from "../../src/features.ts";
import type { AnswerPart, ChatRequest } from "../../src/gateway/types.ts";
import { createImages } from "../../src/images/images.ts";
import { vendor } from "../../src/manifest.ts";
import { Keys } from "../../src/settings/keys.ts";
import { readSettings, type Settings } from "../../src/settings/settings.ts";
import { gatewayThat, tellingParts, wholeGateway } from "../support/guarded.ts";
import { memorySecrets } from "../support/memorySecrets.ts";
import { randomTexts } from "../support/randomTexts.ts";
import { answered, asked } from "../support/chatTurns.ts";
import { at, report } from "./editing.ts";
import { MemoryState } from "../support/memoryState.ts";

const { base62, base64, hex } = randomTexts(40);

/** A secret for each place that a value can come from. None of them may reach the gateway. */
export const canaries = {
  dotenv: base62(32),
  yaml: `Harbor${hex(4)}!`,
  pem: [base64(64), base64(64), `${base64(40)}==`].join("\n"),
  json: base62(40),
  token: `ghp_${base62(36)}`,
  connection: `Marlin-${hex(4)}x7`,
  behind: base62(28),
  fileName: `glpat-${base62(20)}`,
  attached: base62(24),
  edited: hex(32),
  tab: base62(30),
  found: hex(40),
  instructions: `npm_${base62(36)}`,
  tool: base62(32),
  system: `sk-proj-${base62(48)}`,
} as const;

/** The files of the workspace, by their names. */
export const files = {
  "walk/.env": `HOST=localhost\nAPI_TOKEN=${canaries.dotenv}\n`,
  "walk/deploy.yaml": `kind: Pod\nenv:\n  - name: DB_PASSWORD\n    value: ${canaries.yaml}\n  - name: PORT\n    value: 80\n`,
  "walk/keys.ts": `export const key = \`\n-----BEGIN RSA PRIVATE KEY-----\n${canaries.pem}\n-----END RSA PRIVATE KEY-----\n\`;\n`,
  "walk/options.json": `{\n  "host": "localhost",\n  "apiKey": "${canaries.json}",\n  "port": 80\n}\n`,
  "walk/server.ts": `const host = "localhost";\nconst token = "${canaries.token}";\nfunction connect() {\n  return open(host, token);\n}\n\nconnect();\n`,
  "walk/client.ts": `const url = "postgres://admin:${canaries.connection}@db.internal:5432/app";\nconst portNumber = 80;\nconnectTo(url, portNumber);\nconst apiToken = "${canaries.behind}";\n`,
  [`walk/dump-${canaries.fileName}.ts`]: "export const rowsOfDump = [];\n",
  "walk/edited.ts": `const editedKeys = 1;\nconst apiKey = "${canaries.edited}";\nconst portNumber = 81;\n`,
  "walk/tab.ts": `export const portNumber = 82;\nexport const connectTo = open;\nconst secretKey = "${canaries.tab}";\n`,
  "walk/lighthouse.ts": `/** Lamps of the lighthouse at the quay. */\nexport const lighthouseLamps = 7;\nconst authToken = "${canaries.found}";\n`,
  "walk/rules.md": `Answer briefly. The registry's token is ${canaries.instructions}.\n`,
} as const;

/** An answer in the chat, as it is shown: its texts, its number of buttons, and the sources above it. */
interface ShownAnswer {
  readonly shown: readonly string[];
  readonly buttons: number;
  readonly listed: readonly unknown[];
}

/** The real features in this window, with a gateway that notes what it receives, and files with canaries. */
export class TestWindow {
  /** What the model answers, one request after the other, and with the last all that follow. */
  answers: ((request: ChatRequest) => string | Iterable<AnswerPart>)[] = [];
  readonly received: ChatRequest[] = [];
  /** The model to which a connection was opened last. */
  connected: string | undefined;
  settings: Partial<Settings> = {};
  /** The id of the edit that the last answer in the chat proposes. */
  edit = "";
  readonly token = new CancellationTokenSource().token;
  readonly features: ReturnType<typeof createFeatures>;
  readonly #problems = languages.createDiagnosticCollection("canaries");
  readonly #cleanup = new DisposableStack();
  #history: (ChatRequestTurn | ChatResponseTurn)[] = [];

  constructor() {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(at(name).fsPath), { recursive: true });
      writeFileSync(at(name).fsPath, text);
    }
    const storage = mkdtempSync(join(tmpdir(), "canaries-"));
    const [state, workspaceState] = [new MemoryState(), new MemoryState()];
    const subscriptions: { dispose(): unknown }[] = [];
    const unguarded = wholeGateway(
      gatewayThat((request) => {
        this.received.push(request);
        return (this.answers.length > 1 ? this.answers.shift() : this.answers[0])?.(request) ?? "Yes.";
      }),
    );
    this.features = createFeatures(
      {
        // The gateway is there after the features, as in extension.ts.
        gateway: {
          ...unguarded,
          ask: (...args) => gateway.ask(...args),
          preconnect: (model) => (this.connected = model),
        },
        images: createImages({ workspaceState, subscriptions }),
        keys: new Keys(memorySecrets(), {}),
        log: window.createOutputChannel("Canaries", { log: true }),
        settings: (scope) => ({
          ...readSettings((section, of) => workspace.getConfiguration(section, of), scope),
          baseUrl: "https://gateway.invalid/v1",
          ...this.settings,
        }),
        state,
        workspaceState,
        storage: Uri.file(storage),
        editStorage: Uri.file(join(storage, "edits")),
      },
      Uri.file(storage),
      () => undefined,
    );
    const gateway = this.features.guarded(unguarded);
    // Names of symbols are what language services make of the code.
    const provideDocumentSymbols: DocumentSymbolProvider["provideDocumentSymbols"] = (document) => {
      const range = new Range(0, 0, document.lineCount - 1, 0);
      return [new DocumentSymbol(document.lineAt(1 % document.lineCount).text, "", SymbolKind.Class, range, range)];
    };
    const symbols = languages.registerDocumentSymbolProvider({ pattern: "**/walk/*" }, { provideDocumentSymbols });
    this.#cleanup.defer(() => {
      for (const one of [...subscriptions, this.features, this.#problems, symbols]) one.dispose();
      rmSync(storage, { recursive: true });
      rmSync(at("walk").fsPath, { recursive: true });
    });
  }

  get count(): number {
    return this.received.length;
  }

  /** What the gateway received last. */
  get last(): string {
    return textOf(this.received.at(-1));
  }

  /** Asks `@codex`, as VS Code does, and adds the turn to the chat. */
  async ask(prompt: string, more: Partial<Request> & { readonly fails?: boolean } = {}): Promise<ShownAnswer> {
    const [model] = await lm.selectChatModels({ vendor });
    const { fails = false, ...rest } = more;
    const request = { prompt, command: undefined, references: [], toolReferences: [], model, ...rest };
    const parts: (ChatResponseMarkdownPart | ChatResponseAnchorPart)[] = [];
    const listed: unknown[] = [];
    let buttons = 0;
    const stream = {
      markdown: (value: string | MarkdownString) => parts.push(new ChatResponseMarkdownPart(value)),
      button: () => void (buttons += 1),
      progress: () => undefined,
      reference: (source: unknown) => listed.push(source),
      anchor: (value: Uri | Location, title: string) => parts.push(new ChatResponseAnchorPart(value, title)),
    };
    // VS Code's interfaces have more, which no feature uses.
    const result = await this.features.answer(
      request as unknown as Request,
      { history: this.#history },
      stream as unknown as ChatResponseStream,
      this.token,
    );
    assert.equal(result?.errorDetails !== undefined, fails, result?.errorDetails?.message);
    const { command, references } = request;
    this.#history.push(
      asked(prompt, { references: [...references], ...(command !== undefined && { command }) }),
      answered(parts, result?.metadata),
    );
    this.edit = String(result?.metadata?.edit ?? "");
    return { shown: parts.map(shownText), buttons, listed };
  }

  /** Reports problems of the first lines of a file. */
  async report(name: string, ...messages: readonly string[]): Promise<void> {
    const found = messages.map((message, line) => new Diagnostic(new Range(line, 0, line, 3), message));
    await report(this.#problems, at(name), found);
  }

  /** Checks that something was sent since the last check, without any canary, and begins a new chat. */
  check(): void {
    assert.ok(this.count > 0, "Nothing was sent.");
    for (const { messages, tools } of this.received.splice(0)) {
      const sent = JSON.stringify([messages, tools]);
      for (const [name, secret] of Object.entries(canaries))
        for (const part of tellingParts(secret)) {
          const place = sent.indexOf(part);
          assert.ok(place < 0, `${name}: ${part} in ${sent.slice(Math.max(0, place - 200), place + 100)}`);
        }
    }
    this.#problems.clear();
    [this.answers, this.settings, this.#history, this.edit] = [[], {}, [], ""];
  }

  async dispose(): Promise<void> {
    // What is unsaved would be saved some moments later.
    while (window.tabGroups.activeTabGroup.activeTab)
      await commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
    this.#cleanup.dispose();
  }
}

function shownText(part: ChatResponseMarkdownPart | ChatResponseAnchorPart): string {
  if (part instanceof ChatResponseMarkdownPart) return part.value.value.replaceAll("\\", "");
  const { value, title } = part;
  return value instanceof Location ? `${title}: ${value.uri.path.split("/").at(-1)} ${value.range.start.line}` : "";
}

/** All that a request says. */
export function textOf(request: ChatRequest | undefined): string {
  return request?.messages.map(({ content }) => content).join("\n") ?? "";
}

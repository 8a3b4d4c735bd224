import assert from "node:assert/strict";
import { mock } from "node:test";
import { extensions, lm, window, workspace } from "vscode";
import { keepUsing } from "../../src/failures/actions.ts";
import type { AnswerPart, ChatRequest, Gateway } from "../../src/gateway/types.ts";
import { apiForTools } from "../../src/settings/modelSettings.ts";
import { useForAiFeatures } from "../../src/setup/useInChat.ts";
import { MemoryState } from "../support/memoryState.ts";
import { allPlainSettings } from "../support/plainSettings.ts";

const settings = { ...allPlainSettings, baseUrl: "https://gateway.test" };
const start = { type: "start", entry: "primary", dropped: [], api: "responses" } as const;

describe("VS Code's chat that is on the gateway's models already", () => {
  beforeEach(() => {
    Object.assign(extensions, { getExtension: () => ({ isActive: true }) });
    const inspect = (name: string): unknown =>
      name === "chat.utilityModel" ? { globalValue: "codex-gateway/gpt-5.4" } : undefined;
    Object.assign(workspace, { isTrusted: true, getConfiguration: () => ({ get: () => undefined, inspect }) });
  });
  after(() => {
    mock.timers.reset();
  });

  /** Keeps using the models of a gateway that answers so, and returns the API for questions with tools. */
  async function keptWith(answer: (request: ChatRequest) => AsyncIterable<AnswerPart>): Promise<() => unknown> {
    const gateway: Pick<Gateway, "ask"> = { ask: answer };
    const state = new MemoryState();
    const services = { gateway, settings: () => settings, state } as unknown as Parameters<typeof useForAiFeatures>[0];
    await useForAiFeatures(services, keepUsing);
    return () => apiForTools(settings, state);
  }

  it("finds out whether the Responses API answers in Agent", async () => {
    const api = await keptWith(async function* () {
      await Promise.resolve();
      yield start;
    });
    assert.equal(api(), "responsesFirst");
  });

  it("does so, too, if the gateway takes longer than one waits for it", async () => {
    mock.timers.enable({ apis: ["setTimeout"] });
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const kept = keptWith(async function* () {
      await promise;
      yield start;
    });
    await new Promise(setImmediate);
    mock.timers.tick(5_000);
    const api = await kept;
    assert.equal(api(), "auto");
    resolve(undefined);
    await new Promise(setImmediate);
    assert.equal(api(), "responsesFirst");
  });
});

it("Use Everywhere names the user's models, for commit messages also for titles", async () => {
  const user: Readonly<Record<string, string>> = { "chat.model": "own-large", "commitMessage.model": "own-small" };
  const inspect = (name: string): unknown =>
    name in user || name.startsWith("chat.utility") ? { defaultValue: "", globalValue: user[name] } : undefined;
  let shown = "";
  const refuse = (_: string, { detail }: { readonly detail: string }): Promise<undefined> => {
    shown = detail;
    return Promise.resolve(undefined);
  };
  Object.assign(extensions, { getExtension: () => ({ isActive: true }) });
  Object.assign(lm, { selectChatModels: () => Promise.resolve([]) });
  Object.assign(window, { showInformationMessage: refuse });
  Object.assign(workspace, { isTrusted: true, getConfiguration: () => ({ get: () => undefined, inspect }) });
  const off = { ...settings, toolCalling: "off" } as const;
  const services = { settings: () => off, state: new MemoryState() } as unknown as Parameters<
    typeof useForAiFeatures
  >[0];
  await useForAiFeatures(services);
  assert.match(shown, /^chat\.utilityModel: not set → codex-gateway\/own-large$/m);
  assert.match(shown, /^chat\.utilitySmallModel: not set → codex-gateway\/own-small$/m);
});

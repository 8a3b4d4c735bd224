import assert from "node:assert/strict";
import { commands, LanguageModelChatMessage, lm, workspace } from "vscode";
import type { FailedAction } from "../../src/failures/notice.ts";
import { noticeOf } from "../../src/failures/notices.ts";
import { GatewayError, type GatewayErrorDetails } from "../../src/gateway/errors.ts";
import { prefix, vendor } from "../../src/manifest.ts";
import { type LocalGateway, startGateway } from "../support/gateway/gateway.ts";
import { configure } from "./editing.ts";

const model = "gpt-5.4";
const limited = { status: 400, model, tokenLimit: 128_000, limits: "context" } as const;
const setLimit = { command: `${prefix}.setTokenLimit`, arguments: [{ model, maxInputTokens: 112_000 }] };

const retry = (): Promise<void> => Promise.resolve();
const question: FailedAction = { name: "chat", keyGroup: "codex", retry, isInChat: true };
const inline: FailedAction = { name: "inline chat", keyGroup: "codex", retry, modelFrom: "inlineChat.model" };
const native: FailedAction = {
  name: "model",
  keyGroup: "codex",
  modelFrom: "picker",
  isInChat: true,
  builtInChat: { question: "Why?" },
};

describe("a prompt that is too long", () => {
  afterEach(() => configure({ models: undefined }));

  const cases: readonly (readonly [string, FailedAction, GatewayErrorDetails, string, readonly string[]])[] = [
    [
      "@codex",
      question,
      limited,
      "The prompt is too long for the model “gpt-5.4”, which handles 128,000 tokens including the answer (400). Start a new chat, attach less, or choose a model that accepts more.",
      ["Set Limit", "Retry", "Select Model"],
    ],
    [
      "VS Code's own chat",
      native,
      { ...limited, limits: "input" },
      "The prompt is too long for the model “gpt-5.4”, which accepts 128,000 tokens (400). Start a new chat, attach less, or choose a model that accepts more.",
      ["Set Limit", "Select Model"],
    ],
    [
      "inline chat",
      inline,
      { ...limited, status: 413 },
      "The prompt is too long for the model “gpt-5.4”, which handles 128,000 tokens including the answer (413). Select fewer lines, start a new conversation, or choose a model that accepts more.",
      ["Set Limit", "Retry", "Open Settings"],
    ],
    [
      "inline chat, without a limit",
      inline,
      { status: 413 },
      "The prompt is too long for this model (413). Select fewer lines, start a new conversation, or choose a model that accepts more.",
      ["Open Settings"],
    ],
    [
      "an image",
      { name: "image", keyGroup: "image", retry },
      { ...limited, model: "gpt-image-2" },
      "The prompt is too long for the image model (400). Shorten it, then try again.",
      ["Show Log"],
    ],
    [
      "another extension",
      { ...native, isInChat: false, builtInChat: { question: undefined } },
      { status: 400, model },
      "The prompt is too long for the model “gpt-5.4” (400). Send less, or choose a model that accepts more.",
      ["Select Model", "Open Settings"],
    ],
    [
      "a limit above the configured one",
      question,
      { ...limited, tokenLimit: 1_000_000, limits: "input" },
      "The prompt is too long for the model “gpt-5.4”, which accepts 1,000,000 tokens (400). Start a new chat, attach less, or choose a model that accepts more.",
      ["Set Limit", "Select Model"],
    ],
  ];
  for (const [place, operation, details, text, titles] of cases) {
    it(`is told with the right next step: ${place}`, () => {
      const notice = noticeOf(new GatewayError("contextTooLong", "", details), operation);
      assert.equal(notice.text, text);
      assert.deepEqual(
        notice.actions.map(({ title }) => title),
        titles,
      );
    });
  }

  it("has a Set Limit that keeps everything in the setting, until its limit is configured", async () => {
    const models = { [model]: { name: "Mine", reasoningEffort: "low" }, "gpt-9": { maxOutputTokens: 5_000 } };
    await configure({ models });
    const offered = () => noticeOf(new GatewayError("contextTooLong", "", limited), question).actions[0];
    assert.deepEqual(offered()?.call, setLimit);
    await offered()?.run();
    assert.deepEqual(userModels(), { ...models, [model]: { ...models[model], maxInputTokens: 112_000 } });
    assert.equal(offered()?.title, "Select Model");
  });

  it("has a Set Limit that writes nothing on a foreign word", async () => {
    for (const argument of [
      undefined,
      "gpt-5.4",
      { model },
      { model, maxInputTokens: 3_999 },
      { model, maxInputTokens: 1e12 },
      { model, maxInputTokens: "112000" },
      { model: " gpt\u200b", maxInputTokens: 112_000 },
    ]) {
      await commands.executeCommand(setLimit.command, argument);
      assert.equal(userModels(), undefined, JSON.stringify(argument));
    }
    await commands.executeCommand("workbench.action.closeAllEditors");
  });
});

describe("a limit that the gateway names", () => {
  let gateway: LocalGateway;

  before(async () => {
    gateway = await startGateway();
    process.env.CODEX_GATEWAY_API_KEY = gateway.keys.codex;
    await configure({ baseUrl: gateway.primary.url });
  });

  after(async () => {
    delete process.env.CODEX_GATEWAY_API_KEY;
    await configure({ baseUrl: undefined, models: undefined });
    await gateway.close();
  });

  it("is what VS Code hears about the model from then on, until settings change", async () => {
    const message = "This model's maximum context length is 128000 tokens. However, you requested 130000 tokens.";
    gateway.entry("primary").next(1, { status: 400, body: JSON.stringify({ error: { message } }) });
    const [found] = await lm.selectChatModels({ vendor, id: model });
    assert.equal(found?.maxInputTokens, 272_000);
    await assert.rejects(async () => {
      const { text } = await found.sendRequest([LanguageModelChatMessage.User("Why?")]);
      for await (const part of text) assert.fail(part);
    }, /The prompt is too long for the model “gpt-5\.4”/);
    assert.equal(gateway.requests.length, 1);
    await maxInputTokens(112_000);
    await configure({ models: { "gpt-9": {} } });
    await maxInputTokens(272_000);
  });
});

/** Waits until VS Code knows the limit. */
async function maxInputTokens(expected: number): Promise<void> {
  for (;;) {
    const changed = new Promise((resolve) => {
      const listener = lm.onDidChangeChatModels(() => {
        listener.dispose();
        resolve(undefined);
      });
    });
    const [found] = await lm.selectChatModels({ vendor, id: model });
    if (found?.maxInputTokens === expected) return;
    await changed;
  }
}

function userModels(): unknown {
  return workspace.getConfiguration(prefix).inspect("models")?.globalValue;
}

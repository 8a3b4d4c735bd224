import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import {
  CancellationTokenSource,
  LanguageModelChatMessage,
  type LanguageModelChat,
  type LanguageModelChatResponse,
  LanguageModelChatToolMode,
  LanguageModelDataPart,
  LanguageModelTextPart,
  LanguageModelToolCallPart,
  lm,
} from "vscode";
import { textModels } from "../../src/gateway/models.ts";
import { vendor } from "../../src/manifest.ts";
import { type LocalGateway, startGateway } from "../support/gateway/gateway.ts";
import { isRecord } from "../support/gateway/json.ts";
import { configure } from "./editing.ts";
import { until } from "../support/until.ts";

const tools = [{ name: "look_up", description: "Looks a word up.", inputSchema: { type: "object", properties: {} } }];

const user = (content: Parameters<typeof LanguageModelChatMessage.User>[0]): LanguageModelChatMessage =>
  LanguageModelChatMessage.User(content);

describe("the models, asked by another extension", () => {
  let gateway: LocalGateway;
  let model: LanguageModelChat;

  before(async () => {
    gateway = await startGateway();
    // The extension reads its environment at every request.
    process.env.CODEX_GATEWAY_API_KEY = gateway.keys.codex;
    await configure({ baseUrl: gateway.primary.url, backupBaseUrl: gateway.backup.url });
    const [found] = await lm.selectChatModels({ vendor, id: "gpt-5.4" });
    assert.ok(found);
    model = found;
  });

  beforeEach(() => gateway.reset());

  after(async () => {
    delete process.env.CODEX_GATEWAY_API_KEY;
    await configure({ baseUrl: undefined, backupBaseUrl: undefined, models: undefined });
    await gateway.close();
  });

  it("are asked with the reasoning effort of the settings, where tools or a light effort make it worth the wait", async () => {
    for (const reasoningEffort of ["high", "low"]) {
      await configure({ models: { "gpt-5.4": { reasoningEffort } } });
      await send(user("Hello"));
      await ask("A title, please");
    }
    await configure({ models: undefined });
    const efforts = gateway.requests.map(({ body }) => isRecord(body) && body.reasoning_effort);
    assert.deepEqual(efforts, ["high", undefined, "low", "low"]);
  });

  it("close the request when it is cancelled", async () => {
    gateway.mode({ hold: "midAnswer" });
    const source = new CancellationTokenSource();
    const answer = ask("Count to 100", source).catch(() => undefined);
    await gateway.until((_, held) => held === 1);
    source.cancel();
    // The gateway holds its answer back: nothing else ends the request.
    await gateway.until(([request]) => request?.closed !== undefined);
    await answer;
  });

  it("call a tool if one is required, fail if the gateway does not support tools, and answer if they are optional", async () => {
    const require = async (): Promise<unknown[]> =>
      partsOf(await model.sendRequest([user("Hello")], { tools, toolMode: LanguageModelChatToolMode.Required }));
    assert.equal((await require()).filter((part) => part instanceof LanguageModelToolCallPart).length, 1);
    gateway.mode({ refuses: ["tools"] });
    assert.match(textIn(await send(user("What is a pier?"))), /pier/);
    await assert.rejects(require, /the gateway does not support them/);
    await configure({ models: { "gpt-6": {} } });
    const before = gateway.requests.length;
    await send(user("What is a quay?"));
    assert.equal(gateway.requests.length - before, 1, "a setting that is not the connection's changes nothing");
  });

  it("report the cause in one sentence, after the text that was received and its usage", async () => {
    const failed = async (): Promise<{ parts: unknown[]; message: string }> => {
      const parts: unknown[] = [];
      const { stream } = await model.sendRequest([user("Count to 50")]);
      try {
        for await (const part of stream) {
          parts.push(part);
          gateway.release();
        }
      } catch (error) {
        assert.ok(error instanceof Error);
        return { parts, message: error.message };
      }
      assert.fail("It did not fail.");
    };
    // VS Code drops the parts that arrive with the error before the stream is read (`AsyncIterableSource`, VS Code 1.139).
    gateway.mode({ finish: "length", hold: "midAnswer" });
    const { parts, message } = await failed();
    assert.match(textIn(parts), /^1\./);
    assert.equal(parts.filter((part) => part instanceof LanguageModelDataPart).length, 1);
    assert.match(message, /^The answer is truncated: the model reached its output limit\. [^\n]*\.$/);
    gateway.entry("primary").always({ status: 401 });
    assert.match((await failed()).message, /^The gateway does not accept the API key \(401\)[^\n]*\.$/);
  });

  it("report the usage once, with the cached tokens if the gateway reports them", async () => {
    const counts = { prompt_tokens: 18_400, completion_tokens: 80, total_tokens: 18_480 };
    const choices = [{ index: 0, message: { role: "assistant", content: "Done." }, finish_reason: "stop" }];
    for (const usage of [counts, { ...counts, prompt_tokens_details: { cached_tokens: 17_920 } }]) {
      gateway.entry("primary").next(1, { status: 200, body: JSON.stringify({ choices, usage }) });
      const reported = (await send(user("Go on"))).filter((part) => part instanceof LanguageModelDataPart);
      assert.deepEqual(
        reported.map(({ mimeType, data }): unknown[] => [mimeType, JSON.parse(new TextDecoder().decode(data))]),
        [["usage", usage]],
      );
    }
  });

  it("count tokens as the gateway has reported them", async () => {
    // The local gateway counts less for these characters than any model.
    const text = "灯塔看守人数着船只。".repeat(2_000);
    const [unused] = await lm.selectChatModels({ vendor, id: "gpt-5.3-codex" });
    assert.ok(unused);
    const before = await unused.countTokens(text);
    await partsOf(await unused.sendRequest([user(text)]));
    const after = await unused.countTokens(text);
    assert.ok(after < 0.9 * before, `${before}, then ${after}`);
  });

  async function ask(text: string, source?: CancellationTokenSource): Promise<unknown[]> {
    return partsOf(await model.sendRequest([user(text)], {}, source?.token));
  }

  async function send(...messages: LanguageModelChatMessage[]): Promise<unknown[]> {
    return partsOf(await model.sendRequest(messages, { tools }));
  }
});

describe("the list of models", () => {
  it("has the five with names, families and limits", async () => {
    const models = await lm.selectChatModels({ vendor });
    const told = models.map(({ id, name, family, maxInputTokens }) => ({ id, name, family, maxInputTokens }));
    const expected = textModels.map(({ id, name, maxInputTokens }) => ({ id, name, family: id, maxInputTokens }));
    assert.deepEqual(told, expected);
  });

  it("has the models and the prices of the settings, as soon as they are set", async () => {
    const models = { "gpt-6": { input: 1.25, cachedInput: 0.125, output: 10 } };
    await configure({ models: { "gpt-6": { maxInputTokens: 1_000 } }, prices: { currency: "USD", models } });
    try {
      await until(async () => {
        const [listed] = await lm.selectChatModels({ vendor, id: "gpt-6" });
        // VS Code has the costs on the object, but not in its types.
        const names = ["maxInputTokens", "inputCost", "cacheCost", "outputCost"];
        const told = names.map((name): unknown => listed && Reflect.get(listed, name));
        return isDeepStrictEqual(told, [1_000, 1.25, 0.125, 10]);
      });
    } finally {
      await configure({ models: undefined, prices: undefined });
    }
  });
});

async function partsOf({ stream }: LanguageModelChatResponse): Promise<unknown[]> {
  const parts: unknown[] = [];
  for await (const part of stream) parts.push(part);
  return parts;
}

function textIn(parts: readonly unknown[]): string {
  return parts.map((part) => (part instanceof LanguageModelTextPart ? part.value : "")).join("");
}

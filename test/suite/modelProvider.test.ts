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
  LanguageModelToolResultPart,
  lm,
} from "vscode";
import { modelInformation } from "../../src/chat/models/modelInformation.ts";
import { textModels } from "../../src/gateway/models.ts";
import { vendor } from "../../src/manifest.ts";
import { readPrices } from "../../src/settings/prices.ts";
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

  it("answer ten requests at the same time", async () => {
    const words = Array.from({ length: 10 }, (_, index) => `lighthouse${index}`);
    gateway.mode({ hold: "midAnswer" });
    const answers = words.map((word) => ask(`What is ${word}?`));
    await gateway.until((_, held) => held === 10);
    gateway.release();
    for (const [index, parts] of (await Promise.all(answers)).entries()) {
      const text = textIn(parts);
      const asked = words.filter((word) => text.includes(`${word}?`));
      assert.deepEqual(asked, [words[index]]);
    }
  });

  it("are asked with the reasoning effort of the settings, where tools or a light effort make it worth the wait", async () => {
    const question = [user("Hello")];
    await configure({ models: { "gpt-5.4": { reasoningEffort: "high" } } });
    await send(question);
    await ask("A title, please");
    await configure({ models: { "gpt-5.4": { reasoningEffort: "low" } } });
    await ask("A title, please");
    await configure({ models: undefined });
    await send(question);
    const efforts = gateway.requests.map(({ body }) => isRecord(body) && body.reasoning_effort);
    assert.deepEqual(efforts, ["high", undefined, "low", undefined]);
  });

  it("close the request when it is cancelled", async () => {
    gateway.mode({ hold: "midAnswer" });
    const source = new CancellationTokenSource();
    const answer = ask("Count to 100", [], source).catch(() => undefined);
    await gateway.until((_, held) => held === 1);
    source.cancel();
    // The gateway holds its answer back: nothing else ends the request.
    await gateway.until(([request]) => request?.closed !== undefined);
    await answer;
  });

  it("call a tool once with its whole input, and continue with its result", async () => {
    const question = user('Please call look_up with {"word": "buoy"}');
    const calls = (await send([question])).filter((part) => part instanceof LanguageModelToolCallPart);
    const [call] = calls;
    assert.ok(call?.callId);
    assert.deepEqual([calls.length, call.name, call.input], [1, "look_up", { word: "buoy" }]);
    const result = new LanguageModelToolResultPart(call.callId, [new LanguageModelTextPart("It floats.")]);
    const answer = await send([question, LanguageModelChatMessage.Assistant([call]), user([result])]);
    assert.match(textIn(answer), /look_up.*It floats\./);
  });

  it("report the cause in one sentence without a stack, after the text that was received", async () => {
    gateway.entry("primary").always({ broken: "unfinished", after: 2 });
    const { text, error } = await broken("Count to 50");
    assert.match(text, /^1\./);
    assert.match(error.message, /^The answer was interrupted\. What you received so far is kept; ask again .*\.$/);
    gateway.entry("primary").always({ status: 401 });
    const refused = await broken("Hello");
    assert.match(refused.error.message, /^The gateway does not accept the API key \(401\)/);
  });

  it("report why an answer is incomplete, after its text and its usage", async () => {
    gateway.mode({ finish: "length" });
    const { text, error, counts } = await broken("Count to 50");
    assert.match(text, /^1\./);
    assert.equal(counts, 1);
    assert.match(error.message, /^The answer is truncated: the model reached its output limit\./);
    gateway.mode({ finish: "content_filter" });
    const filtered = await broken("Count to 50");
    assert.match(filtered.text, /^1\./);
    assert.match(filtered.error.message, /^The gateway's content filter stopped the answer\./);
  });

  it("reject an image of an unsupported type in the question before anything is sent", async () => {
    const image = LanguageModelDataPart.image(Buffer.from("II*\0"), "image/tiff");
    const message = user([new LanguageModelTextPart("What is this?"), image]);
    await assert.rejects(send([message]), /Only images in PNG, JPEG, GIF, or WebP can be sent\. Convert or remove/);
    assert.equal(gateway.requests.length, 0);
  });

  it("send no ill-formed strings, and report the usage once", async () => {
    const counts = (await ask("half a \ud83d smile")).filter((part) => part instanceof LanguageModelDataPart);
    assert.deepEqual([counts.length, counts[0]?.mimeType], [1, "usage"]);
    const usage: unknown = JSON.parse(new TextDecoder().decode(counts[0]?.data));
    assert.ok(isRecord(usage));
    assert.deepEqual(Object.keys(usage), ["prompt_tokens", "completion_tokens", "total_tokens"]);
    assert.match(JSON.stringify(gateway.requests[0]?.body), /half a \ufffd smile/);
  });

  it("report the cached tokens of each request of an Agent's turn, if the gateway reports them", async () => {
    const turn = [
      { input: 18_000, cached: 0, output: 120 },
      { input: 18_400, cached: 17_920, output: 80 },
      { input: 19_000, cached: 18_304, output: 200 },
    ];
    const choices = [{ index: 0, message: { role: "assistant", content: "Done." }, finish_reason: "stop" }];
    for (const { input, cached, output } of turn) {
      const usage = {
        prompt_tokens: input,
        completion_tokens: output,
        total_tokens: input + output,
        prompt_tokens_details: { cached_tokens: cached },
      };
      gateway.entry("primary").next(1, { status: 200, body: JSON.stringify({ choices, usage }) });
      const parts = (await send([user("Go on")])).filter((part) => part instanceof LanguageModelDataPart);
      assert.deepEqual(
        parts.map(({ data }): unknown => JSON.parse(new TextDecoder().decode(data))),
        [usage],
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

  it("call a tool if one is required, fail if the gateway does not support tools, and answer if they are optional", async () => {
    const parts = await send([user("Hello")], LanguageModelChatToolMode.Required);
    assert.equal(parts.filter((part) => part instanceof LanguageModelToolCallPart).length, 1);
    gateway.mode({ refuses: ["tools"] });
    assert.match(textIn(await send([user("What is a pier?")])), /pier/);
    const refused = send([user("Hello")], LanguageModelChatToolMode.Required);
    await assert.rejects(refused, /the gateway does not support them/);
    await configure({ models: { "gpt-6": {} } });
    const before = gateway.requests.length;
    await send([user("What is a quay?")]);
    assert.equal(gateway.requests.length - before, 1, "a setting that is not the connection's changes nothing");
  });

  async function ask(text: string, offered = tools.slice(1), source?: CancellationTokenSource): Promise<unknown[]> {
    const response = await model.sendRequest([user(text)], { tools: offered }, source?.token);
    return partsOf(response);
  }

  async function send(
    messages: LanguageModelChatMessage[],
    toolMode: LanguageModelChatToolMode = LanguageModelChatToolMode.Auto,
  ): Promise<unknown[]> {
    return partsOf(await model.sendRequest(messages, { tools, toolMode }));
  }

  /** What came of an answer that failed, and how it failed. */
  async function broken(text: string): Promise<{ text: string; counts: number; error: Error }> {
    const parts: unknown[] = [];
    try {
      const response = await model.sendRequest([user(text)]);
      for await (const part of response.stream) parts.push(part);
    } catch (error) {
      assert.ok(error instanceof Error);
      const counts = parts.filter((part) => part instanceof LanguageModelDataPart).length;
      return { text: textIn(parts), counts, error };
    }
    throw new Error("It did not fail.");
  }
});

describe("the list of models", () => {
  it("has the five with names, families and limits, and those of the settings", async () => {
    const models = await lm.selectChatModels({ vendor });
    const told = models.map(({ id, name, family, maxInputTokens }) => ({ id, name, family, maxInputTokens }));
    const expected = textModels.map(({ id, name, maxInputTokens }) => ({ id, name, family: id, maxInputTokens }));
    assert.deepEqual(told, expected);
  });

  it("follows the settings", async () => {
    await configure({ models: { "gpt-6": { name: "GPT-6", maxInputTokens: 1_000 } } });
    try {
      await until(async () => (await lm.selectChatModels({ vendor, id: "gpt-6" }))[0]?.maxInputTokens === 1_000);
    } finally {
      await configure({ models: undefined });
    }
  });

  it("has the prices of the settings, in words and in numbers, as soon as they are set", async () => {
    const models = { "gpt-5.4": { input: 1.25, cachedInput: 0.125, output: 10 }, "gpt-5.5": { image: 1 } };
    await configure({ prices: { currency: "USD", models } });
    try {
      await until(async () => {
        const [listed] = await lm.selectChatModels({ vendor, id: "gpt-5.4" });
        // VS Code has these on the object, but not in its types.
        const costs = ["inputCost", "cacheCost", "outputCost"].map(
          (name): unknown => listed && Reflect.get(listed, name),
        );
        return isDeepStrictEqual(costs, [1.25, 0.125, 10]);
      });
    } finally {
      await configure({ prices: undefined });
    }
    const [priced, unpriced] = ["gpt-5.4", "gpt-5.5"].map((id) => {
      const model = textModels.find((one) => one.id === id);
      assert.ok(model);
      return modelInformation(model, true, readPrices({ currency: "USD", models }));
    });
    const sentence = / A million tokens cost \$1\.25 for input, \$0\.125 for cached input, and \$10\.00 for output\.$/;
    assert.match(priced?.tooltip ?? "", sentence);
    assert.ok(unpriced && !("inputCost" in unpriced || "cacheCost" in unpriced || "outputCost" in unpriced));
    assert.doesNotMatch(unpriced.tooltip ?? "", /cost/);
  });

  it("describes each model with the reasoning effort of the settings and a missing key, which hides none", () => {
    for (const model of textModels) {
      const { detail, statusIcon, capabilities } = modelInformation(model, false);
      assert.deepEqual([detail, statusIcon?.id, capabilities.toolCalling], ["API key required", "warning", true]);
      assert.equal(capabilities.imageInput, true);
      const { tooltip: plain, ...others } = modelInformation(model, true);
      assert.equal(others.detail, undefined);
      assert.match(plain ?? "", /^[A-Z].*\.$/);
      const { tooltip } = modelInformation({ ...model, reasoningEffort: "high" }, true);
      assert.equal(tooltip, `${plain} Reasoning effort in settings: high.`);
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

import assert from "node:assert/strict";
import type { AnswerPart } from "../../src/gateway/types.ts";
import { estimateTokens } from "../../src/prompts/estimateTokens.ts";
import { sumOf, type UsageDelta } from "../../src/usage/usageRow.ts";
import { usageRecorder } from "../../src/usage/usageRecorder.ts";
import { each } from "../support/each.ts";
import { partsOf, question, textIn, withLocalClient } from "../support/localClient.ts";
import { until } from "../support/until.ts";

describe("the usage recorder", () => {
  const setup = withLocalClient();

  /** What it records of the events since it was asked last. */
  const recorded = (): readonly UsageDelta[] => {
    const deltas: UsageDelta[] = [];
    const ledger = { add: (delta: UsageDelta) => deltas.push(delta) };
    const record = usageRecorder({ ledger, estimate: (_, text) => estimateTokens(text) });
    for (const event of setup.client.events.splice(0)) record(event);
    return deltas;
  };
  const topic = { entry: "primary", model: "m", feature: "chat" } as const;
  const { signal } = new AbortController();
  const ask = (feature = "chat", text = "What is a lighthouse?", model?: string): Promise<readonly AnswerPart[]> =>
    partsOf(setup.client.gateway.ask(question(text, { feature, ...(model && { model }) }), signal));

  it("has nothing but counts, by model, feature, and entry, and the tokens that the gateway counts", async () => {
    const parts = await ask("inline", "Why is harbor.ts slow?", "gpt-5.5");
    const usage = parts.find((part) => part.type === "usage");
    assert.ok(usage && usage.inputTokens > 0 && usage.outputTokens > 0);
    const { inputTokens, outputTokens } = usage;
    const deltas = recorded();
    assert.deepEqual(sumOf(deltas), { ...sumOf([]), requests: 1, inputTokens, outputTokens });
    for (const { model, feature, entry, ...counts } of deltas) {
      assert.deepEqual([model, feature, entry], ["gpt-5.5", "inline", "primary"]);
      for (const count of Object.values(counts)) assert.equal(typeof count, "number");
    }
  });

  it("estimates the tokens that the gateway does not report, and counts them separately", async () => {
    setup.local.mode({ usage: false });
    const text = "lighthouse keeper ".repeat(5_000);
    const parts = await ask("chat", text);
    const sum = sumOf(recorded());
    assert.deepEqual([sum.inputTokens, sum.outputTokens], [0, 0]);
    for (const [counted, tokens] of [
      [sum.estimatedInputTokens, estimateTokens(text)],
      [sum.estimatedOutputTokens, estimateTokens(textIn(parts))],
    ] as const)
      assert.ok(Math.abs(counted - tokens) < tokens * 0.05 + 2, `${counted} instead of ${tokens}`);
  });

  each<[tokens: number, cachedTokens: number], readonly number[]>([
    ["counts cached tokens as a part of the input", 1_000, 800, [1_000, 800, 1_000]],
    ["counts no more cached tokens than input", 1_000, 1e12, [1_000, 1_000, 1_000]],
    ["ignores counts that are no amounts", NaN, -5, [0, 0, 0]],
    ["rounds counts", 2.4, 0, [2, 0, 2]],
    ["limits counts to what is plausible", Infinity, 0, [1e8, 0, 1e8]],
  ]).gives((tokens, cachedTokens) => {
    const usage = { inputTokens: tokens, outputTokens: tokens, totalTokens: tokens, cachedTokens };
    setup.client.events.push({ type: "use", ...topic, usage, images: 0 });
    const { inputTokens, cachedInputTokens, outputTokens } = sumOf(recorded());
    return [inputTokens, cachedInputTokens, outputTokens];
  });

  it("counts a canceled request, with the tokens of the partial answer", async () => {
    setup.local.mode({ hold: "midAnswer" });
    const cancel = new AbortController();
    const parts: AnswerPart[] = [];
    const answer = partsOf(setup.client.gateway.ask(question("Why?"), cancel.signal), parts);
    await setup.local.until((_, held) => held === 1);
    await until(() => textIn(parts) !== "");
    cancel.abort();
    await assert.rejects(answer);
    const { requests, cancelled, failures, estimatedInputTokens, estimatedOutputTokens } = sumOf(recorded());
    assert.deepEqual([requests, cancelled, failures], [1, 1, 0]);
    assert.ok(estimatedInputTokens > 0 && estimatedOutputTokens > 0);
  });

  it("counts images, and no downloads", async () => {
    setup.local.entry("primary").next(1, { image: "several" });
    const { gateway } = setup.client;
    const { images, usage } = await gateway.generateImage({ prompt: "A fox", feature: "image" }, signal);
    for (const image of images) if ("url" in image) await gateway.downloadImage(image.url, signal);
    assert.ok(images.length > 1 && usage);
    const { inputTokens, outputTokens } = usage;
    const expected = { ...sumOf([]), requests: 1, images: images.length, inputTokens, outputTokens };
    const deltas = recorded();
    assert.deepEqual(sumOf(deltas), expected);
    for (const { model, feature } of deltas) assert.equal(`${model} ${feature}`, "gpt-image-2 image");
  });

  it("counts the requests of Test Connection, and no liveness checks", async () => {
    await setup.client.gateway.probe("gpt-5.4", signal, "auto", "connectionTest");
    const posts = setup.local.requests.filter(({ method }) => method === "POST");
    const deltas = recorded();
    const { requests, inputTokens } = sumOf(deltas);
    assert.deepEqual([requests, requests], [posts.length, 4]);
    assert.ok(inputTokens > 0);
    for (const { feature } of deltas) assert.equal(feature, "connectionTest");
  });

  it("counts requests and failures of each entry as the gateway does", async () => {
    const broken = [{ broken: "closed" }, { broken: "cut", after: 1 }] as const;
    for (const fault of [{ status: 500 }, { status: 529 }, ...broken]) {
      setup.local.entry("primary").next(1, fault);
      await ask().catch(() => undefined);
    }
    const deltas = recorded();
    for (const entry of ["primary", "backup"] as const) {
      const posts = setup.local.requests.filter((one) => one.method === "POST" && one.entry === entry);
      const failed = posts.filter(({ status, ended }) => status !== 200 || ended === undefined);
      const { requests, failures } = sumOf(deltas.filter((delta) => delta.entry === entry));
      assert.deepEqual([requests, failures], [posts.length, failed.length]);
    }
    assert.equal(sumOf(deltas).failures, 4);
  });

  it("counts the tokens that the gateway reports with an answer that cannot be used", async () => {
    const usage = { prompt_tokens: 7, completion_tokens: 5 };
    const call = { function: { name: "add", arguments: '{"a":' } };
    for (const [content, tool_calls] of [
      ["", []],
      ["", [call]],
      ["Wait.", [call]],
    ] as const) {
      const choices = [{ message: { content, tool_calls }, finish_reason: "stop" }];
      setup.local.entry("primary").next(1, { status: 200, body: JSON.stringify({ choices, usage }) });
      await ask().catch(() => undefined);
      const ofPrimary = sumOf(recorded().filter(({ entry }) => entry === "primary"));
      assert.deepEqual(ofPrimary, { ...sumOf([]), requests: 1, failures: 1, inputTokens: 7, outputTokens: 5 });
    }
  });

  it("counts what was not sent separately from requests", async () => {
    await setup.local.stopEntry("primary");
    await ask();
    const { requests, failures, unsent } = sumOf(recorded());
    assert.deepEqual([requests, failures, unsent], [1, 0, 1]);
  });

  it("estimates from at most 8,000 characters of a question and of an answer, however long they are", () => {
    const lengths: number[] = [];
    const estimate = (_: string, text: string): number => lengths.push(text.length);
    const bounded = usageRecorder({ ledger: { add: () => undefined }, estimate });
    const text = "const lighthouse = await keeper.ask(42);\n".repeat(20_000);
    const received = { beginning: text, length: text.length };
    bounded({ type: "use", ...topic, usage: undefined, images: 0, sent: question(text), received });
    assert.deepEqual(lengths, [8_000, 8_000]);
  });
});

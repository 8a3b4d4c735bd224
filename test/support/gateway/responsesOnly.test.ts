import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { Asker } from "./asker.ts";
import type { LocalGateway } from "./gateway.ts";
import { withGateway } from "./hooks.ts";

describe("local gateway: serves models through responses only", () => {
  let gateway: LocalGateway;
  let ask: Asker;
  withGateway((local, asker) => {
    gateway = local;
    ask = asker;
  });

  const tool = { name: "add", description: "", parameters: { type: "object" } };
  const tools = [{ type: "function", function: tool }];
  const modelRefused = /"This model is only supported in v1\/responses and not in v1\/chat\/completions\."/;
  const toolsRefused = /Function tools with reasoning_effort are not supported for gpt-5\.4 in .*use \/v1\/responses/;

  it("all of them", async () => {
    gateway.mode({ responsesOnly: "all" });
    const refused = await ask.chat("hi");
    assert.equal(refused.status, 404);
    assert.match(await refused.text(), modelRefused);
    assert.equal((await ask.post("/v1/responses", { model: "gpt-5.4", input: "hi" })).status, 200);
    assert.match(await (await ask.chat("hi", { model: "gpt-4" })).text(), /model_not_found/);
  });

  it("some of them", async () => {
    gateway.mode({ responsesOnly: ["gpt-5.5"] });
    assert.match(await (await ask.chat("hi", { model: "gpt-5.5" })).text(), modelRefused);
    assert.equal((await ask.chat("hi")).status, 200);
  });

  it("those that offer tools", async () => {
    gateway.mode({ responsesOnly: "tools" });
    const refused = await ask.chat("hi", { tools });
    assert.equal(refused.status, 400);
    assert.match(await refused.text(), toolsRefused);
    assert.equal((await ask.chat("hi")).status, 200);
  });

  it("with the input as text only", async () => {
    gateway.mode({ inputList: false });
    const input = [{ role: "user", content: "hi" }];
    assert.equal((await ask.post("/v1/responses", { model: "gpt-5.4", input })).status, 400);
    assert.equal((await ask.post("/v1/responses", { model: "gpt-5.4", input: "hi" })).status, 200);
  });

  it("and calls a tool several times in sequence, also where the results come as text", async () => {
    const content = 'call add 2 times in sequence with {"a":"#"}';
    const post = async (input: unknown): Promise<string> => {
      const body = { model: "gpt-5.4", input, tools: [{ type: "function", ...tool }] };
      return await (await ask.post("/v1/responses", body)).text();
    };
    const call = (n: number): object => ({
      type: "function_call",
      call_id: `call_series_${n}`,
      name: "add",
      arguments: "{}",
    });
    const result = (n: number): object => ({ type: "function_call_output", call_id: `call_series_${n}`, output: "4" });
    const question = { role: "user", content };
    const asText = `User:\n${content}\n\nTool:\nResult of the tool call call_series_1:\n4`;
    for (const input of [[question], content]) assert.match(await post(input), /call_series_1".*"\{\\"a\\":\\"1\\"\}"/);
    for (const input of [[question, call(1), result(1)], asText])
      assert.match(await post(input), /call_series_2".*"\{\\"a\\":\\"2\\"\}"/);
    const ended = [
      [question, call(1), result(1), call(2), result(2)],
      `${asText}\n\n${asText.slice(asText.indexOf("Tool:"))}`,
    ];
    for (const input of ended) assert.match(await post(input), /Answered by gpt-5\.4/);
  });
});

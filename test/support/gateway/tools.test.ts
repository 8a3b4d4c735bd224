import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { eventsOf, messageOf } from "./asker.ts";
import type { Asker } from "./asker.ts";
import { withGateway } from "./hooks.ts";

describe("local gateway: calls tools", () => {
  let ask: Asker;
  withGateway((_, asker) => (ask = asker));

  const add = { name: "add", description: "", parameters: { type: "object" } };
  const tools = [{ type: "function", function: add }];

  it("as often as the question says, in pieces by index", async () => {
    const question = 'call add with {"a":1,"b":{"c":2}} and call add with {"a":3}';
    const events = eventsOf(await (await ask.chat(question, { tools, stream: true })).text());
    const inputs = ["", ""];
    for (const [, index, piece] of events.join("\n").matchAll(/"index":(\d),"function":\{"arguments":("[^\n]*")\}\}/g))
      inputs[Number(index)] = (inputs[Number(index)] ?? "") + String(JSON.parse(piece ?? ""));
    assert.deepEqual(inputs, ['{"a":1,"b":{"c":2}}', '{"a":3}']);
    assert.match(events.at(-2) ?? "", /"finish_reason":"tool_calls"/);
  });

  it("quotes the results, and refuses a history whose calls and results do not match", async () => {
    const call = { id: "c1", type: "function", function: { name: "add", arguments: "{}" } };
    const asked = [
      { role: "user", content: "Add" },
      { role: "assistant", content: null, tool_calls: [call] },
    ];
    const messages = [...asked, { role: "tool", tool_call_id: "c1", content: "the sum is 4" }];
    assert.match(
      String((await messageOf(await ask.chat("", { messages, tools }))).content),
      /`add` says: the sum is 4/,
    );
    assert.equal((await ask.chat("", { messages: asked, tools })).status, 400);
  });

  it("through responses", async () => {
    const body = { model: "gpt-5.4", input: 'call add with {"a":1}', tools: [{ type: "function", ...add }] };
    const stream = await (await ask.post("/v1/responses", { ...body, stream: true })).text();
    assert.match(stream, /event: response\.function_call_arguments\.done\n.*"arguments":"\{\\"a\\":1\}"/);
    const input = [
      { role: "user", content: "Add" },
      { type: "function_call", call_id: "c1", name: "add", arguments: "{}" },
      { type: "function_call_output", call_id: "c1", output: "4" },
    ];
    assert.match(await (await ask.post("/v1/responses", { ...body, input })).text(), /`add` says: 4/);
  });
});

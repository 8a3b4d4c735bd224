import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { deltasOf, eventsOf, messageOf } from "./asker.ts";
import type { Asker } from "./asker.ts";
import type { LocalGateway } from "./gateway.ts";
import { withGateway } from "./hooks.ts";
import { isRecord } from "./json.ts";

describe("local gateway: answers in text", () => {
  let gateway: LocalGateway;
  let ask: Asker;
  withGateway((...started) => ([gateway, ask] = started));

  it("quotes the question and names the model, in JSON", async () => {
    const message = await messageOf(await ask.chat("Why is the sky blue?"));
    assert.match(String(message.content), /> Why is the sky blue\?[\s\S]*gpt-5\.4/);
  });

  it("says the same in a stream, with usage where it is wanted", async () => {
    const message = await messageOf(await ask.chat("Why?"));
    const response = await ask.chat("Why?", { stream: true, stream_options: { include_usage: true } });
    assert.equal(response.headers.get("content-type"), "text/event-stream; charset=utf-8");
    const events = eventsOf(await response.text());
    assert.equal(deltasOf(events, "content"), message.content);
    assert.equal(events.at(-1), "[DONE]");
    assert.match(events.at(-2) ?? "", /"choices":\[\],"usage":\{"prompt_tokens"/);
    assert.match(events.at(-3) ?? "", /"finish_reason":"stop"/);
  });

  it("says it in as many pieces as asked for, after some reasoning", async () => {
    gateway.mode({ chunks: 3, reasoning: true });
    const events = eventsOf(await (await ask.chat("Why?", { stream: true })).text());
    assert.equal(events.filter((event) => event.includes('"reasoning_content"')).length, 3);
    assert.equal(events.filter((event) => event.includes('"delta":{"content"')).length, 3);
  });

  it("knows what was asked before", async () => {
    const messages = [
      { role: "user", content: "What is a monad?" },
      { role: "assistant", content: "A burrito." },
      { role: "user", content: "What did I ask before?" },
    ];
    const message = await messageOf(await ask.chat("", { messages }));
    assert.match(String(message.content), /1\. What is a monad\?/);
  });

  it("answers a wish for a change with the changed code", async () => {
    const message = await messageOf(await ask.chat("Rename it:\n```ts\nlet a = 1;\n```"));
    assert.match(String(message.content), /```ts\n\/\/ Rename it:\nlet a = 1;\n```/);
  });

  it("answers through responses, in JSON and in the named events of a stream", async () => {
    const json: unknown = await (await ask.post("/v1/responses", { model: "gpt-5.5", input: "Why?" })).json();
    const stream = await (await ask.post("/v1/responses", { model: "gpt-5.5", input: "Why?", stream: true })).text();
    const deltas = eventsOf(stream).map((event): unknown => JSON.parse(event));
    const text = deltas.map((event) =>
      isRecord(event) && event.type === "response.output_text.delta" ? event.delta : "",
    );
    assert.ok(JSON.stringify(json).includes(JSON.stringify(text.join(""))));
    assert.match(stream, /event: response\.created\n/);
    assert.match(stream, /event: response\.completed\ndata: .*"usage":\{"input_tokens"/);
  });
});

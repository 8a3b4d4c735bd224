import assert from "node:assert/strict";
import type { TextApi } from "../../../src/gateway/types.ts";
import type { LocalGateway } from "../../support/gateway/gateway.ts";
import type { Fault } from "../../support/gateway/types.ts";
import { failureOf, type LocalClient, partsOf, question, textIn } from "../../support/localClient.ts";
import { withLocalClient } from "../../support/withLocalClient.ts";

const message =
  "This model's maximum context length is 272000 tokens. However, your messages resulted in 310250 tokens. Please reduce the length of the messages.";
const error = { message, type: "invalid_request_error", param: "messages", code: "context_length_exceeded" };
const json = JSON.stringify({ error });
const failed = { type: "response.failed", response: { status: "failed", error } };
const words = { message, type: "upstream_error" };

const shapes: readonly (readonly [title: string, fault: Fault])[] = [
  ["a 400", { status: 400, body: json }],
  ["a 413", { status: 413, body: json }],
  ["a 422 without a code", { status: 422, body: JSON.stringify({ detail: message }) }],
  ["a 500", { status: 500, body: json }],
  ["a 502 with its code", { status: 502, body: json }],
  ["JSON in a 200", { status: 200, body: json }],
  ["an event in a 200", { status: 200, body: `event: error\ndata: ${json}\n\n` }],
  ["an event without a name", { status: 200, body: `data: ${json}\n\n` }],
  ["a failed response", { status: 200, body: `event: response.failed\ndata: ${JSON.stringify(failed)}\n\n` }],
  ["an upstream's error", { status: 200, body: JSON.stringify({ error: words }) }],
];

describe("a prompt that is too long, told in", () => {
  let local: LocalGateway;
  let client: LocalClient;
  const tools = [{ name: "add", description: "Adds.", inputSchema: { type: "object" } }];
  const ask = (api: TextApi | "auto") =>
    partsOf(client.gateway.ask({ ...question("Why?", { tools }), api }, new AbortController().signal));
  const fields = () => local.requests.map(({ body }) => Object.keys(body as object));

  withLocalClient((gateway, its) => {
    local = gateway;
    client = its;
  });

  for (const api of ["auto", "chatCompletions", "responses"] as const) {
    for (const [title, fault] of shapes) {
      it(`${title}, ends ${api} after one request that teaches nothing about fields`, async () => {
        local.entry("primary").next(1, fault);
        const failure = await failureOf(ask(api));
        const { kind, entry, model, tokenLimit, limits, tokensAsked } = failure;
        assert.deepEqual([kind, entry, model], ["contextTooLong", "primary", "gpt-5.4"]);
        assert.deepEqual([tokenLimit, limits, tokensAsked], [272_000, "context", 310_250]);
        assert.deepEqual([failure.attempts.length, local.requests.length], [0, 1]);
        assert.notEqual(textIn(await ask(api)), "");
        const [refused, next] = fields();
        assert.ok(refused?.includes("tools") && refused.includes("stream"));
        assert.deepEqual(next, refused);
        assert.deepEqual(
          local.requests.map((request) => request.entry),
          ["primary", "primary"],
        );
      });
    }
  }

  it("a refused question, is reported with its limit, and one for an image is not", async () => {
    local.entry("primary").next(2, { status: 400, body: json });
    await failureOf(ask("chatCompletions"));
    const { kind } = await failureOf(
      client.gateway.generateImage({ prompt: "A boat", size: "1024x1024" }, new AbortController().signal),
    );
    assert.equal(kind, "contextTooLong");
    assert.deepEqual(client.tokenLimits, [{ model: "gpt-5.4", tokenLimit: 272_000, limits: "context" }]);
  });
});

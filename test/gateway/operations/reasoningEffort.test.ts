import assert from "node:assert/strict";
import type { ChatRequest } from "../../../src/gateway/types.ts";
import type { LocalGateway } from "../../support/gateway/gateway.ts";
import type { Fault } from "../../support/gateway/types.ts";
import { type LocalClient, partsOf, question, textIn } from "../../support/localClient.ts";
import { withLocalClient } from "../../support/withLocalClient.ts";

const tools = [{ name: "add", description: "Adds.", inputSchema: { type: "object" } }];

const names = { chatCompletions: "reasoning_effort", responses: "reasoning" } as const;

for (const api of ["chatCompletions", "responses"] as const) {
  describe(`a reasoning effort through ${api}`, () => {
    let local: LocalGateway;
    let client: LocalClient;

    withLocalClient((gateway, its) => {
      local = gateway;
      client = its;
    });

    it("is sent where it is chosen, and only there", async () => {
      await ask();
      assert.deepEqual(await ask({ reasoningEffort: "high" }), []);
      assert.deepEqual([efforts(), client.left], [[undefined, "high"], []]);
    });

    const faults: readonly (readonly [title: string, fault: Fault])[] = [
      ["the name of the other API", about("Unsupported parameter: 'reasoning.effort'.", "reasoning.effort")],
      [
        "its use with tools",
        about("Function tools with reasoning_effort are not supported for gpt-5.4 in this API.", "tools"),
      ],
    ];
    for (const [title, fault] of faults) {
      it(`is left out, and nothing else, where the answer names ${title}`, async () => {
        local.entry("primary").next(1, fault);
        assert.deepEqual(await ask({ reasoningEffort: "high", tools }), ["reasoning_effort"]);
        assert.deepEqual(await ask({ reasoningEffort: "high", tools }), ["reasoning_effort"]);
        assert.deepEqual(efforts(), ["high", undefined, undefined]);
        assert.ok(local.requests.every(({ body }) => "tools" in (body as object)));
      });
    }

    if (api === "chatCompletions") {
      it("refused together with tools goes through responses where the API is auto", async () => {
        const message =
          "Function tools with reasoning_effort are not supported for gpt-5.4 in /v1/chat/completions. Please use /v1/responses instead.";
        local.entry("primary").next(1, { ...about(message, names[api]), operation: "chat" });
        for (let count = 0; count < 2; count += 1) {
          assert.deepEqual(await ask({ api: "auto", reasoningEffort: "high", tools }), []);
        }
        assert.deepEqual(efforts(), ["high", "high", "high"]);
        assert.deepEqual(
          local.requests.map(({ operation }) => operation),
          ["chat", "responses", "responses"],
        );
      });
    }

    it("refused for its value or with tools is sent again with another value, and without tools", async () => {
      local.entry("primary").next(1, about("Unsupported value: 'xhigh'.", names[api]));
      await ask({ reasoningEffort: "xhigh", tools });
      assert.deepEqual(await ask({ reasoningEffort: "low", tools }), []);
      assert.deepEqual(await ask({ reasoningEffort: "xhigh" }), []);
      assert.deepEqual(efforts(), ["xhigh", undefined, "low", "xhigh"]);
    });

    /** Asks, and returns the fields that were left out. */
    async function ask(more: Partial<ChatRequest> = {}): Promise<readonly string[]> {
      const request = question("Why?", { api, ...more });
      const parts = await partsOf(client.gateway.ask(request, new AbortController().signal));
      assert.match(textIn(parts), /Why\?/);
      const [start] = parts;
      return start?.type === "start" ? start.dropped : [];
    }

    function efforts(): readonly unknown[] {
      return local.requests.map(({ body }) => {
        const { reasoning_effort: flat, reasoning } = body as {
          reasoning_effort?: string;
          reasoning?: { effort: string };
        };
        return flat ?? reasoning?.effort;
      });
    }
  });
}

/** A refusal in the form of OpenAI. */
function about(message: string, param: string): Fault {
  const error = { message, type: "invalid_request_error", param, code: "unsupported_parameter" };
  return { status: 400, body: JSON.stringify({ error }), headers: { "content-type": "application/json" } };
}

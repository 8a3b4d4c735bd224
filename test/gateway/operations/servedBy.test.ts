import assert from "node:assert/strict";
import { GatewayError, type GatewayErrorDetails, type GatewayErrorKind } from "../../../src/gateway/errors.ts";
import { type RefusedQuestion, unservedBy } from "../../../src/gateway/operations/refusal.ts";
import { assertLinear } from "../../support/assertLinear.ts";
import { servedByResponses } from "../../support/faults/servedByResponses.ts";

const question: RefusedQuestion = {
  api: "chatCompletions",
  model: "gpt-5.3-codex",
  hasTools: true,
  fields: ["stream_options", "tools", "stream", "messages"],
};

function unserved(
  details: GatewayErrorDetails,
  kind: GatewayErrorKind = "rejected",
  more: Partial<RefusedQuestion> = {},
): string | undefined {
  return unservedBy(new GatewayError(kind, "", { status: 400, ...details }), { ...question, ...more });
}

describe("a refusal of an API", () => {
  it("is about the model, whatever it says of tools, where there are none", () => {
    for (const { message, code } of servedByResponses) {
      assert.equal(unserved({ gatewayMessage: message, code }, "rejected", { hasTools: false }), "model", message);
    }
  });

  it("is a 404 about the model that does not call the model unknown", () => {
    const details = { status: 404, gatewayMessage: "There is no gpt-5.3-codex here." };
    assert.equal(unserved(details, "notFound"), "model");
    assert.equal(unserved({ status: 404, field: "model" }, "notFound"), "model");
    assert.equal(unserved(details, "modelNotFound"), undefined);
    assert.equal(unserved(details), undefined);
  });

  it("wins over a field that it names only where that is about tools", () => {
    const gatewayMessage =
      "Function tools are not supported in /v1/chat/completions. Please use /v1/responses instead.";
    assert.equal(unserved({ gatewayMessage, field: "reasoning_effort" }), "tools");
    assert.equal(unserved({ gatewayMessage, field: "tools" }), "tools");
    assert.equal(unserved({ gatewayMessage, field: "stream" }), undefined);
  });

  const others: readonly string[] = [
    "",
    "No.",
    "Not Found",
    "404 page not found",
    "Cannot POST /v1/chat/completions",
    "Invalid URL (POST /v1/chat/completions)",
    "The requested URL /v1/chat/completions was not found on this server.",
    "The path /v1/chat/completions does not exist",
    "Unknown parameter: 'stream_options'.",
    "Unsupported parameter: 'max_tokens' is not supported with this model in v1/chat/completions.",
    "Unsupported parameter: 'messages'. In the Responses API, this parameter has moved to 'input'.",
    "This model is not supported when using X-OpenAI-Internal-Codex-Responses-Lite.",
    "This model is not supported in v1/responses. Use v1/chat/completions.",
    "Use shorter responses",
    "streaming responses only",
    "You can only use 3 responses per minute",
    "This model's maximum context length is 8192 tokens.",
  ];
  for (const gatewayMessage of others) {
    it(`is not in: ${gatewayMessage}`, () => {
      for (const kind of ["rejected", "notFound", "serverError"] as const) {
        assert.equal(unserved({ gatewayMessage }, kind), undefined);
      }
    });
  }

  it("is nothing that a key, a permission, a limit, a page or the network say", () => {
    const [{ message: gatewayMessage }] = servedByResponses;
    for (const kind of ["unauthorized", "forbidden", "rateLimited", "redirected", "connectionLost"] as const) {
      assert.equal(unserved({ gatewayMessage }, kind), undefined);
    }
    assert.equal(unserved({ gatewayMessage, page: "404" }, "notFound"), undefined);
    assert.equal(unserved({ gatewayMessage, cause: new Error("Reset.") }), undefined);
  });

  const fromResponses: readonly (readonly [string, string | undefined])[] = [
    ["This model is not supported in v1/responses. Use v1/chat/completions.", "model"],
    ["Responses API is not supported for this model", "model"],
    ["The responses operation does not work with the specified model", "model"],
    ["该模型不支持 responses 接口，请使用 /v1/chat/completions", "model"],
    ["This model is only supported in v1/responses and not in v1/chat/completions.", undefined],
    // A gateway that answers responses by asking for chat completions (decolua/9router#4031).
    ["Function tools are not supported in /v1/chat/completions. To use function tools, use /v1/responses.", undefined],
    ["Not Found", undefined],
  ];
  for (const [gatewayMessage, expected] of fromResponses) {
    it(`by responses is about ${String(expected)}: ${gatewayMessage}`, () => {
      assert.equal(unserved({ gatewayMessage }, "rejected", { api: "responses" }), expected);
    });
  }

  it("is found in linear time", () => {
    for (const text of ["use not /v1/", "chat completions ", "unsupported 不支持 ", "only via responses not "]) {
      assertLinear((size) => unserved({ gatewayMessage: text.repeat(size) }), 5_000);
    }
  });
});

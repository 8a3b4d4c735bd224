import assert from "node:assert/strict";
import { GatewayError, type GatewayErrorDetails, type GatewayErrorKind } from "../../../src/gateway/errors.ts";
import { refusalOf } from "../../../src/gateway/operations/refusal.ts";

const used = ["stream_options", "tool_choice", "tools", "stream", "messages"];

function about(details: GatewayErrorDetails, kind: GatewayErrorKind = "rejected"): string | undefined {
  const refusal = refusalOf(new GatewayError(kind, "", { status: 400, ...details }), used);
  return refusal === undefined || refusal === "unclear" ? refusal : refusal.field;
}

describe("a refusal", () => {
  const named: readonly (readonly [GatewayErrorDetails, string])[] = [
    [{ field: "stream" }, "stream"],
    [{ field: "stream", status: 422 }, "stream"],
    [{ field: "stream", status: 501 }, "stream"],
    [{ field: "stream", status: undefined }, "stream"],
    [{ field: "stream_options.include_usage" }, "stream_options"],
    [{ field: "body.tool_choice" }, "tool_choice"],
    [{ field: "tools", said: "Extra inputs are not permitted" }, "tools"],
    [{ field: "messages" }, "messages"],
    [{ field: "messages[0].role", said: "Unsupported value: 'system'" }, "messages"],
    [{ field: "messages.[2].tool_calls" }, "messages"],
    [{ said: "Unknown parameter: 'stream_options'." }, "stream_options"],
    [{ said: "The model `gpt-5.4` does not support `tools`." }, "tools"],
    [{ said: "“tool_choice” is only allowed with 'tools'" }, "tool_choice"],
    [{ said: "Unrecognized request argument supplied: stream_options" }, "stream_options"],
    [{ said: "不支持参数「stream」" }, "stream"],
    [{ said: "unknown field stream", status: undefined }, "stream"],
  ];
  for (const [details, field] of named) {
    it(`is about ${field}: ${JSON.stringify(details)}`, () => {
      assert.equal(about(details), field);
    });
  }

  it("by a page is about what the page names, and else about nothing", () => {
    assert.equal(about({ said: "400 Unknown parameter: 'stream'." }, "badGateway"), "stream");
    assert.equal(about({ said: "Request blocked" }, "badGateway"), undefined);
    assert.equal(about({ said: "Unknown parameter: 'stream'.", status: 502 }, "badGateway"), undefined);
  });

  const unclear: readonly GatewayErrorDetails[] = [
    {},
    { said: "Bad request" },
    { said: "No.", status: 422 },
    { said: "No.", status: 501 },
    { said: "The model 'gpt-5.4' says no." },
    { status: undefined, code: "invalid_request_error" },
    { status: undefined, code: "400" },
  ];
  for (const details of unclear) {
    it(`may be about any field: ${JSON.stringify(details)}`, () => {
      assert.equal(about(details), "unclear");
    });
  }

  const final: readonly GatewayErrorDetails[] = [
    { code: "context_length_exceeded", field: "messages" },
    { code: "context_length_exceeded" },
    { code: "exceed_context_size_error", said: "the request exceeds the available context size" },
    { said: "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens." },
    { said: "prompt is too long: 210000 tokens > 200000 maximum" },
    { said: "Input too long. Please reduce the length of the messages." },
    { said: "超过模型最大上下文长度" },
    { field: "tools", code: "array_above_max_length", said: "Invalid 'tools': array too long." },
    { field: "tools", said: "Tool names must be unique." },
    { field: "messages[3].content" },
    { field: "messages.3.content" },
    { field: "messages[3]" },
    { field: "tools[0].function.parameters" },
    { field: "tools.0.function.parameters.type" },
    { field: "input[2].content" },
    { said: "Invalid type for 'messages[3].content': expected a string." },
    { said: "Invalid schema for `tools[0].function`" },
    { field: "model" },
    { status: 413 },
    { status: 409 },
    { status: undefined },
    { status: undefined, said: "Something went wrong" },
    { status: undefined, cause: new Error("Headers beyond all bounds.") },
  ];
  for (const details of final) {
    it(`is not worth a second request: ${JSON.stringify(details)}`, () => {
      assert.equal(about(details), undefined);
    });
  }

  it("is nothing that another failure is", () => {
    for (const kind of ["serverError", "overloaded", "rateLimited", "unauthorized", "modelNotFound"] as const) {
      assert.equal(about({ said: "'stream'" }, kind), undefined);
    }
  });
});

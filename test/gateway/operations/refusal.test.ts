import assert from "node:assert/strict";
import { GatewayError, type GatewayErrorDetails, type GatewayErrorKind } from "../../../src/gateway/errors.ts";
import { refusalOf } from "../../../src/gateway/operations/refusal.ts";

const used = ["stream_options", "tool_choice", "tools", "stream", "messages"];

function about(details: GatewayErrorDetails, kind: GatewayErrorKind = "rejected", fields = used): string | undefined {
  const refusal = refusalOf(new GatewayError(kind, "", { status: 400, ...details }), fields);
  return refusal && (refusal.field ?? "unclear");
}

describe("a refusal", () => {
  const named: readonly (readonly [GatewayErrorDetails, string])[] = [
    [{ field: "stream" }, "stream"],
    [{ field: "stream", status: undefined }, "stream"],
    [{ field: "stream_options.include_usage" }, "stream_options"],
    [{ field: "messages[0].role", gatewayMessage: "Unsupported value: 'system'" }, "messages"],
    [{ field: "messages.[2].tool_calls" }, "messages"],
    [{ field: "tools[0].strict", gatewayMessage: "Unknown parameter: 'tools[0].strict'." }, "strict"],
    [{ field: "body.tools.0.strict", gatewayMessage: "Extra inputs are not permitted" }, "strict"],
    [{ gatewayMessage: "Unknown parameter: 'stream_options'." }, "stream_options"],
    [{ gatewayMessage: "The model `gpt-5.4` does not support `tools`." }, "tools"],
    [{ gatewayMessage: "“tool_choice” is only allowed with 'tools'" }, "tool_choice"],
    [{ gatewayMessage: "不支持参数「stream」" }, "stream"],
    [{ gatewayMessage: "unknown field stream", status: undefined }, "stream"],
    [{ gatewayMessage: "#: extraneous key [stream_options] is not permitted" }, "stream_options"],
    [{ gatewayMessage: "stream_options: Extra inputs are not permitted" }, "stream_options"],
  ];
  it("is about the reasoning effort by its name before all else, and by its value after all else", () => {
    const cases: readonly (readonly [GatewayErrorDetails, string | undefined])[] = [
      [{ field: "reasoning.effort" }, "reasoning_effort"],
      [{ field: "reasoning" }, "reasoning_effort"],
      [
        { field: "tools", gatewayMessage: "Function tools with reasoning_effort are not supported" },
        "reasoning_effort",
      ],
      [{ gatewayMessage: "Unsupported value: 'xhigh' is not supported with the 'gpt-5.4' model." }, "reasoning_effort"],
      [{ gatewayMessage: "'tool_choice' must be 'none' or 'auto'" }, "tool_choice"],
      [{ field: "tool_choice", gatewayMessage: "Supported values are: 'none' and 'auto'." }, "tool_choice"],
      [{ gatewayMessage: "The model thinks about its reasoning, high and low." }, "unclear"],
    ];
    for (const [details, field] of cases)
      assert.equal(about(details, "rejected", ["reasoning_effort", ...used]), field);
    assert.equal(about({ gatewayMessage: "Unsupported value: 'xhigh'." }), "unclear", "none was sent");
  });

  it("is about the images that a request has if it names any, or its body is too large", () => {
    const fields = ["items", "images", ...used, "input"];
    const cases: readonly (readonly [GatewayErrorDetails, string | undefined, GatewayErrorKind?])[] = [
      [{ gatewayMessage: "Too many images provided. This model supports up to 5 images" }, "images"],
      [{ gatewayMessage: "Invalid image: image too large" }, "images"],
      [{ field: "model", gatewayMessage: "This model does not support image input." }, "images"],
      [{ field: "input", gatewayMessage: "Image input is not supported with this model." }, "images"],
      [{ field: "messages[1].content[0].image_url", gatewayMessage: "Invalid value." }, "images"],
      [{ code: "image_parse_error", gatewayMessage: "No." }, "images"],
      [{ gatewayMessage: "图片过大" }, "images"],
      [{ gatewayMessage: "Input image is too large" }, "images", "contextTooLong"],
      [{ status: 413 }, "images", "contextTooLong"],
      [{ status: 413, tokenLimit: 8_000 }, undefined, "contextTooLong"],
      [{ gatewayMessage: "The prompt is too long" }, undefined, "contextTooLong"],
      [{ field: "tools[0].name", gatewayMessage: "Invalid 'make image': expected a name." }, undefined],
    ];
    for (const [details, field, kind] of cases) {
      assert.equal(about(details, kind, fields), field, JSON.stringify(details));
      assert.notEqual(about(details, kind), "images", "none was sent");
    }
    const output = "Invalid type for 'input[5].output': expected a string, but got an array instead.";
    for (const found of [fields, fields.slice(1)])
      assert.equal(about({ field: "input[5].output", gatewayMessage: output }, "rejected", found), "images");
  });

  it("by a page is about the field that the page names, else about nothing", () => {
    assert.equal(about({ gatewayMessage: "400 Unknown parameter: 'stream'." }, "badGateway"), "stream");
    assert.equal(about({ gatewayMessage: "Request blocked" }, "badGateway"), undefined);
    assert.equal(about({ gatewayMessage: "Unknown parameter: 'stream'.", status: 502 }, "badGateway"), undefined);
  });

  /** About an unknown field. */
  const unclear: readonly GatewayErrorDetails[] = [
    {},
    { gatewayMessage: "Bad request" },
    { gatewayMessage: "No.", status: 501 },
    { status: undefined, code: "invalid_request_error" },
    { status: undefined, code: "400" },
  ];
  /** Not worth a second request. */
  const final: readonly GatewayErrorDetails[] = [
    { code: "context_length_exceeded", field: "messages" },
    { code: "exceed_context_size_error", gatewayMessage: "the request exceeds the available context size" },
    { field: "tools", code: "array_above_max_length", gatewayMessage: "Invalid 'tools': array too long." },
    { field: "tools", gatewayMessage: "Tool names must be unique." },
    { field: "messages[3].content" },
    { field: "messages[3]" },
    { field: "tools[0].parameters.properties.strict" },
    { gatewayMessage: "Invalid type for 'messages[3].content': expected a string." },
    { field: "model" },
    { status: 409 },
    { status: undefined },
    { status: undefined, gatewayMessage: "Something went wrong" },
    { status: undefined, cause: new Error("Headers beyond all bounds.") },
  ];
  for (const [details, field] of [
    ...named,
    ...unclear.map((details) => [details, "unclear"] as const),
    ...final.map((details) => [details, undefined] as const),
  ]) {
    it(`is about ${field ?? "nothing to omit"}: ${JSON.stringify(details)}`, () => {
      assert.equal(about(details), field);
    });
  }

  it("is no failure of another kind", () => {
    for (const kind of ["serverError", "overloaded", "rateLimited", "unauthorized", "modelNotFound"] as const) {
      assert.equal(about({ gatewayMessage: "'stream'" }, kind), undefined);
    }
  });
});

import assert from "node:assert/strict";
import { errorDetails, errorLayers } from "../../../src/gateway/wire/errorDetails.ts";
import { assertLinear } from "../../support/assertLinear.ts";

const said = { message: "Why.", code: "upstream_code", param: "stream" };

describe("an error inside an error", () => {
  const bodies: readonly (readonly [string, unknown])[] = [
    ["in an object", { error: { code: 500, error: said } }],
    ["in a list", [{ error: said }]],
    ["in a list of errors", { errors: [said] }],
    ["in a text", { error: { message: `upstream: 400 ${JSON.stringify({ error: said })}`, type: "error" } }],
    ["in a text of its own", { error: JSON.stringify(said) }],
    ["as the detail", { detail: said }],
    ["as OpenRouter's", { error: { message: "No.", code: 400, metadata: { raw: JSON.stringify({ error: said }) } } }],
    ["as a text beside its code", { error: "Why.", code: "upstream_code", param: "stream" }],
  ];
  for (const [where, body] of bodies) {
    it(`is read: ${where}`, () => {
      const { gatewayMessage, code, field } = errorDetails(errorLayers(body));
      assert.deepEqual([gatewayMessage, code, field], ["Why.", "upstream_code", "stream"]);
    });
  }

  it("is read from a text that is not JSON", () => {
    assert.equal(errorDetails(errorLayers(`400 ${JSON.stringify({ error: said })}`)).gatewayMessage, "Why.");
  });

  it("is completed by those around it", () => {
    const body = { error: { message: "Why.", code: "invalid_request_error", param: "tools", detail: { code: null } } };
    const { gatewayMessage, code, field } = errorDetails(errorLayers(body));
    assert.deepEqual([gatewayMessage, code, field], ["Why.", "invalid_request_error", "tools"]);
  });

  it("is not read from a message that quotes the request", () => {
    const message = 'Invalid schema {"type": "object", "code": "x"} for function add';
    const { gatewayMessage, code } = errorDetails(errorLayers({ error: { message, code: "invalid_schema" } }));
    assert.deepEqual([gatewayMessage, code], [message, "invalid_schema"]);
  });

  it("is found in linear time, however deep", () => {
    assertLinear((size) => errorDetails(errorLayers({ error: '{"error":"'.repeat(size) })), 20_000);
    assertLinear(
      (size) => errorDetails(errorLayers({ error: `{"error":${"{".repeat(size)}${"}".repeat(size)}}` })),
      20_000,
    );
  });
});

import assert from "node:assert/strict";
import { attemptLine, failureLine, preconnectLine, responsesLine } from "../../src/failures/logLines.ts";
import { GatewayError } from "../../src/gateway/errors.ts";

describe("the log's line about an attempt", () => {
  it("has operation, entry, status, duration, request id and failure", () => {
    assert.equal(
      attemptLine({
        operation: "chat",
        entry: "backup",
        status: 529,
        requestId: "r-1",
        duration: 12.4,
        failure: "overloaded",
      }),
      "chat · backup · status 529 · 12 ms · request r-1 · overloaded",
    );
  });

  it("leaves out what is unknown and keeps to one line", () => {
    assert.equal(
      attemptLine({
        operation: "imageFile",
        entry: undefined,
        status: undefined,
        requestId: "a\nb",
        duration: 3,
        failure: undefined,
      }),
      "imageFile · 3 ms · request a b",
    );
  });

  it("has a form for connections before a question", () => {
    assert.equal(
      preconnectLine({ entry: "primary", duration: 149.6, failure: undefined }),
      "preconnect · primary · 150 ms",
    );
    assert.equal(
      preconnectLine({ entry: "backup", duration: 3, failure: "unreachable" }),
      "preconnect · backup · 3 ms · unreachable",
    );
  });

  it("has a form for a model that responses serve", () => {
    const origin = { entry: "primary", what: "text", api: "responses", model: "gpt-5.4\n" } as const;
    assert.match(responsesLine({ ...origin, hasTools: true }), /^responses · primary · gpt-5\.4 with tools · /);
    assert.match(responsesLine({ ...origin, hasTools: false }), /^responses · primary · gpt-5\.4 without tools · /);
  });
});

describe("the line about a failure in the log", () => {
  it("says where it happened and what it is", () => {
    const details = { entry: "backup", status: 502, requestId: "r-7" } as const;
    assert.equal(
      failureLine("chat", new GatewayError("badGateway", "The gateway answered with status 502.", details)),
      "chat: badGateway · backup · status 502 · request r-7 · The gateway answered with status 502.",
    );
  });

  it("has the numbers of a prompt that is too long", () => {
    const details = { entry: "primary", status: 400, tokenLimit: 272_000, tokensAsked: 310_250 } as const;
    assert.equal(
      failureLine("chat", new GatewayError("contextTooLong", "Too long.", details)),
      "chat: contextTooLong · primary · status 400 · limit 272000 tokens · prompt 310250 tokens · Too long.",
    );
  });

  it("has the codes of all causes, each once", () => {
    const refused = ["::1", "127.0.0.1"].map((address) => withCode(`connect ${address}`, "ECONNREFUSED"));
    const cause = withCode("fetch failed", "UND_ERR_CONNECT", new AggregateError(refused));
    assert.match(
      failureLine("chat", new GatewayError("unreachable", "It cannot be reached.", { cause })),
      / · UND_ERR_CONNECT · AggregateError · ECONNREFUSED · It cannot/,
    );
  });

  it("says which failure made an image order doubtful", () => {
    const cause = new GatewayError("timeout", "No answer in time.", { cause: "?" });
    assert.equal(
      failureLine("image", new GatewayError("mayBeCharged", "No answer.", { cause })),
      "image: mayBeCharged · timeout · No answer.",
    );
  });

  it("ends although causes go in a circle, and has no words of the gateway", () => {
    const one = new Error("one");
    const two = new Error("two", { cause: one });
    one.cause = two;
    const line = failureLine("chat", new GatewayError("rejected", "No.", { cause: two, gatewayMessage: "the prompt" }));
    assert.equal(line, "chat: rejected · Error · No.");
  });
});

function withCode(message: string, code: string, cause?: unknown): Error {
  return Object.assign(new Error(message, { cause }), { code });
}

import assert from "node:assert/strict";
import { attemptLine, failureLine, preconnectLine, responsesLine } from "../../src/ui/logLines.ts";
import { GatewayError } from "../../src/gateway/errors.ts";
import type { AttemptReport } from "../../src/gateway/types.ts";

describe("the log's line about an attempt", () => {
  const unknown = { entry: undefined, status: undefined, requestId: undefined, failure: undefined };
  const [entry, failure] = ["backup", "overloaded"] as const;
  const known: AttemptReport = { operation: "chat", entry, status: 529, requestId: "r-1", duration: 12.4, failure };
  const odd = { operation: "chat", requestId: "a\nb", duration: 3, unknownReason: "c\nd" } as const;

  it("has all that is known", () => {
    assert.equal(attemptLine(known), "chat · backup · status 529 · 12 ms · request r-1 · overloaded");
  });

  it("leaves out what is unknown and keeps to one line", () => {
    assert.equal(attemptLine({ ...unknown, ...odd }), "chat · 3 ms · request a b · unknown finish reason c d");
  });

  it("has a form for connections before a question", () => {
    assert.equal(preconnectLine({ entry, duration: 149.6, failure: undefined }), "preconnect · backup · 150 ms");
    assert.equal(preconnectLine({ entry, duration: 3, failure }), "preconnect · backup · 3 ms · overloaded");
  });

  it("has a form for a model that responses serve", () => {
    const origin = { entry: "primary", what: "text", api: "responses", model: "gpt-5.4\n" } as const;
    assert.match(responsesLine({ ...origin, hasTools: true }), /^responses · primary · gpt-5\.4 with tools · /);
    assert.match(responsesLine({ ...origin, hasTools: false }), /^responses · primary · gpt-5\.4 without tools · /);
  });
});

describe("the line about a failure in the log", () => {
  it("says where it happened and what it is, with the limit that a prompt is too long for", () => {
    const request = { entry: "backup", status: 400, requestId: "r-7" } as const;
    const error = new GatewayError("contextTooLong", "No.", { ...request, tokenLimit: 272_000 });
    const facts = "backup · status 400 · request r-7 · limit 272000 tokens";
    assert.equal(failureLine("chat", error), `chat: contextTooLong · ${facts} · No.`);
  });

  it("says which failure made an image order doubtful", () => {
    const cause = new GatewayError("timeout", "No.", { cause: "?" });
    const line = failureLine("image", new GatewayError("mayBeCharged", "No answer.", { cause }));
    assert.equal(line, "image: mayBeCharged · timeout · No answer.");
  });

  it("has the codes of all causes, each once", () => {
    const refused = ["::1", "127.0.0.1"].map((address) => withCode(`connect ${address}`, "ECONNREFUSED"));
    const cause = withCode("fetch failed", "UND_ERR_CONNECT", new AggregateError(refused));
    const line = failureLine("chat", new GatewayError("unreachable", "It cannot be reached.", { cause }));
    assert.match(line, / · UND_ERR_CONNECT · AggregateError · ECONNREFUSED · It cannot/);
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

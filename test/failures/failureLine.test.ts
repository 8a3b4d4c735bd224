import assert from "node:assert/strict";
import { failureLine } from "../../src/failures/failureLine.ts";
import { GatewayError } from "../../src/gateway/errors.ts";

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

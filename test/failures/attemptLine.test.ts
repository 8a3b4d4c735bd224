import assert from "node:assert/strict";
import { attemptLine, preconnectLine, responsesLine } from "../../src/failures/attemptLine.ts";

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

import assert from "node:assert/strict";
import { escapeHtml } from "../../src/text/html.ts";

describe("entities of HTML", () => {
  it("leave no mark-up in text that is escaped", () => {
    assert.doesNotMatch(escapeHtml(`<a href="x" title='y'>`), /[<>"']/);
  });
});

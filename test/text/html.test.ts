import assert from "node:assert/strict";
import { escapeHtml } from "../../src/text/html.ts";

describe("an HTML template", () => {
  it("escapes all markup in texts", () => {
    assert.doesNotMatch(escapeHtml(`<a href="x" title='y'>`), /[<>"']/);
  });
});

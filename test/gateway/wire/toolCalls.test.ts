import assert from "node:assert/strict";
import { ToolCallDrafts } from "../../../src/gateway/wire/toolCalls.ts";

describe("the tool calls of an answer", () => {
  const megabyte = 1 << 20;
  const fragment = (input: unknown) => ({ id: undefined, name: "look_up", input });

  it("may have arguments of 8 MB together, in however many fragments, and no more", () => {
    const drafts = new ToolCallDrafts();
    for (let call = 0; call < 8; call += 1) {
      const draft = drafts.begin();
      for (let half = 0; half < 2; half += 1) drafts.extend(draft, fragment("x".repeat(megabyte / 2)));
    }
    assert.throws(
      () => {
        drafts.extend(drafts.begin(), fragment("x"));
      },
      { kind: "unreadable" },
    );
  });

  it("count whole arguments once, although fragments of them came before", () => {
    const drafts = new ToolCallDrafts();
    for (let call = 0; call < 8; call += 1) {
      const draft = drafts.begin(true);
      drafts.extend(draft, fragment("x".repeat(megabyte)));
      drafts.complete(draft, fragment("{}"));
    }
    assert.equal(drafts.parts(false).length, 8);
    drafts.extend(drafts.begin(), fragment("x".repeat(megabyte)));
  });
});

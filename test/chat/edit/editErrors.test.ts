import assert from "node:assert/strict";
import { setImmediate } from "node:timers/promises";
import { EventEmitter } from "vscode";
import { showErrors } from "../../../src/chat/edit/editErrors.ts";

describe("the notification about the errors of an edit", () => {
  it("ends once the edit is accepted, and stays without a failure where that cannot be read", async () => {
    const stored = new EventEmitter<string | undefined>();
    let ends = 0;
    const edits = {
      errors: { chat: { onDidChange: new EventEmitter().event } },
      onDidStore: stored.event,
      stateOf: (id: string) => (id === "damaged" ? Promise.reject(new Error("EIO")) : Promise.resolve(id)),
    };
    const collection = { end: () => (ends += 1) };
    showErrors(edits as never, collection as never);
    for (const id of [undefined, "applied", "damaged", "accepted"]) stored.fire(id);
    // What nobody handles fails the test.
    await setImmediate();
    assert.equal(ends, 1);
  });
});

import assert from "node:assert/strict";
import { setImmediate } from "node:timers/promises";
import { EventEmitter } from "vscode";
import { showErrors } from "../../../src/chat/edit/editErrors.ts";

describe("the notification about the errors of an edit", () => {
  it("ends once the edit is accepted, and stays without a failure where that cannot be read", async () => {
    const stored = new EventEmitter<string | undefined>();
    let ends = 0;
    const unhandled: unknown[] = [];
    const onUnhandled = (reason: unknown): unknown => unhandled.push(reason);
    const edits = {
      errors: { chat: { onDidChange: new EventEmitter().event } },
      onDidStore: stored.event,
      stateOf: (id: string) => (id === "damaged" ? Promise.reject(new Error("EIO")) : Promise.resolve(id)),
    };
    const listeners = process.rawListeners("unhandledRejection");
    process.removeAllListeners("unhandledRejection").on("unhandledRejection", onUnhandled);
    try {
      showErrors(
        edits as unknown as Parameters<typeof showErrors>[0],
        { end: () => (ends += 1) } as unknown as Parameters<typeof showErrors>[1],
      );
      for (const id of [undefined, "applied", "damaged", "accepted"]) stored.fire(id);
      await setImmediate();
    } finally {
      process.removeAllListeners("unhandledRejection");
      for (const listener of listeners) process.on("unhandledRejection", listener as () => void);
    }
    assert.deepEqual([ends, unhandled], [1, []]);
  });
});

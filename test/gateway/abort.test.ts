import assert from "node:assert/strict";
import { setImmediate as aMoment } from "node:timers/promises";
import { unlessAborted } from "../../src/gateway/abort.ts";

describe("waiting unless aborted", () => {
  const stop = new Error("Stop");
  const forever = new Promise<never>(() => undefined);

  it("returns the result or the failure of the promise, or ends as soon as the signal aborts", async () => {
    const cancel = new AbortController();
    assert.equal(await unlessAborted(Promise.resolve(1), cancel.signal), 1);
    await assert.rejects(unlessAborted(Promise.reject(new Error("No.")), cancel.signal), { message: "No." });
    const waiting = unlessAborted(forever, cancel.signal);
    await aMoment();
    cancel.abort(stop);
    await assert.rejects(waiting, stop);
  });

  it("throws at once if the signal is aborted already", async () => {
    const signal = AbortSignal.abort(stop);
    for (const promise of [forever, Promise.resolve(1), Promise.reject(new Error("No."))]) {
      await assert.rejects(unlessAborted(promise, signal), stop);
    }
  });
});

import assert from "node:assert/strict";
import { withSignal } from "../../src/ui/withSignal.ts";

describe("work with a signal", () => {
  for (const isBefore of [true, false]) {
    it(`is told when the token is cancelled ${isBefore ? "before" : "meanwhile"}`, async () => {
      const source = new TokenSource();
      if (isBefore) source.cancel();
      const aborted = withSignal(source.token, async (signal) => {
        source.cancel();
        return await Promise.resolve(signal.aborted);
      });
      assert.equal(await aborted, true);
    });
  }

  it("leaves no listener behind, also when it fails", async () => {
    const source = new TokenSource();
    const failing = withSignal(source.token, () => Promise.reject(new Error("no")));
    await assert.rejects(failing, /no/);
    assert.equal(source.listeners.size, 0);
  });
});

/** As VS Code's, with its listeners. */
class TokenSource {
  readonly listeners = new Set<(event: unknown) => unknown>();
  readonly token = {
    isCancellationRequested: false,
    onCancellationRequested: (listener: (event: unknown) => unknown) => {
      this.listeners.add(listener);
      return { dispose: () => this.listeners.delete(listener) };
    },
  };

  cancel(): void {
    this.token.isCancellationRequested = true;
    for (const listener of this.listeners) listener(undefined);
  }
}

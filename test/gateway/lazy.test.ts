import assert from "node:assert/strict";
import { lazy } from "../../src/gateway/lazy.ts";

describe("what is made when it is first needed", () => {
  it("is not made before, and only once", async () => {
    let times = 0;
    const thing = lazy(() => Promise.resolve((times += 1)));
    assert.deepEqual([times, thing.started()], [0, undefined]);
    assert.deepEqual(await Promise.all([thing.get(), thing.get()]), [1, 1]);
    assert.deepEqual([await thing.get(), await thing.started()], [1, 1]);
  });

  it("is made again after it failed, for those who ask then", async () => {
    const makings: PromiseWithResolvers<string>[] = [];
    const thing = lazy(() => {
      const making = Promise.withResolvers<string>();
      makings.push(making);
      return making.promise;
    });
    const waiting = [thing.get(), thing.get()];
    makings[0]?.reject(new Error("The file is gone."));
    for (const one of waiting) await assert.rejects(one, /gone/);
    assert.equal(thing.started(), undefined);
    const second = thing.get();
    makings[1]?.resolve("made");
    assert.deepEqual([await second, await thing.get(), makings.length], ["made", "made", 2]);
  });
});

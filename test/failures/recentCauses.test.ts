import assert from "node:assert/strict";
import { RecentCauses } from "../../src/failures/recentCauses.ts";

describe("recent causes", () => {
  it("show once within the window, each for itself", () => {
    const { recent } = at(0);
    assert.deepEqual([recent.isNew("a"), recent.isNew("a"), recent.isNew("b")], [true, false, true]);
  });

  it("show again after the window, also when they kept failing", () => {
    const { recent, clock } = at(0);
    recent.isNew("a");
    clock.now = 2_999;
    assert.equal(recent.isNew("a"), false);
    clock.now = 3_000;
    assert.equal(recent.isNew("a"), true);
  });

  it("show again at once after the user has reacted", () => {
    const { recent } = at(0);
    recent.isNew("a");
    recent.forget("a");
    assert.equal(recent.isNew("a"), true);
  });
});

function at(now: number): { readonly recent: RecentCauses; readonly clock: { now: number } } {
  const clock = { now };
  return { recent: new RecentCauses(() => clock.now, 3_000), clock };
}

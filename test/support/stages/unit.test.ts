import assert from "node:assert/strict";
import { join } from "node:path";
import { testsOf } from "./unit.ts";

describe("the unit tests that a change concerns", () => {
  it("are those that import it, directly or through other files", () => {
    const found = testsOf([join("src", "gateway", "baseUrl.ts")]);
    for (const file of [["baseUrl.test.ts"], ["faults", "cancel.test.ts"]])
      assert.ok(found.includes(join("test", "gateway", ...file)), found.join("\n"));
    assert.ok(!found.includes(join("test", "text", "maskSecrets.test.ts")));
  });

  it("are the test itself, and none in the extension host", () => {
    const own = join("test", "support", "stages", "unit.test.ts");
    assert.deepEqual(testsOf([own, join("test", "suite", "preconnect.test.ts")]), [own]);
  });
});

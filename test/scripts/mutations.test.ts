import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { mutate } from "../../scripts/mutate.ts";
import { root } from "../../scripts/paths.ts";
import mutations from "../mutations.json" with { type: "json" };

describe("the mutations", () => {
  const read = (path: string): string => readFileSync(join(root, path), "utf8");
  const paths = globSync("test/**/*.test.ts", { cwd: root }).map((path) => path.replaceAll("\\", "/"));
  const tests = paths.map((path) => `${path}\n${read(path)}`);

  it("change a text that is in its file once, for a test that there is", () => {
    for (const mutation of mutations) {
      const original = read(mutation.file);
      const mutated = mutate(original, mutation);
      assert.ok(mutated !== undefined && mutated !== original, `${mutation.file}: ${mutation.from}`);
      const test = tests.find((one) => one.includes(mutation.test));
      assert.ok(test, mutation.test);
    }
  });
});

import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../scripts/paths.ts";

describe("the workflows", () => {
  const texts = globSync(".github/workflows/*.yml", { cwd: root }).map((path) =>
    readFileSync(join(root, path), "utf8"),
  );

  it("take the actions of others by commit, with the version beside it", () => {
    const used = texts.flatMap((text) => [...text.matchAll(/\buses: *(.*)/g)].map(([, action = ""]) => action));
    assert.ok(used.length > 5);
    for (const action of used) assert.match(action, /^(?:\.\/\S+|[\w-]+\/[\w/-]+@[\da-f]{40} # v\d+\.\d+\.\d+)$/);
  });

  it("run nothing of the repository where they may write", () => {
    const jobs = texts.flatMap((text) => (text.split(/^jobs:$/m)[1] ?? "").split(/^ {2}(?=[\w-]+:$)/m));
    const writing = jobs.filter((job) => /: write\b|write-all/.test(job));
    assert.equal(writing.length, 1);
    for (const job of writing) assert.doesNotMatch(job, /checkout|\bnode\b|\bnpm\b|\bnpx\b|\.\//);
    // Without permissions of its own, a job has those of the workflow.
    for (const text of texts) assert.match(text, /^permissions:\n {2}contents: read\n(?! )/m);
  });
});

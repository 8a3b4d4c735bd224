import assert from "node:assert/strict";
import { isReplacement } from "../../src/edits/read/readEdits.ts";
import { fenceFor, onlyBlock } from "../../src/inline/editBlock.ts";

describe("the block of an answer", () => {
  it("can be inserted if it is the only one", () => {
    assert.deepEqual(onlyBlock("So:\n\n```ts\na\n\n\tb\n```\n\nDone."), ["a", "", "\tb"]);
    assert.equal(onlyBlock("Nothing."), undefined);
    assert.equal(onlyBlock("```ts\na\n```\n```ts\nb\n```"), undefined);
    assert.equal(onlyBlock("```ts\na"), undefined);
  });

  it("cannot be inserted if a part of it is not seen", () => {
    assert.equal(onlyBlock("<!--\n```ts\na\n```\n-->"), undefined);
    assert.equal(onlyBlock("```ts\na\u2066\n```"), undefined);
    assert.equal(onlyBlock(`\`\`\`ts\na;${" ".repeat(300)}b\n\`\`\``), undefined);
  });

  it("cannot be inserted if VS Code renders only a part of it", () => {
    const code = "a".repeat(99).concat("\n");
    assert.equal(onlyBlock(`\`\`\`ts\n${code.repeat(900)}\`\`\``)?.length, 900);
    assert.equal(onlyBlock(`\`\`\`ts\n${code.repeat(1_100)}\`\`\``), undefined);
    assert.equal(onlyBlock(`${code.repeat(1_100)}\n\`\`\`ts\na\n\`\`\``), undefined);
    // What is escaped takes more room.
    assert.equal(onlyBlock(`${"<b>".repeat(30_000)}\n\`\`\`ts\na\n\`\`\``), undefined);
  });

  it("replaces the code only with the mark in its info string", () => {
    assert.ok(isReplacement("ts replace"));
    assert.ok(isReplacement("replace"));
    assert.ok(!isReplacement("ts replaced"));
  });

  it("is asked for with a fence that no line of the code can end", () => {
    assert.equal(fenceFor(["a", " * ```ts"]), "`".repeat(3));
    assert.equal(fenceFor(["```ts", "a", "```"]), "`".repeat(4));
    assert.equal(fenceFor(["  ````"]), "`".repeat(5));
    assert.equal(fenceFor(["a"], "markdown"), "`".repeat(4));
    assert.equal(fenceFor("```ts\n".repeat(300_000).split("\n")), "`".repeat(4));
  });
});

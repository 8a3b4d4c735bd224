import assert from "node:assert/strict";
import { type ContextPart, fitContext } from "../../../src/chat/context/planQuestion.ts";

describe("the context of a question", () => {
  const large = part("large.ts", 400);

  it("leaves out what would be cut to nothing, and goes on with what fits", () => {
    const { parts, notes } = fitContext([large, part("tiny.ts", 1)], 150);
    assert.deepEqual([parts.map(({ name }) => name), notes], [["tiny.ts"], [{ kind: "omitted", name: "large.ts" }]]);
  });

  it("leaves out one endless line rather than half of it, and keeps empty files, which say something too", () => {
    const endless = { name: "min.js", language: "", text: "a=1;".repeat(9_000) };
    const { parts, notes } = fitContext([endless, { name: "empty.ts", language: "", text: "" }], 1_000);
    assert.deepEqual([parts.map(({ name }) => name), notes], [["empty.ts"], [{ kind: "omitted", name: "min.js" }]]);
  });
});

function part(name: string, lines: number): ContextPart {
  const text = Array.from({ length: lines }, (_, line) => `export const value${line} = compute(${line});\n`).join("");
  return { name, language: "typescript", text };
}

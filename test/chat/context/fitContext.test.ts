import assert from "node:assert/strict";
import { type ContextPart, fitContext } from "../../../src/chat/context/planQuestion.ts";
import { estimateTokens } from "../../../src/prompts/estimateTokens.ts";

describe("the context of a question", () => {
  const small = part("small.ts", 20);
  const large = part("large.ts", 400);

  it("takes the first parts first, and of one that is too long the beginning in whole lines", () => {
    const { parts, notes } = fitContext([small, large], 1_000);
    assert.deepEqual(notes, [{ kind: "truncated", name: "large.ts" }]);
    assert.deepEqual(parts[0], small);
    const text = parts[1]?.text ?? "";
    assert.ok(text.endsWith("\n") && large.text.startsWith(text));
    const tokens = estimateTokens(small.text + text);
    assert.ok(tokens > 900 && tokens <= 1_000, String(tokens));
  });

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

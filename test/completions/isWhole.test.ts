import assert from "node:assert/strict";
import { isWhole } from "../../src/completions/isWhole.ts";

const place = (prefix: string, suffix: string, languageId = "typescript") => ({ prefix, suffix, languageId });

/** The shortest beginning of a text that counts as whole. */
function cutAt(
  text: string,
  ...rest: [Parameters<typeof isWhole>[1], Parameters<typeof isWhole>[2]]
): string | undefined {
  for (let length = 0; length <= text.length; length += 1)
    if (isWhole(text.slice(0, length), ...rest)) return text.slice(0, length);
  return undefined;
}

describe("an answer is whole", () => {
  it("when its line ends", () => {
    assert.equal(cutAt("1;\nmore();", place("const a = ", "\n"), "rest"), "1;\n");
  });

  it("when its second line ends if the first only introduces it", () => {
    assert.equal(cutAt("Here is the code:\n1;\nmore();", place("const a = ", "\n"), "rest"), undefined);
  });

  it("when the line after a repeated one ends", () => {
    assert.equal(isWhole("const a = 1;\n", place("const a = 1;\nconst ", "\n"), "rest"), false);
  });

  it("when the block is closed", () => {
    const answer = "if (a) {\n    b();\n  }\n  return c;\n}\n\nfunction g() {}";
    assert.equal(
      cutAt(answer, place("function f() {\n  ", "\n}\n"), "block"),
      "if (a) {\n    b();\n  }\n  return c;\n}",
    );
  });

  it("when a block of Python is left", () => {
    const answer = "x = 1\n    return x\n\ndef g():\n    pass\n";
    assert.equal(cutAt(answer, place("def f():\n    ", "\n", "python"), "block"), "x = 1\n    return x\n\ndef g():\n");
  });

  it("when it reaches the code after the cursor", () => {
    const answer = "a();\n  return finished(result);\n}";
    const cut = cutAt(answer, place("function f() {\n  ", "\n  return finished(result);\n}\n"), "block") ?? "";
    assert.ok(cut.includes("return") && cut.length < answer.length - 2, cut);
  });

  it("when its fence ends, and not before", () => {
    assert.equal(cutAt("```ts\na();\nb();\n```\nmore", place("", "\n"), "rest"), "```ts\na();\nb();\n```");
  });

  it("when it becomes too long to be read", () => {
    assert.equal(isWhole("a();\n".repeat(60), place("function f() {\n", "\n}"), "block"), true);
  });

  it("never before it says anything", () => {
    assert.equal(isWhole("\n\n  ", place("a();\n", "\n"), "line"), false);
  });
});

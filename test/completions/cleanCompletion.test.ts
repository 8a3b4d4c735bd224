import assert from "node:assert/strict";
import fc from "fast-check";
import { cleanCompletion } from "../../src/completions/cleanCompletion.ts";
import { assertLinear, processorTime } from "../support/assertLinear.ts";
import { fixtures } from "./fixtures.ts";

describe("a completion of an answer", () => {
  for (const { title, prefix, text, suffix, languageId, answers } of fixtures) {
    it(`${title}, in ${languageId} after ${JSON.stringify(prefix.slice(-20))}`, () => {
      for (const answer of answers)
        assert.equal(cleanCompletion(answer, { prefix, suffix, languageId }) ?? "", text, answer);
    });
  }

  for (const languageId of ["tcl", "restructuredtext", "plaintext"])
    it(`loses its fence in ${languageId}`, () => {
      const context = { prefix: "one\n", suffix: "\nthree\n", languageId };
      for (const info of ["text", languageId, ""])
        for (const opener of ["Here you go:\n\n", ""])
          assert.equal(cleanCompletion(`${opener}\`\`\`${info}\ntwo\n\`\`\`\n`, context), "two", opener + info);
    });

  it("may be cut off within the end of its envelope", () => {
    for (const end of ["</", "</com", "</completion"])
      for (const languageId of ["typescript", "html"])
        assert.equal(cleanCompletion(`<completion>b;${end}`, { prefix: "a = ", suffix: "\n", languageId }), "b;", end);
  });

  it("stays as it is with line endings of Windows", () => {
    const context = { prefix: "function f() {\r\n", suffix: "}\r\n", languageId: "typescript" };
    assert.equal(cleanCompletion("  a();\r\n  b();\r\n", context), "  a();\r\n  b();\r\n");
  });
});

describe("an answer with a hidden part", () => {
  const context = { prefix: "const a = ", suffix: "\n", languageId: "typescript" };
  const hiding: readonly (readonly [string, string])[] = [
    ["turns text around", "a\u202eb\u2066"],
    ["has no width", "a\u200cb"],
    ["has spaces before its end", `1;${" ".repeat(300)}evil();`],
    ["has spaces before its end in a later line", `1;\r\n${" ".repeat(300)}evil();`],
    ["goes on after a gap", `1;${"\n  ".repeat(12)}\nevil();`],
  ];
  for (const [title, text] of hiding) {
    it(`is no completion: it ${title}`, () => {
      assert.equal(cleanCompletion(`value + ${text}`, context), undefined);
    });
  }

  it("is no completion where blanks of the line and of the answer hide a part of it together", () => {
    const prefix = `const a = 1;${" ".repeat(70)}`;
    assert.equal(cleanCompletion(`${" ".repeat(70)}evil();`, { ...context, prefix }), undefined);
  });

  it("is one where it has emoji, and joiners that a script requires", () => {
    const text = '"👩‍💻 می\u200cخواهم";\n\n\nnext();';
    assert.equal(cleanCompletion(text, context), text);
  });
});

describe("any answer", () => {
  const pieces = fc.constantFrom(
    ..."```|```ts|~~~|<code>|</code>|<completion>|</completion>|<|cursor|>|█|Here is the code:|I'm sorry, but|}|)|});|{|(|\"|'|`|/*|*/|//|#|<div>|</div>|<|>|a|foo();|return x;|  | |\t|\n|\n\n|\r\n|\\|${|:|def f():|- a|\u{1F600}|好".split(
      "|",
    ),
    "|",
    "<|cursor|>",
  );
  const text = fc.array(pieces, { maxLength: 30 }).map((parts) => parts.join(""));
  const languageId = fc.constantFrom("typescript", "python", "html", "markdown", "yaml", "css", "php", "unknown");

  it("never throws, and never becomes only white space", () => {
    fc.assert(
      fc.property(text, text, text, languageId, (answer, prefix, suffix, language) => {
        const cleaned = cleanCompletion(answer, { prefix, suffix, languageId: language });
        assert.notEqual(cleaned?.trim(), "");
      }),
      { numRuns: 2_000 },
    );
  });

  it("has the line endings of the document", () => {
    fc.assert(
      fc.property(text, fc.constantFrom("\n", "\r\n"), (answer, end) => {
        const context = { prefix: `a();${end}`, suffix: `${end}b();${end}`, languageId: "typescript" };
        const cleaned = cleanCompletion(answer, context) ?? "";
        assert.equal(cleaned.replaceAll("\r\n", "").includes(end === "\n" ? "\r" : "\n"), false);
      }),
    );
  });

  it("is read in linear time: a long line before a bracket", () => {
    const context = { prefix: "function f() {\n  ", suffix: "\n}\n", languageId: "typescript" };
    assertLinear((size) => void cleanCompletion(`<completion>${"a".repeat(size)}\n}\n}`, { ...context }), 20_000);
  });

  it("costs little, however much text is around the cursor", () => {
    const prefix = "function f() {\n  a();\n}\n".repeat(50_000);
    const context = { prefix: `${prefix}function g() {\n`, suffix: `\n}\n${prefix}`, languageId: "typescript" };
    const run = () => cleanCompletion("  b();\n  c();", { ...context });
    for (let round = 0; round < 20; round += 1) run();
    assert.ok(processorTime(run) < 300);
  });
});

import assert from "node:assert/strict";
import { outcome } from "../support/edits/outcome.ts";

const code = [
  'const name = "café";',
  "if (a < b && c) run('x');",
  "const list = items.map((item) => item.name);",
  "const word = 'cafe\u0301';",
  'export { name, "other" };',
];
const changed = code.with(2, "const list = [];");

/** The outcome of a whole file and of a replacement in which the lines are given so. */
function outcomes(old: readonly string[], lines: readonly string[], path = "a.ts"): readonly unknown[] {
  return [`\`\`\`ts ${path}`, "```ts replace"].map((fence) => {
    const answer = `${fence}\n${lines.join("\n")}\n\`\`\``;
    return outcome(answer, { [path]: `${old.join("\n")}\n` }, { path, start: 0, end: old.length })
      .join()
      .trimEnd();
  });
}

describe("lines that an answer repeats in other characters", () => {
  const quoted = (line: string): string => line.replace(/"([^"]*)"/g, "“$1”").replace(/'([^']*)'/g, "‘$1’");
  const escaped = (line: string): string =>
    line.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  const forms: Readonly<Record<string, (line: string) => string>> = {
    "with typographic quotes": quoted,
    "escaped for HTML": escaped,
    "in another Unicode form": (line) => line.normalize("NFD"),
    "in the usual Unicode form": (line) => line.normalize("NFC"),
    "with blanks that do not break": (line) => line.replaceAll(" ", "\u00a0"),
  };
  for (const [title, form] of Object.entries(forms)) {
    it(`stay as they are: ${title}`, () => {
      const expected = changed.join("\n");
      const lines = changed.map((line, at) => (at === 2 ? line : form(line)));
      assert.deepEqual(outcomes(code, lines), [expected, expected]);
    });
  }

  it("are changed where nothing else is", () => {
    for (const form of [quoted, escaped]) {
      const lines = code.map(form);
      assert.deepEqual(outcomes(code, lines), [lines.join("\n"), lines.join("\n")]);
    }
  });

  it("tell which characters new lines should have", () => {
    for (const form of [quoted, escaped]) {
      const expected = code.with(2, `const list = <"a" & 'b'>;`);
      assert.deepEqual(outcomes(code, expected.map(form)), [expected.join("\n"), expected.join("\n")]);
    }
  });

  it("make new lines unclear where the file has such characters itself", () => {
    const mixed = code.with(0, "const name = “café”;");
    const lines = mixed.with(2, `const list = <"a" & 'b'>;`).map(quoted);
    assert.deepEqual(outcomes(mixed, lines), ["malformed", "malformed"]);
  });
});

describe("blanks that do not break", () => {
  it("indent like others", () => {
    const text = "if (a) {\n  b();\n}\n";
    const answers = [
      "a.ts\n<<<<<<< SEARCH\n  b();\n=======\n\u00a0 b();\n\u00a0\u00a0c();\n>>>>>>> REPLACE",
      "*** Begin Patch\n*** Update File: a.ts\n   b();\n+\u00a0\u00a0c();\n*** End Patch",
      "```ts a.ts\nif (a) {\n\u00a0 b();\n \u00a0c();\n}\n```",
    ];
    for (const answer of answers) {
      assert.deepEqual(outcome(answer, { "a.ts": text }), [text.replace("b();", "b();\n  c();")], answer);
    }
  });
});

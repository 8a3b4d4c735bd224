import assert from "node:assert/strict";
import { outcome } from "../support/edits/outcome.ts";

const code = ['const name = "café";', "if (a < b && c) run('x');", "const list = items;", "\treturn 1;"];

/** What becomes of lines that replace the code, given as a whole file and as a replacement. */
function outcomes(lines: readonly string[]): readonly unknown[] {
  return ["```ts a.ts", "```ts replace"].map((fence) => {
    const answer = `${fence}\n${lines.join("\n")}\n\`\`\``;
    return outcome(answer, { "a.ts": `${code.join("\n")}\n` }, { path: "a.ts", start: 0, end: code.length })
      .join()
      .trimEnd();
  });
}

describe("lines in other characters than the file are proposed unchanged", () => {
  const forms: Readonly<Record<string, (line: string) => string>> = {
    "with typographic quotes": (line) => line.replace(/"([^"]*)"/g, "“$1”"),
    "with entities of HTML": (line) => line.replaceAll("&", "&amp;"),
    "in another Unicode form": (line) => line.normalize("NFD"),
    "with blanks for tabs": (line) => line.replaceAll("\t", "    "),
    "with numbers before them": (line) => `1: ${line}`,
  };
  for (const [title, form] of Object.entries(forms)) {
    it(title, () => {
      const lines = code.with(2, "const list = [];").map(form);
      assert.deepEqual(outcomes(lines), [lines.join("\n"), lines.join("\n")]);
    });
  }
});

describe("old lines in other characters than the file", () => {
  for (const old of ["const name = “café”;", "if (a < b &amp;&amp; c) run('x');", "3: const list = items;"]) {
    it(`are not found: ${old}`, () => {
      const answer = `a.ts\n<<<<<<< SEARCH\n${old}\n=======\nx();\n>>>>>>> REPLACE`;
      assert.deepEqual(outcome(answer, { "a.ts": code.join("\n") }), ["notFound"]);
    });
  }
});

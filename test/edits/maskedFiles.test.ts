import assert from "node:assert/strict";
import { type Resolution, resolveMasked } from "../../src/edits/resolveEdits.ts";
import { readEdits } from "../../src/edits/read/readEdits.ts";
import { WindowSecrets } from "../../src/text/secrets/windowSecrets.ts";
import { randomTexts } from "../support/randomTexts.ts";
import { each } from "../support/each.ts";

const { base62 } = randomTexts(1);
const [secret, other] = [base62(24), base62(24)];
const file = ["const a = 1;", `const password = "${secret}";`, `const token = "${other}";`, "const b = 2;", ""].join(
  "\r\n",
);
const secrets = new WindowSecrets();
await secrets.learn(file);
const [, passwordLine = "", tokenLine = ""] = (await secrets.mask(file, "a question")).split("\r\n");

function resolve(answer: string): Resolution {
  const files = new Map([["a.ts", file]]);
  const restore = (line: string): string => secrets.restore(line);
  return resolveMasked(readEdits(answer, files), files, restore, { path: "a.ts", start: 0, end: 4 });
}

function replaced(...lines: readonly string[]): Resolution {
  return resolve(["```ts replace", ...lines, "```"].join("\n"));
}

function patched(...rows: readonly string[]): Resolution {
  return resolve(["*** Begin Patch", "*** Update File: a.ts", "@@", ...rows, "*** End Patch"].join("\n"));
}

describe("edits of files with secrets", () => {
  const kept = [`const password = "${secret}";`, `const token = "${other}";`];
  each<[resolution: Resolution], string>([
    [
      "find their place by placeholders, and keep the secrets",
      patched(` ${passwordLine}`, ` ${tokenLine}`, "-const b = 2;", "+const b = 3;"),
      file.replace("b = 2", "b = 3"),
    ],
    [
      "put the secrets back where a block repeats their lines",
      replaced("const a = 2;", passwordLine, tokenLine, "const b = 2;"),
      file.replace("a = 1", "a = 2"),
    ],
    [
      "put them back in lines that are indented",
      replaced("if (c) {", `  ${passwordLine}`, `  ${tokenLine}`, "}"),
      ["if (c) {", ...kept.map((line) => `  ${line}`), "}", ""].join("\r\n"),
    ],
    [
      "may remove them",
      replaced("const password = process.env.PASSWORD;", tokenLine),
      ["const password = process.env.PASSWORD;", kept[1], ""].join("\r\n"),
    ],
  ]).hold(({ changes, problems }, expected) => {
    assert.deepEqual([changes.map((change) => change.text), problems], [[expected], []]);
    assert.doesNotMatch(JSON.stringify(changes), /\[secret/);
  });

  for (const [name, lines] of Object.entries({
    "a new line": [passwordLine, tokenLine, `log("${/\[.*\]/.exec(passwordLine)?.[0] ?? ""}");`],
    "a changed line": [`${passwordLine} // ours`, tokenLine],
    "a line that comes twice": [`  ${passwordLine}`, `  ${passwordLine}`, tokenLine],
    "a line with another number": [passwordLine.replace(/\d{6}/, "000000"), tokenLine],
    "a line with what looks like a placeholder": ['const password = "[secret removed]";', tokenLine],
  })) {
    it(`are refused with a placeholder in ${name}`, () => {
      assert.deepEqual(replaced(...lines), { changes: [], problems: [{ kind: "masked", path: "a.ts" }] });
    });
  }

  it("are refused with a placeholder in a new file", () => {
    const { problems } = resolve(
      ["*** Begin Patch", "*** Add File: b.ts", `+${passwordLine}`, "*** End Patch"].join("\n"),
    );
    assert.deepEqual(problems, [{ kind: "masked", path: "b.ts" }]);
  });
});

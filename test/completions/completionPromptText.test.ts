import assert from "node:assert/strict";
import { bestPiece, completionPromptText, cursorMarker } from "../../src/completions/completionPromptText.ts";

const nothing = { path: "src/a.ts", symbols: [], neighbors: [], edits: [] };
const long = Array.from({ length: 4_000 }, (_, index) => `const a${index} = ${index};`).join("\n");
const promptOf = (prefix: string, suffix: string, budget: number) =>
  completionPromptText({ prefix, suffix, languageId: "typescript" }, nothing, "rest", budget);
const codeIn = (user: string) => user.slice(user.indexOf("\nCode:\n") + "\nCode:\n".length);

describe("the prompt of a completion", () => {
  it("has the code with one marker at the cursor, and line feeds only", () => {
    const { user } = promptOf("b();\r\na(", ");\r\n", 1_000);
    assert.equal(codeIn(user), `b();\na(${cursorMarker});\n`);
    assert.equal(user.split(cursorMarker).length, 2);
  });

  it("has about three quarters of the code before the cursor", () => {
    const { user } = promptOf(long, long, 12_000);
    const [before = "", after = ""] = codeIn(user).split(cursorMarker);
    assert.ok(before.length + after.length <= 12_100, `${before.length} + ${after.length}`);
    const part = before.length / (before.length + after.length);
    assert.ok(part > 0.6 && part < 0.8, `${part}`);
  });

  it("gives the room that one side leaves to the other", () => {
    const { user } = promptOf("a();\n", long, 8_000);
    assert.ok(codeIn(user).length > 7_500);
  });

  it("has the same head while someone types", () => {
    const prompts = Array.from({ length: 40 }, (_, typed) => promptOf(long + "x".repeat(typed), "\n", 8_000));
    const heads = new Set(prompts.map(({ system, user }) => system + user.slice(0, 2_000)));
    assert.ok(heads.size <= 2, `${heads.size} heads`);
  });

  it("has imports, symbols, open files and edits in this order, before the code", () => {
    const related = {
      path: "src/a.ts",
      symbols: ["class A", "run()"],
      neighbors: [{ path: "src/c.ts", text: "shared();" }],
      edits: [{ path: "src/b.ts", text: "edited();" }],
    };
    const context = { prefix: `import { b } from "./b.ts";\n${long}`, suffix: "", languageId: "typescript" };
    const { user } = completionPromptText(context, related, "block", 4_000);
    const at = ["import { b }", "class A > run()", "shared();", "edited();", "Code:"].map((part) => user.indexOf(part));
    assert.ok(!at.includes(-1));
    const inOrder = at.toSorted((one, other) => one - other);
    assert.deepEqual(at, inOrder);
  });

  it("has what the user dismissed, after what does not change from request to request", () => {
    const context = { prefix: "a(", suffix: "", languageId: "typescript" };
    const { user } = completionPromptText(context, nothing, "rest", 1_000, "b);");
    assert.ok(user.indexOf("something other than:\nb);\n") > user.indexOf("File: "));
    assert.equal(completionPromptText(context, nothing, "rest", 1_000).user.includes("something else"), false);
  });

  it("has no part of a word where it cuts code, files, and edits, so that no secret is cut in half", () => {
    const word = "x".repeat(90);
    const piece = { path: "b.ts", text: `${word} `.repeat(20) };
    const related = { ...nothing, neighbors: [piece], edits: [piece] };
    for (const blank of [" ", "\n"]) {
      const code = `${word}${blank}`.repeat(20);
      const context = { prefix: code, suffix: code, languageId: "typescript" };
      const { user } = completionPromptText(context, related, "rest", 1_000);
      for (const run of user.match(/x+/g) ?? []) assert.equal(run.length, word.length);
    }
  });

  it("never grows with the files that are open", () => {
    const piece = { path: "src/b.ts", text: long };
    const lengths = [[], [piece], [piece, piece, piece]].map((neighbors) => {
      const context = { prefix: long, suffix: long, languageId: "typescript" };
      return completionPromptText(context, { ...nothing, neighbors }, "rest", 6_000).user.length;
    });
    assert.ok(Math.max(...lengths) <= (lengths[0] ?? 0) + 50, lengths.join(", "));
  });
});

describe("the piece of an open file that helps", () => {
  const text = `${"other();\n".repeat(50)}export interface UserName {\n  firstName: string;\n}\n${"other();\n".repeat(50)}`;

  it("is where it shares most names with the code at the cursor", () => {
    const piece = bestPiece(text, "function greet(user: UserName) { return user.firstName");
    assert.equal(piece?.shared, 2);
    assert.ok(piece.text.startsWith("export interface UserName {\n  firstName: string;"));
  });

  it("is none where only words of the language are shared", () => {
    assert.equal(bestPiece(text, "export interface Other { other: string }"), undefined);
  });
});

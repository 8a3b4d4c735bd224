import assert from "node:assert/strict";
import { CancellationTokenSource, Location, Range, Uri, workspace } from "vscode";
import { readReferences } from "../../src/chat/readReferences.ts";

describe("what is attached to a question", () => {
  const { token } = new CancellationTokenSource();
  const at = (path: string): Uri => Uri.joinPath(workspace.workspaceFolders?.[0]?.uri ?? Uri.file("/"), path);
  const read = (...values: readonly unknown[]): ReturnType<typeof readReferences> =>
    readReferences(
      values.map((value, index) => ({ id: `reference${index}`, value })),
      token,
    );

  it("is read, the most particular first: texts and places in files, files, folders", async () => {
    const selection = new Location(at("greet.ts"), new Range(0, 3, 2, 0));
    const { parts, unreadable } = await read(at("docs"), at("README.md"), "some words", selection);
    assert.deepEqual(unreadable, []);
    assert.deepEqual(
      parts.map(({ name }) => name),
      ["Attached text", "greet.ts:1-2", "README.md", "docs/", "docs/plan.md"],
    );
    const [, code, , list] = parts;
    assert.match(code?.text ?? "", /^export function greet\(.*\n.*;$/);
    assert.equal(code?.language, "typescript");
    assert.equal(list?.text, "docs/plan.md");
  });

  it("is read as its editor has it, saved or not", async () => {
    const document = await workspace.openTextDocument({ content: "let unsaved = true;", language: "typescript" });
    const { parts } = await read(document.uri);
    assert.equal(parts[0]?.text, "let unsaved = true;");
  });

  it("is named where it cannot be read: binary files, what is not there, what nobody knows", async () => {
    const binary = at("picture.bin");
    await workspace.fs.writeFile(binary, new Uint8Array([1, 0, 2, 0]));
    const { parts, unreadable } = await read(binary, at("nowhere.ts"), { of: "another kind" });
    assert.deepEqual(parts, []);
    assert.deepEqual(unreadable.toSorted(), ["nowhere.ts", "picture.bin", "reference2"]);
    await workspace.fs.delete(binary);
  });

  it("is refused where it is an image", async () => {
    const picture = { mimeType: "image/png", data: () => Promise.resolve(new Uint8Array()) };
    await assert.rejects(read(picture), { name: "UserError", kind: "imageInput" });
  });
});

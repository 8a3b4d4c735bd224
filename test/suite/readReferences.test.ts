import assert from "node:assert/strict";
import { CancellationTokenSource, ChatResponseTurn, Location, Range, Uri, workspace } from "vscode";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type FindContext, gatherContext, readReferences } from "../../src/chat/context/gatherContext.ts";
import { participantId } from "../../src/manifest.ts";
import { at, gate } from "./editing.ts";

describe("what is attached to a question", () => {
  const { token } = new CancellationTokenSource();
  const read = (...values: readonly unknown[]): ReturnType<typeof readReferences> =>
    readReferences(
      values.map((value, index) => ({ id: `reference${index}`, value })),
      gate,
      token,
    );

  it("is read as its editor has it, the most particular first: texts and places in files, files, folders", async () => {
    const selection = new Location(at("greet.ts"), new Range(0, 3, 2, 0));
    const { parts, unreadable } = await read(at("docs"), at("README.md"), "some words", selection);
    assert.deepEqual(unreadable, []);
    const names = parts.map(({ name }) => name);
    assert.deepEqual(names, ["Attached text", "greet.ts:1-2", "README.md", "docs/", "docs/plan.md"]);
    const [, code, , list] = parts;
    assert.match(code?.text ?? "", /^export function greet\(.*\n.*;$/);
    assert.equal(code?.language, "typescript");
    assert.equal(list?.text, "docs/plan.md");
    const unsaved = await workspace.openTextDocument({ content: "let unsaved = true;", language: "typescript" });
    assert.equal((await read(unsaved.uri)).parts[0]?.text, "let unsaved = true;");
  });

  it("is named where it cannot be read, as binary files or what is not there, and refused where it is an image", async () => {
    const binary = at("picture.bin");
    await workspace.fs.writeFile(binary, new Uint8Array([1, 0, 2, 0]));
    const { parts, unreadable } = await read(binary, at("nowhere.ts"), { of: "another kind" });
    assert.deepEqual(parts, []);
    assert.deepEqual(unreadable.toSorted(), ["nowhere.ts", "picture.bin", "reference2"]);
    await workspace.fs.delete(binary);
    const picture = { mimeType: "image/png", data: () => Promise.resolve(new Uint8Array()) };
    await assert.rejects(read(picture), { name: "UserError", kind: "imageInput" });
  });

  it("is named in one line where a file's name has control characters", async function () {
    if (process.platform === "win32") this.skip();
    const folder = at("lines");
    await mkdir(folder.fsPath);
    await writeFile(join(folder.fsPath, "a\rb.txt"), "text");
    try {
      const { parts } = await read(folder);
      assert.equal(parts[0]?.text, "lines/a b.txt");
    } finally {
      await rm(folder.fsPath, { recursive: true });
    }
  });

  it("sends a file of a folder once, and does not look for it again", async () => {
    const known: string[] = [];
    const find: FindContext = (_, uris) => {
      known.push(...uris);
      return Promise.resolve({ parts: [], sources: [] });
    };
    const more = [at(""), at("greet.ts")].map((value) => ({ id: "", value, origin: "earlier" as const }));
    const request = { command: "edit", prompt: "Greet", references: [] };
    const { parts } = await gatherContext(request, { history: [] }, { gate, token, find, more });
    const greet = at("greet.ts").toString();
    assert.equal(parts.filter(({ uri }) => uri?.toString() === greet).length, 1);
    const files = parts.flatMap(({ uri }) => uri?.toString() ?? []);
    assert.ok(files.length > 1 && files.every((file) => known.includes(file)));
  });

  it("reads again what is in the workspace, and tells of it", async () => {
    const turn = (uri: string): ChatResponseTurn => {
      const result = { metadata: { editor: { uri } } };
      const { prototype } = ChatResponseTurn;
      return Object.assign(Object.create(prototype) as ChatResponseTurn, { participant: participantId, result });
    };
    const uris = [at("greet.ts"), Uri.file(join(tmpdir(), "notes.txt"))].map(String);
    const history = [...uris, "no uri"].map(turn);
    const request = { command: undefined, prompt: "", references: [] };
    const { parts, unasked, outside } = await gatherContext(request, { history }, { gate, token });
    assert.deepEqual([parts.length, parts[0]?.name, outside.length], [1, "greet.ts", 1]);
    assert.deepEqual(unasked.map(String), [at("greet.ts").toString()]);
  });
});

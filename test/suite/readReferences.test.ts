import assert from "node:assert/strict";
import { CancellationTokenSource, ChatResponseTurn, Location, Range, Uri, workspace } from "vscode";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type FindContext, gatherContext, type Origin, readReferences } from "../../src/chat/context/gatherContext.ts";
import { participantId } from "../../src/manifest.ts";
import { FileGate } from "../../src/reading/fileGate.ts";

describe("what is attached to a question", () => {
  const { token } = new CancellationTokenSource();
  const gate = new FileGate((files) => Promise.resolve(new Set(files.filter(({ path }) => path.includes("ignored")))));
  const at = (path: string): Uri => Uri.joinPath(workspace.workspaceFolders?.[0]?.uri ?? Uri.file("/"), path);
  const read = (...values: readonly unknown[]): ReturnType<typeof readReferences> =>
    readReferences(
      values.map((value, index) => ({ id: `reference${index}`, value })),
      gate,
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

  describe("with files to be careful about", () => {
    const folder = at("careful").fsPath;
    let elsewhere = "";

    beforeEach(async () => {
      elsewhere = await mkdtemp(join(tmpdir(), "elsewhere-"));
      await mkdir(folder);
      await writeFile(join(folder, "a.txt"), "a");
      await writeFile(join(folder, ".env"), "PASSWORD=1");
      await writeFile(join(folder, "server.pem"), "PRIVATE");
      await writeFile(join(elsewhere, "id_rsa"), "PRIVATE");
      await writeFile(join(elsewhere, "notes.txt"), "outside");
      await symlink(join(elsewhere, "id_rsa"), join(folder, "innocent.txt"));
      await symlink(join(elsewhere, "notes.txt"), join(folder, "link.txt"));
    });

    afterEach(async () => {
      await rm(folder, { recursive: true });
      await rm(elsewhere, { recursive: true });
    });

    const readAs = (origin: Origin, value: unknown): ReturnType<typeof readReferences> =>
      readReferences([{ id: "x", value, origin }], gate, token);

    it("leaves out of a folder what may hold secrets and what leads out, and says so", async () => {
      const { parts, secret, outside } = await read(Uri.file(folder));
      assert.deepEqual(
        parts.slice(1).map(({ name }) => name),
        ["careful/a.txt"],
      );
      assert.deepEqual(secret.toSorted(), ["careful/.env", "careful/server.pem"]);
      assert.deepEqual(outside.toSorted(), ["careful/innocent.txt", "careful/link.txt"]);
    });

    it("sends what the user attached, and says where it may hold secrets", async () => {
      const { parts, sentSecret } = await read(Uri.file(join(folder, ".env")), Uri.file(join(folder, "innocent.txt")));
      assert.deepEqual(
        parts.map(({ text }) => text),
        ["PASSWORD=1", "PRIVATE"],
      );
      assert.deepEqual(sentSecret.toSorted(), ["careful/.env", "careful/innocent.txt"]);
    });

    it("reads nothing again that is outside the workspace, by its name or by where a link leads", async () => {
      for (const path of [join(elsewhere, "notes.txt"), join(folder, "link.txt"), join(folder, "..", "..", "x.txt")]) {
        const { parts, outside } = await readAs("earlier", Uri.file(path));
        assert.deepEqual({ parts, told: outside.length }, { parts: [], told: 1 });
      }
      const { parts } = await readAs("earlier", Uri.file(elsewhere));
      assert.deepEqual(parts, []);
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
      const history = [
        turn(at("greet.ts").toString()),
        turn(Uri.file(join(elsewhere, "notes.txt")).toString()),
        turn("no uri"),
      ];
      const { parts, unasked, outside } = await gatherContext(
        { command: undefined, prompt: "", references: [] },
        { history },
        { gate, token },
      );
      assert.deepEqual(
        parts.map(({ name }) => name),
        ["greet.ts"],
      );
      assert.deepEqual(unasked.map(String), [at("greet.ts").toString()]);
      assert.equal(outside.length, 1);
    });
  });
});

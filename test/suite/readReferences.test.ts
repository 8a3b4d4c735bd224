import assert from "node:assert/strict";
import { CancellationTokenSource, type ChatRequest, Location, Range, Uri, window, workspace } from "vscode";
import { mkdir, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { gatherContext, readReferences } from "../../src/chat/context/gatherContext.ts";
import { editReferences } from "../../src/chat/edit/editTurn.ts";
import { listFiles } from "../../src/reading/listFiles.ts";
import { pathOf } from "../../src/reading/promptPaths.ts";
import { tinyPng } from "../support/gateway/png.ts";
import { randomTexts } from "../support/randomTexts.ts";
import { posixIt, testFolder } from "../support/testFolder.ts";
import { at, gate, secrets } from "./editing.ts";

describe("what is attached to a question", () => {
  const canary = randomTexts(4).base62(32);
  const { token } = new CancellationTokenSource();
  const folder = testFolder(at("").fsPath);
  const file = async (name: string, content: Uint8Array | string): Promise<Uri> => {
    await writeFile(join(folder(), name), content);
    return Uri.file(join(folder(), name));
  };
  const read = (...values: readonly unknown[]): ReturnType<typeof readReferences> => {
    const references = values.map((value, index) => ({ id: `reference${index}`, value, origin: "attached" as const }));
    return readReferences(references, { gate, secrets, token });
  };

  it("is not read after the question is cancelled", async () => {
    const stopped = new CancellationTokenSource();
    stopped.cancel();
    const references = [at("README.md"), at("docs")].map((value) => ({ value, origin: "attached" as const }));
    const { parts } = await readReferences(references, { gate, secrets, token: stopped.token });
    assert.deepEqual(parts.filter(({ text }) => text !== "").length, 0);
  });

  it("is read with unsaved changes, the most specific first: texts and locations, files, folders", async () => {
    const selection = new Location(at("greet.ts"), new Range(0, 3, 2, 0));
    const { parts, notes } = await read(at("docs"), at("README.md"), "some words", selection);
    assert.deepEqual(notes, []);
    const names = parts.map(({ name }) => name);
    assert.deepEqual(names, ["Attached text", "greet.ts:1-2", "README.md", "docs/", "docs/plan.md"]);
    const [, code, , list] = parts;
    assert.match(code?.text ?? "", /^export function greet\(.*\n.*;$/);
    assert.equal(code?.language, "typescript");
    assert.equal(list?.text, "docs/plan.md");
    const unsaved = await workspace.openTextDocument({ content: "let unsaved = true;", language: "typescript" });
    assert.equal((await read(unsaved.uri)).parts[0]?.text, "let unsaved = true;");
  });

  it("is named in a note if it is binary or does not exist", async () => {
    const binary = await file("picture.bin", new Uint8Array([1, 0, 2, 0]));
    const { parts, notes } = await read(binary, at("nowhere.ts"), { of: "another kind" });
    const names = ["reference2", pathOf(binary), "nowhere.ts"];
    assert.deepEqual([parts, notes], [[], names.map((name) => ({ kind: "unreadable", name }))]);
  });

  const pasted = (bytes: Uint8Array, mimeType = "image/png"): unknown => ({
    mimeType,
    data: () => Promise.resolve(bytes),
  });
  const sized = (size: number): Buffer => Buffer.concat([tinyPng, Buffer.alloc(size - tinyPng.length)]);

  it("has images unchanged, pasted or in files, whatever the files are named", async () => {
    const large = sized(3_000_000);
    const picture = await file("picture.dat", large);
    const { images, parts, notes, read: sources } = await read(picture, pasted(Buffer.from("GIF89a")));
    assert.deepEqual([parts, notes, sources.map(String)], [[], [], [picture.toString()]]);
    const [gif, png] = images;
    assert.deepEqual([images.length, gif?.mimeType, png?.mimeType], [2, "image/gif", "image/png"]);
    assert.ok(large.equals(png?.bytes ?? Buffer.alloc(0)));
    const svg = await read(pasted(Buffer.from("<svg/>"), "image/svg+xml"));
    assert.equal(svg.parts[0]?.text, "<svg/>");
  });

  it("fails with images of another type, or more than 20 MB of them", async () => {
    const files = [await file("picture.BMP", Buffer.from("BM\0\0")), await file("photo.png", sized(20_000_001))];
    for (const [index, kind] of ["imageInput", "imagesTooLarge"].entries())
      await assert.rejects(read(files[index]), { name: "UserError", kind });
    await assert.rejects(read(pasted(sized(12_000_000)), pasted(sized(9_000_000))), { kind: "imagesTooLarge" });
  });

  it("comes before images of earlier turns, which are omitted if they don't fit or are of another type", async () => {
    const earlier = [sized(12_000_000), Buffer.from("BM")].map((bytes) => pasted(bytes));
    const references = earlier.map((value) => ({ value, id: "old", origin: "earlier" as const }));
    const attached = { value: await file("picture.png", sized(9_000_000)), origin: "attached" as const };
    const { images, notes } = await readReferences([...references, attached], { gate, secrets, token });
    assert.deepEqual([images.length, images[0]?.bytes.length], [1, 9_000_000]);
    assert.deepEqual(notes, Array(2).fill({ kind: "omitted", name: "old" }));
  });

  it("has 200 files of a folder at most, and a note that there are more", async () => {
    const several = join(folder(), "several");
    await mkdir(several);
    // Files that are never read are quickly listed.
    const create = (index: number): Promise<void> => writeFile(join(several, `${index}.pem`), "");
    await Promise.all(Array.from({ length: 200 }, (_, index) => create(index)));
    const kinds = async (): Promise<readonly string[]> => {
      const { notes } = await read(Uri.file(several));
      return notes.map(({ kind, name }) => (kind === "overLimit" ? name : kind));
    };
    const secrets = Array<string>(200).fill("secret");
    assert.deepEqual(await kinds(), secrets);
    await create(200);
    assert.deepEqual(await kinds(), [`more files in ${basename(folder())}/several`, ...secrets]);
  });

  posixIt("is named in one line where a file's name has control characters", async () => {
    await file("a\rb.txt", "text");
    const { parts } = await read(Uri.file(folder()));
    assert.equal(parts[0]?.text, `${basename(folder())}/a b.txt`);
  });

  it("has no file of a folder that is larger than 100 KB, and a note on it", async () => {
    await file("large.txt", "large ".repeat(20_000));
    const { parts, notes } = await read(Uri.file(folder()));
    const name = `${basename(folder())}/large.txt`;
    assert.deepEqual([parts.length, notes], [1, [{ kind: "overLimit", name }]]);
  });

  const gather = (
    prompt: string,
    uris: readonly Uri[],
    findsContext: boolean,
    references: ChatRequest["references"] = [],
  ): ReturnType<typeof gatherContext> => {
    const more = uris.map((value) => ({ value, origin: "earlier" as const }));
    const { signal } = new AbortController();
    const request = { command: "edit", prompt, references };
    return gatherContext(request, { gate, secrets, signal, token, findsContext, more });
  };

  it("does not have the index that VS Code adds for its own agents, which does not count as attached", async () => {
    const [id, name] = ["vscode.customizations.index", "prompt:customizationsIndex"];
    const index = { id, name, value: "<agents>…</agents>" };
    const names = (await gather("What does greet do?", [], true, [index])).parts.map(({ name }) => name);
    assert.ok(names.includes("greet.ts") && !names.includes("Attached text"), names.join());
  });

  // As GitHub Pull Requests attaches one.
  const ofExtension = { id: "me/harbor", name: "me/harbor", value: "Owner: me" };

  it("does not stand in for the file in the editor if VS Code attaches it to all questions", async () => {
    await window.showTextDocument(at("greet.ts"));
    const id = `vscode.instructions.file.root__${at("README.md").toString()}`;
    const references = [{ id, name: "prompt:README.md", value: at("README.md") }, ofExtension];
    const { signal } = new AbortController();
    const request = { command: "explain", prompt: "", references };
    const options = { gate, secrets, signal, token, findsContext: false, more: [] };
    const { parts } = await gatherContext(request, options);
    assert.deepEqual(
      parts.map(({ name }) => name),
      ["Attached text", "greet.ts", "README.md"],
    );
  });

  it("does not keep files from being found if it is a text", async () => {
    const trace = { id: "terminalCommand:1", name: "node", value: `at greet (${at("greet.ts").fsPath}:1:2)` };
    for (const [question, text] of [["What does greet do?", ofExtension] as const, ["Why?", trace] as const]) {
      const names = (await gather(question, [], true, [text])).parts.map(({ name }) => name);
      assert.ok(names.includes("greet.ts") && names.includes("Attached text"), names.join());
    }
  });

  it("is sent once if VS Code attaches it, too, because it is in the editor", async () => {
    const references = ["vscode.implicit.file", "file"].map((id) => ({ id, name: "greet.ts", value: at("greet.ts") }));
    const { parts } = await gather("Greet", [], false, references);
    assert.deepEqual(
      parts.map(({ name }) => name),
      ["greet.ts"],
    );
  });

  it("sends a file of a folder once, and does not search for it", async () => {
    const { parts } = await gather("Greet", [at(""), at("greet.ts")], true);
    const files = parts.flatMap(({ uri }) => uri?.toString() ?? []);
    assert.ok(files.includes(at("greet.ts").toString()));
    assert.equal(new Set(files).size, files.length);
  });

  it("has the cells above the cell of a notebook, unless nothing is to be found or the notebook is ignored", async () => {
    const source = ["import lamps\n", `token = "${canary}"\n`, "lamps.light()\n", "lamps.below()\n"];
    const cells = source.map((text) => ({ cell_type: "code", source: [text], metadata: {}, outputs: [] }));
    const partsOf = async (name: string, findsContext: boolean): Promise<readonly string[]> => {
      const uri = await file(name, JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 2 }));
      const value = (await workspace.openNotebookDocument(uri)).cellAt(2).document.uri;
      const { parts } = await gather("", [], findsContext, [{ id: "cell", value }]);
      const texts = parts.map(({ name: of, text }) => `${of.replace(/\S+\//, "")}: ${text.trim()}`);
      return Promise.all(texts.map((text) => secrets.mask(text, "a question")));
    };
    const [cell, above] = await partsOf("lamps.ipynb", true);
    assert.equal(cell, "lamps.ipynb: lamps.light()");
    assert.match(above ?? "", /^Cells above in lamps\.ipynb: import lamps\s+token = "\[secret \d{6} removed\]"$/);
    assert.deepEqual(await partsOf("lamps.ipynb", false), [cell]);
    assert.equal((await partsOf("ignored.ipynb", true)).length, 1);
  });

  it("has the cells of a notebook that the user opened outside the workspace", async () => {
    const outside = await mkdtemp(join(tmpdir(), "notebook-"));
    const uri = Uri.file(join(outside, "quay.ipynb"));
    const cells = ["import lamps", "lamps.light()"].map((text) => {
      return { cell_type: "code", source: [text], metadata: {}, outputs: [] };
    });
    await writeFile(uri.fsPath, JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 2 }));
    const value = (await workspace.openNotebookDocument(uri)).cellAt(1).document.uri;
    const { parts, notes } = await gather("", [], true, [{ id: "vscode.implicit.file", value }]);
    assert.deepEqual([parts.map(({ text }) => text), notes], [["lamps.light()", "import lamps"], []]);
    await rm(outside, { recursive: true });
  });

  it("has the file around a selection that VS Code attached, if the question is about it", async () => {
    const value = new Location(at("greet.ts"), new Range(0, 0, 0, 6));
    const { parts } = await gather("What does greet do?", [], true, [{ id: "vscode.implicit.selection", value }]);
    const names = parts.map(({ name }) => name);
    assert.ok(names[0] === "greet.ts:1-1" && names.includes("greet.ts"), names.join());
  });

  it("has the files of a folder beside more ignored ones than it reads, and notes on these", async () => {
    await mkdir(join(folder(), "a-ignored"));
    for (let index = 0; index < 300; index += 1) await file(`a-ignored/${index}.txt`, "");
    await file("z.txt", "the last");
    const { parts, notes } = await read(Uri.file(folder()));
    assert.deepEqual([parts[1]?.text, notes.length], ["the last", 300]);
    assert.ok(notes.every(({ kind }) => kind === "ignored"));
  });

  it("reads files in the workspace again, and lists them", async () => {
    const files = [at("greet.ts"), Uri.file(join(tmpdir(), "notes.txt"))];
    const { parts, unattached, notes } = await gather("", files, false);
    assert.deepEqual([parts.map(({ name }) => name), notes.map(({ kind }) => kind)], [["greet.ts"], ["outside"]]);
    assert.deepEqual(unattached.map(String), [at("greet.ts").toString()]);
  });

  it("is for /edit a workspace of up to 60 files and 200 KB, and of a larger one the open editors", async () => {
    const root = [{ value: workspace.workspaceFolders?.[0]?.uri, origin: "earlier" }];
    const editor = await window.showTextDocument(at("greet.ts"), { preview: false });
    const isWhole = async (): Promise<boolean> => {
      const references = await editReferences(true, token);
      if (references[0]?.origin === "earlier") assert.deepEqual(references, root);
      else assert.ok(references.some(({ value }) => String(value) === editor.document.uri.toString()));
      return references[0]?.origin === "earlier";
    };
    const files = await listFiles(1_000, token);
    const sizes = await Promise.all(files.map(({ fsPath }) => stat(fsPath)));
    const bytes = 200_000 - sizes.reduce((sum, { size }) => sum + size, 0);
    const { fsPath: large } = await file("large.txt", "a".repeat(bytes));
    assert.equal(await isWhole(), true);
    await writeFile(large, "a".repeat(bytes + 1));
    assert.equal(await isWhole(), false);
    await writeFile(large, "");
    for (let count = files.length + 1; count < 60; count += 1) await file(`${count}.txt`, "");
    assert.equal(await isWhole(), true);
    await file("one more.txt", "");
    assert.equal(await isWhole(), false);
  });
});

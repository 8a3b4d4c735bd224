import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  commands,
  ConfigurationTarget,
  languages,
  Location,
  Range,
  SymbolInformation,
  SymbolKind,
  Uri,
  window,
  workspace,
} from "vscode";
import { findContext, type FoundContext, readAll } from "../../src/chat/context/find/findContext.ts";
import { until } from "../support/until.ts";
import { testFolder } from "../support/testFolder.ts";
import { at, disposing, gate, insert, secrets } from "./editing.ts";
import { MemoryFiles } from "./memoryFiles.ts";

describe("what is found for a question without attachments", () => {
  const elsewhere = testFolder();
  const { signal } = new AbortController();
  const find = (question: string, known: Uri[] = [], isEditRequest = false, stop = signal): Promise<FoundContext> => {
    const sentAnyway = (): Promise<ReadonlySet<string>> => Promise.resolve(new Set(known.map(String)));
    return findContext(question, { gate, secrets, sentAnyway, signal: stop, isEditRequest });
  };
  const namesFor = async (text: string): Promise<readonly string[]> => (await find(text)).parts.map(({ name }) => name);
  const write = async (path: string, text: string): Promise<void> => {
    await workspace.fs.writeFile(at(path), Buffer.from(text));
  };
  const code = "export function dredgeHarbor(depth) {\n  return depth; // harbor basin, dredging machine\n}\n";
  const question = "How deep does the machine dredge the harbor basin?";

  before(async () => {
    await write("harbor/dredge.ts", code);
    await write("harbor/ignored.ts", code);
    await write("harbor/.env", "HARBOR_BASIN=dredge machine deep\n");
    await write("node_modules/harbor/dredge.ts", code);
    await write("harbor/key.ts", `${code}const harborToken = "sk-harbor0123456789abcdef";\n`);
    await write("harbor/dredge.bin", `\0${code}`);
  });
  after(async () => {
    await workspace.fs.delete(at("harbor"), { recursive: true });
    await workspace.fs.delete(at("node_modules"), { recursive: true });
  });

  it("is the files that it is about, without those that are ignored, secret, binary, or installed", async () => {
    const { parts, sources } = await find(question);
    assert.deepEqual(parts.map(({ name }) => name).toSorted(), ["harbor/dredge.ts", "harbor/key.ts"]);
    assert.deepEqual(sources.map(String).toSorted(), [at("harbor/dredge.ts"), at("harbor/key.ts")].map(String));
    assert.doesNotMatch(await secrets.mask(JSON.stringify(parts), "a question"), /sk-harbor/);
  });

  it("has no files that are sent anyway, and none for a question about something else", async () => {
    const { parts } = await find(question, [at("harbor/dredge.ts")]);
    assert.deepEqual([parts.length, parts[0]?.name], [1, "harbor/key.ts"]);
    assert.deepEqual(await find("What is the capital of France?"), { parts: [], sources: [] });
    assert.deepEqual(await find(""), { parts: [], sources: [] });
  });

  it("is code with a word of the question if all files fit, and all files for the project as a whole", async () => {
    for (const text of ["How does dredging work?", "Where is the harbor's tax rate defined?"])
      assert.ok((await namesFor(text)).includes("harbor/dredge.ts"), text);
    await write("harbor/notes.md", "The lighthouse of the harbor.\n");
    assert.deepEqual(await namesFor("What does a lighthouse do?"), []);
    const quays = Array.from({ length: 20 }, (_, index) => `harbor/quays/${index}.py`);
    for (const quay of quays) await write(quay, "# a quay\n");
    const all = await namesFor("What does this project do?");
    for (const name of ["harbor/dredge.ts", "README.md", ...quays]) assert.ok(all.includes(name), name);
    assert.ok(!all.includes("harbor/.env") && !all.includes("harbor/ignored.ts"), all.join());
    await workspace.fs.delete(at("harbor/quays"), { recursive: true });
  });

  it("is what comes nearest among many where the question is to change something, and the README of the project", async () => {
    await write("harbor/tides.txt", "ebb and flow\n".repeat(10_000));
    const wish = "Please paint every dredging machine bright orange, then wash it with soap";
    for (const text of [wish, "How does dredging work?"]) assert.deepEqual((await find(text)).parts, [], text);
    const { parts } = await find(wish, [], true);
    assert.ok(parts.some(({ name }) => name === "harbor/dredge.ts"));
    for (const text of ["What does this project do?", "Was macht dieses Projekt?", "このプロジェクトは何？"])
      assert.match((await find(text)).parts[0]?.name ?? "", /README\.md/, text);
    const trace = `TypeError: It is not a function\n    at run (${at("harbor/dredge.ts").fsPath}:1:2)`;
    assert.equal((await find(trace)).parts[0]?.name, "harbor/dredge.ts");
    await workspace.fs.delete(at("harbor/tides.txt"));
  });

  it("is not crowded out by ignored files, however many", async () => {
    for (let index = 0; index < 60; index += 1) await write(`harbor/a-ignored/${index}.ts`, code);
    for (const text of [question, "What does this project do?"])
      assert.ok((await namesFor(text)).includes("harbor/dredge.ts"), text);
    await workspace.fs.delete(at("harbor/a-ignored"), { recursive: true });
  });

  it("is the file whose name has the only word of the question, where there are many", async () => {
    for (let index = 0; index < 45; index += 1) await write(`harbor/quays/${index}.py`, "# a quay\n");
    const { parts } = await find("How does dredging work?");
    assert.deepEqual(
      parts.map(({ name }) => name),
      ["harbor/dredge.ts"],
    );
    assert.deepEqual((await find("What is a machine?")).parts, []);
    await workspace.fs.delete(at("harbor/quays"), { recursive: true });
  });

  it("is what a question names, also where all its other words are common, as in `useDredge`", async () => {
    await write("harbor/tides.txt", "ebb and flow\n".repeat(10_000));
    await write("harbor/hooks.ts", "export const useDredge = () => 1;\n");
    for (const text of ["What does useDredge do?", "useDredge这个hook是做什么的?"])
      assert.ok((await namesFor(text)).includes("harbor/hooks.ts"), text);
    for (const path of ["harbor/tides.txt", "harbor/hooks.ts"]) await workspace.fs.delete(at(path));
  });

  it("is read in the encoding of the settings where it is not UTF-8", async () => {
    const encoding = (value: string | undefined): Thenable<void> =>
      workspace.getConfiguration("files").update("encoding", value, ConfigurationTarget.Global);
    await encoding("gbk");
    const comment = Buffer.from([0xb8, 0xdb, 0xbf, 0xda]); // 港口
    await workspace.fs.writeFile(
      at("harbor/port.c"),
      Buffer.concat([Buffer.from("void dredgeHarbor(); // "), comment]),
    );
    const { parts } = await find("What does dredgeHarbor do?");
    assert.match(parts.find(({ name }) => name === "harbor/port.c")?.text ?? "", /港口/);
    await encoding(undefined);
    await workspace.fs.delete(at("harbor/port.c"));
  });

  it("has unsaved changes, and is an excerpt of a long file", async () => {
    const lines = Array.from({ length: 4_000 }, (_, index) => `const filler${index} = ${index} * ${index};`);
    await write("harbor/crane.py", lines.join("\n"));
    const crane = "const quayCrane = liftContainer(quay, crane); // the crane lifts a container from the quay\n";
    await insert(await window.showTextDocument(at("harbor/crane.py")), 3_000, crane);
    const { parts, sources } = await find("Which crane lifts a container from the quay?");
    const [part] = parts;
    assert.match(part?.name ?? "", /^harbor\/crane\.py:\d+-\d+$/);
    assert.match(part?.text ?? "", /liftContainer/);
    const [source] = sources;
    assert.ok(source instanceof Location && source.range.start.line <= 3_000 && source.range.end.line > 3_000);
    await commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
  });

  it("starts with declarations of names in the question, which language servers find", async () => {
    const mentions = "moorVessel(quay); ".repeat(20);
    const left = ["harbor/.env", "harbor/ignored.ts", "node_modules/harbor/dredge.ts"];
    for (let count = 0; count < 20; count += 1) await write(`harbor/caller${count}.txt`, mentions);
    for (const path of left) await write(path, mentions);
    await writeFile(join(elsewhere(), "vessel.ts"), mentions);
    const lines = Array.from({ length: 4_000 }, (_, index) => `filler ${index}`);
    lines[0] = "moorVessel";
    lines[2_000] = "it is tied to the bollard";
    await write("harbor/mooring.basin", lines.join("\n"));
    const places = [...["harbor/mooring.basin", ...left].map(at), Uri.file(join(elsewhere(), "vessel.ts"))];
    const provideWorkspaceSymbols = (query: string): SymbolInformation[] => {
      const symbols = places.map((uri) => symbolAt(query, uri, 2_000));
      return [symbolAt("moorVesselAgain", at("harbor/dredge.ts"), 0), ...symbols];
    };
    using provider = disposing(languages.registerWorkspaceSymbolProvider({ provideWorkspaceSymbols }));
    // VS Code asks all language servers, and that of TypeScript first reads the files that were just written.
    const parts = await until(async () => {
      const found = await find("Where does moorVessel end?");
      return found.parts[0]?.name.startsWith("harbor/mooring.basin:") ? found.parts : undefined;
    });
    assert.ok(parts.some(({ name, text }) => name.includes("mooring") && text.includes("tied to the bollard")));
    const found = new Set(parts.map(({ name }) => name.replace(/:.*/, "")));
    assert.ok(![...found].some((name) => left.includes(name) || name.includes("vessel")), [...found].join());
  });

  it("does not wait for a slow or failing language server, and stops with the question", async () => {
    const stop = new AbortController();
    const [slow, failing] = [() => new Promise<[]>(() => undefined), () => Promise.reject(new Error("No project."))];
    using slowOne = disposing(languages.registerWorkspaceSymbolProvider({ provideWorkspaceSymbols: slow }));
    using failingOne = disposing(languages.registerWorkspaceSymbolProvider({ provideWorkspaceSymbols: failing }));
    const { parts } = await find("What does dredgeHarbor do?");
    assert.match(parts[0]?.name ?? "", /^harbor\/(?:dredge|key)\.ts$/);
    const asked = find("What does dredgeHarbor do?", [], false, stop.signal);
    stop.abort();
    await assert.rejects(asked, { name: "AbortError" });
  });

  it("is searched in a hundred files of a virtual workspace, until the question is cancelled", async () => {
    const files = new MemoryFiles();
    const uris = Array.from({ length: 300 }, (_, index) => Uri.parse(`harbor-memory:/${index}.ts`));
    for (const { path } of uris) files.entries.set(path, Buffer.from(code));
    const listed = uris.map((uri) => [uri.path, uri] as const);
    using provider = disposing(workspace.registerFileSystemProvider("harbor-memory", files));
    const read = await readAll(listed, { declarations: new Map(), signal });
    assert.deepEqual([read.length, read.at(-1)?.path], [100, "/99.ts"]);
    const stop = new AbortController();
    files.readFile = () => {
      stop.abort();
      return new Promise<never>(() => undefined) as never;
    };
    await assert.rejects(readAll(listed, { declarations: new Map(), signal: stop.signal }), { name: "AbortError" });
  });
});

function symbolAt(name: string, uri: Uri, line: number): SymbolInformation {
  return new SymbolInformation(name, SymbolKind.Function, "", new Location(uri, new Range(line, 0, line, 1)));
}

import assert from "node:assert/strict";
import { existsSync, statSync } from "node:fs";
import { chmod, mkdir, readFile, rename, symlink, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { setImmediate } from "node:timers/promises";
import {
  commands,
  NotebookCellData,
  NotebookCellKind,
  NotebookEdit,
  TextEdit,
  Uri,
  window,
  workspace,
  WorkspaceEdit,
} from "vscode";
import { ChangeStore } from "../../src/apply/changeStore.ts";
import type { EditStore } from "../../src/apply/editStore.ts";
import { editCommands, recoverEdits } from "../../src/chat/edit/editActions.ts";
import { earlierEditsPart } from "../../src/chat/edit/editTurn.ts";
import { filesThatRunCode } from "../../src/ui/filesThatRunCode.ts";
import { LinkNotification } from "../../src/ui/linkNotification.ts";
import { posixIt, testFolder } from "../support/testFolder.ts";
import { at, editsIn, gate, offer, type as typeInto, stored } from "./editing.ts";
import { until } from "../support/until.ts";

describe("an edit of several files from a hostile model", () => {
  let edits: EditStore;
  /** The folder of a test. VS Code may still have documents of the one before. */
  let root: string;
  const [code, two] = ["export const one = 1;\n", "export const one = 2;\n"];

  const warn = window.showWarningMessage;
  const warnings: string[] = [];
  const buttons: unknown[] = [];
  /** The button that is clicked where an edit does not fit all of its files any more. */
  let clicked: string | undefined;

  // On a slow machine, what is typed would be saved by itself within a test.
  before(() => workspace.getConfiguration("files").update("autoSave", "off", true));
  after(() => workspace.getConfiguration("files").update("autoSave", undefined, true));
  afterEach(async () => {
    window.showWarningMessage = warn;
    edits.dispose();
    await commands.executeCommand("workbench.action.closeAllEditors");
  });
  const [storage, elsewhere, wharf] = [testFolder(), testFolder(), testFolder(at("").fsPath)];
  beforeEach(async () => {
    [warnings.length, buttons.length, clicked] = [0, 0, undefined];
    window.showWarningMessage = (text: string, ...given: readonly unknown[]) => {
      const { detail = "" } = Object(given[0]) as { readonly detail?: string };
      warnings.push([text, detail].join("\n"));
      buttons.push(...given.filter((one) => typeof one === "string"));
      return Promise.resolve(clicked) as Thenable<undefined>;
    };
    root = wharf();
    edits = editsIn(storage());
    for (const name of ["a.ts", "b.ts", "folder/c.ts", "d.ts"]) await write(name, code);
  });

  const notice = new LinkNotification();
  const doing = (name: "applyEdit" | "undoEdit" | "skipFile") => (argument: unknown) =>
    editCommands[name]({ editing: { edits, gate, notice } }, argument);
  const run = { applyEdit: doing("applyEdit"), undoEdit: doing("undoEdit"), skipFile: doing("skipFile") };
  const add = (path: string): readonly string[] => [`*** Add File: @/${path}`, "+x"];
  const move = (from: string, to: string): readonly string[] => [`*** Update File: @/${from}`, `*** Move to: @/${to}`];
  const change = (path: string, to = "2"): readonly string[] => [
    `*** Update File: @/${path}`,
    "@@",
    "-export const one = 1;",
    `+export const one = ${to};`,
  ];

  it("is refused as a whole, by name", async () => {
    await write("large.ts", "x".repeat(2_100_000));
    await write("lines.ts", code + "\n".repeat(100_000));
    for (const [lines, expected] of [
      [add(".git/hooks/pre-commit"), /belongs to Git/],
      [add("a.ts."), /cannot have this name/],
      [add("a.ts/x.ts"), /is a file, not a folder/],
      [[...add("x"), ...add("x/y")], /is a file, not a folder/],
      [add("folder"), /There is a folder/],
      [["*** Delete File: @/folder"], /There is no such file/],
      [add("large.ts"), /not UTF-8 text, or it is too large/],
      [change("lines.ts"), /more than 100,000 lines/],
      [move("a.ts", "b.ts"), /already exists/],
      [move("a.ts", "folder"), /There is a folder/],
      [change("gone.ts"), /There is no such file/],
      [add(`${"d/".repeat(190)}.env`), /…(?:d\/)+\.env: The file may contain secrets/],
      [Array.from({ length: 501 }, (_, at) => add(`${at}.ts`)).flat(), /too many/],
    ] as const)
      await isRefused([...lines, ...change("folder/c.ts")], expected);
    const inside = ["../../x.ts", "x\0.ts", "x\u202egpj.ts", "a.ts:x"].map((path) => `@/${path}`);
    const systems = ["/etc/x.ts", "file:///etc/x.ts", "C:\\x.ts", "\\\\server\\share\\x.ts", "\\\\?\\C:\\x.ts"];
    for (const path of [...inside, ...systems])
      await isRefused([`*** Add File: ${path}`, "+x", ...change("folder/c.ts")], /outside the workspace/);
  });

  posixIt("is refused where a link makes two of its paths one file, or leads into Git's folder", async () => {
    await symlink("a.ts", join(root, "same.ts"));
    await isRefused([...change("a.ts"), ...change("same.ts", "3")], /same\.ts: Parts of the change overlap/);
    await mkdir(join(root, ".git", "hooks"), { recursive: true });
    await symlink(join(".git", "hooks"), join(root, "scripts"));
    await isRefused(add("scripts/pre-commit"), /belongs to Git/);
  });

  it("is refused in a bare repository by any name, also one that it would create", async () => {
    for (const name of ["HEAD", "config", "objects/info/x", "refs/heads/x"]) await write(`.bare/${name}`, "");
    await isRefused(add(".bare/hooks/post-checkout"), /belongs to Git/);
    const made = ["HEAD", "config", "objects/x", "refs/x"].flatMap((name) => add(`pier/${name}`));
    await isRefused(made, /belongs to Git/);
  });

  const spoiled: Readonly<Record<string, () => Promise<void>>> = {
    "is a repository": async () => {
      for (const name of ["HEAD", "objects/x", "refs/x"]) await write(`folder/${name}`, "");
    },
    "leads elsewhere": async () => {
      await rename(join(root, "folder"), join(elsewhere(), "folder"));
      await symlink(join(elsewhere(), "folder"), join(root, "folder"));
    },
  };
  for (const [what, spoil] of Object.entries(spoiled))
    posixIt(`is neither applied nor undone where the folder ${what} now`, async () => {
      const [applied, proposed] = [await offerPatch(change("folder/c.ts")), await offerPatch(add("folder/new.ts"))];
      await run.applyEdit(applied.id);
      await spoil();
      await assert.rejects(run.undoEdit(applied.id), { kind: "editRefused" });
      await assert.rejects(run.applyEdit(proposed.id), { kind: "editRefused" });
      assert.equal(await read("folder/c.ts"), two);
      assert.ok(!existsSync(join(root, "folder/new.ts")));
    });

  posixIt("is recovered where the workspace is trusted, and not through links or in Git's folders", async () => {
    const { id = "" } = await offerPatch([...change("a.ts"), "*** Delete File: @/b.ts", ...change("folder/c.ts")]);
    const files = (await edits.fileStates(id)).map(({ file }) => file);
    await edits.apply(id, files);
    await new ChangeStore(join(storage(), "applied")).update(id, { stage: "applying" });
    await symlink(join(elsewhere(), "written"), join(root, "b.ts"));
    for (const name of ["HEAD", "objects/x"]) await write(`folder/${name}`, "");
    await recoverEdits({ edits, gate }, false);
    assert.equal(await read("a.ts"), two);
    await recoverEdits({ edits, gate }, true);
    assert.deepEqual(buttons, ["Show State"]);
    assert.deepEqual([await read("a.ts"), await read("folder/c.ts")], [code, two]);
    assert.ok(!existsSync(join(elsewhere(), "written")));
  });

  posixIt("leaves permissions as they are, and makes a file that it renames readable to nobody else", async () => {
    await writeFile(join(root, "own.ts"), code, { mode: 0o600 });
    const { id } = await offerPatch([...change("a.ts"), ...move("own.ts", "moved.ts")]);
    await chmod(join(root, "a.ts"), 0o755);
    const seen = new Set<number>();
    const applied = run.applyEdit(id).then(() => true);
    while (!(await Promise.race([applied, setImmediate(false)]))) {
      const found = statSync(join(root, "moved.ts"), { throwIfNoEntry: false });
      if (found) seen.add(found.mode & 0o777);
    }
    const modes = (): readonly number[] => ["a.ts", "moved.ts"].map((name) => statSync(join(root, name)).mode & 0o777);
    assert.deepEqual([...seen, ...modes()], [...(seen.size > 0 ? [0o600] : []), 0o755, 0o600]);
    await chmod(join(root, "a.ts"), 0o700);
    await run.undoEdit(id);
    assert.equal(statSync(join(root, "a.ts")).mode & 0o777, 0o700);
  });

  for (const isBefore of [true, false])
    it(`is merged with what is typed ${isBefore ? "before" : "since"}, which Undo leaves`, async () => {
      if (isBefore) await type("a.ts", "// typed\n");
      const { id = "" } = await offerPatch([...change("a.ts"), ...move("b.ts", "moved.ts")]);
      if (!isBefore) await type("a.ts", "// typed\n");
      await write("b.ts", `${code}// more\n`);
      const shown = await textsOf(id, 0);
      await run.applyEdit(id);
      const after = ["// typed\nexport const one = 2;\n", `${code}// more\n`];
      assert.deepEqual([await read("a.ts"), await read("moved.ts")], after);
      assert.deepEqual(shown, [`// typed\n${code}`, after[0]]);
      assert.deepEqual(await textsOf(id, 0), shown);
      await run.undoEdit(id);
      assert.deepEqual([await read("a.ts"), await read("b.ts")], [`// typed\n${code}`, `${code}// more\n`]);
      await run.applyEdit(id);
      assert.deepEqual([await read("a.ts"), await read("moved.ts")], after);
    });

  it("is merged once more with what saving a file for it changes", async () => {
    const { id = "" } = await offerPatch(change("a.ts"));
    await type("a.ts", "// typed\n");
    const formatter = workspace.onWillSaveTextDocument((event) => {
      const { end } = event.document.lineAt(event.document.lineCount - 1).range;
      event.waitUntil(Promise.resolve([TextEdit.insert(end, "// formatted\n")]));
    });
    await run.applyEdit(id).finally(() => {
      formatter.dispose();
    });
    assert.equal(await read("a.ts"), "// typed\nexport const one = 2;\n// formatted\n");
    await run.undoEdit(id);
    assert.equal(await read("a.ts"), `// typed\n${code}// formatted\n`);
  });

  it("waits in files whose lines have changed since, and is applied to them once they fit", async () => {
    const changes = [...change("a.ts"), ...change("b.ts")];
    const { id = "" } = await offerPatch([...changes, "*** Delete File: @/d.ts", ...add("new.ts")]);
    await write("b.ts", "export const one = 5;\n");
    await write("d.ts", `${code}// more\n`);
    await write("new.ts", "mine\n");
    const texts = async (): Promise<readonly string[]> => Promise.all(["a.ts", "b.ts", "d.ts", "new.ts"].map(read));
    await run.applyEdit(id);
    assert.equal(await read("a.ts"), code, "all or none");
    const warning = /b\.ts: The lines to change have changed since[^]*can still be applied to these.*\n[^\n]*a\.ts$/;
    assert.match(warnings[0] ?? "", warning);
    clicked = "Apply";
    await run.applyEdit(id);
    assert.deepEqual(await texts(), [two, "export const one = 5;\n", `${code}// more\n`, "mine\n"]);
    assert.deepEqual(await states(id), ["applied", "proposed", "proposed", "proposed"]);
    const waiting = (await edits.fileStates(id)).map(({ blockedBy }) => blockedBy);
    assert.deepEqual(waiting, [undefined, "changedSince", "changedSince", "exists"]);
    await assert.rejects(run.applyEdit(id), { kind: "editRefused" });
    await write("b.ts", `${code}// more\n`);
    await run.applyEdit(id);
    assert.equal(await read("b.ts"), "export const one = 2;\n// more\n");
    await run.undoEdit(id);
    assert.deepEqual(await texts(), [code, `${code}// more\n`, `${code}// more\n`, "mine\n"]);
  });

  it("has hunks in its files, which are kept and undone one by one, and taken back with the rest, but not those kept", async () => {
    const lines = Array.from({ length: 9 }, (_, index) => `line ${index}`);
    await write("a.ts", `${lines.join("\n")}\n`);
    const hunks = [1, 4, 7].flatMap((line) => ["@@", `-line ${line}`, `+changed ${line}`]);
    const { id = "" } = await offerPatch(["*** Update File: @/a.ts", ...hunks, ...change("b.ts")]);
    await run.applyEdit(id);
    const { document } = await window.showTextDocument(Uri.file(join(root, "a.ts")));
    const [first, second, third] = edits.openIn(document);
    assert.ok(first && second && third);
    edits.keep([first]);
    await edits.undo([second]);
    await stored(edits);
    edits.dispose();
    edits = editsIn(storage());
    await edits.ready;
    const open = edits.openIn(document).map(({ after }) => after);
    assert.deepEqual(open, [["changed 7"]]);
    await run.undoEdit(id);
    assert.deepEqual(warnings, []);
    assert.equal(await read("a.ts"), `${lines.with(1, "changed 1").join("\n")}\n`);
    assert.equal(await read("b.ts"), code);
    await run.applyEdit(id);
    const changed = lines.map((line, index) => (index % 3 === 1 ? `changed ${index}` : line));
    assert.equal(await read("a.ts"), `${changed.join("\n")}\n`);
    await until(() => edits.openIn(document).length === 2);
    for (const uri of edits.uris) edits.keep(edits.openIn(await workspace.openTextDocument(Uri.parse(uri))));
    await stored(edits);
    assert.deepEqual(await states(id), ["accepted", "accepted"]);
    assert.equal(await edits.lastApplied(), undefined);
  });

  it("stays kept where it was when the rest is applied and undone", async () => {
    const { id = "" } = await offerPatch([...change("a.ts"), ...move("b.ts", "moved.ts"), ...change("b.ts").slice(1)]);
    await edits.setSkipped(id, 1, true);
    await run.applyEdit(id);
    await edits.accept(id);
    await edits.setSkipped(id, 1, false);
    await run.applyEdit(id);
    assert.deepEqual(await states(id), ["accepted", "applied"]);
    assert.deepEqual(edits.uris, [Uri.file(join(root, "moved.ts")).toString()]);
    await run.undoEdit(id);
    assert.deepEqual([await read("a.ts"), await read("b.ts")], [two, code]);
    assert.deepEqual(await states(id), ["accepted", "undone"]);
    await run.undoEdit(id);
    assert.deepEqual(await states(id), ["undone", "undone"]);
    assert.equal(await read("a.ts"), code);
  });

  it("is not undone over what is typed since, and told to the model file by file", async () => {
    const changes = ["a.ts", "b.ts", "folder/c.ts"].flatMap((name) => change(name));
    const { id = "" } = await offerPatch([...changes, ...move("d.ts", "e.ts")]);
    await edits.setSkipped(id, 2, true);
    await run.applyEdit(id);
    assert.match(await told(id), /a\.ts: applied\n/);
    await write("e.ts", "moved, and mine\n");
    await type("b.ts", "// typed\n");
    assert.match(await told(id), /a\.ts: applied\n[^]*b\.ts: applied; changed since\n/);
    await run.undoEdit(id);
    assert.deepEqual(warnings, ["b.ts, e.ts: changed since. The rest of the edit was undone.\n"]);
    assert.deepEqual(await states(id), ["undone", "notUndone", "skipped", "notUndone"]);
    const undone = /a\.ts: undone by.*\n[^]*b\.ts: applied, and not[^]*c\.ts: left out.*\n[^]*d\.ts: applied, and not/;
    assert.match(await told(id), undone);
    assert.deepEqual([await read("a.ts"), await read("b.ts"), existsSync(join(root, "d.ts"))], [code, two, false]);
    assert.equal(window.activeTextEditor?.document.getText(), `// typed\n${two}`);
  });

  posixIt(
    "counts as running code where it changes settings or tasks, also through a link, or what configuration names",
    async () => {
      await symlink(".vscode", join(root, "linked"));
      await write(".vscode/tasks.json", "{}");
      await write("tools/eslint.config.mjs", 'import rule from "./rules/no-foo.mjs";');
      await write(".config/prettier.json", '{ "plugins": ["./tools/sort"] }');
      const asked = ["linked/tasks.json", ".vscode/settings.json", "tools/rules/no-foo.mjs", "tools/sort/index.mjs"];
      const uris = [...asked, "a.ts", "tools/rules/other.mjs"].map((name) => Uri.file(join(root, name)).toString());
      assert.deepEqual(await filesThatRunCode(uris), uris.slice(0, asked.length));
    },
  );

  it("finds files that nobody attached, also by the end of their paths", async () => {
    const diff = ["--- a/folder/c.ts", "+++ b/folder/c.ts", "@@ -1 +1 @@", `-${code.trim()}`, `+${two.trim()}`];
    const { id = "" } = await offer(edits, ["`````diff", ...diff, "`````"].join("\n"));
    await run.applyEdit(id);
    assert.equal(await read("folder/c.ts"), two);
  });

  it("is refused for a file that is not UTF-8, or would be read in another encoding", async () => {
    for (const bytes of [Buffer.from(`\uFEFF${code}`, "utf16le"), Buffer.from("// \u00e9\n", "latin1")]) {
      await writeFile(join(root, "b.ts"), bytes);
      await isRefused(change("b.ts"), /not UTF-8/);
    }
    const settings = workspace.getConfiguration("files");
    await settings.update("encoding", "gbk", true);
    try {
      const inChinese = ["*** Add File: @/new.ts", "+// \u706f\u5854"];
      await isRefused([...change("a.ts"), ...inChinese], /new\.ts: The file is not UTF-8 text/);
      assert.ok((await offerPatch([...change("a.ts"), ...add("new.ts")])).id);
    } finally {
      await settings.update("encoding", undefined, true);
    }
  });

  it("is applied once however often Apply is clicked, and undone once, and no click on Skip is lost", async () => {
    const { id = "" } = await offerPatch(["a.ts", "b.ts", "d.ts"].flatMap((name) => change(name)));
    await Promise.all([run.skipFile(`${id}/0`), run.skipFile(`${id}/1`)]);
    assert.deepEqual(await states(id), ["skipped", "skipped", "proposed"]);
    await Promise.all([run.applyEdit(id), run.applyEdit(id), run.applyEdit(id)]);
    assert.deepEqual(await Promise.all(["a.ts", "b.ts", "d.ts"].map(read)), [code, code, two]);
    await Promise.all([run.undoEdit(id), run.undoEdit(id)]);
    assert.equal(await read("d.ts"), code);
    assert.deepEqual(await states(id), ["skipped", "skipped", "undone"]);
    await Promise.all([run.skipFile(`${id}/0/include`), run.skipFile(`${id}/2`), run.applyEdit(id)]);
    await run.skipFile(`${id}/0`);
    assert.deepEqual(await states(id), ["applied", "skipped", "skipped"]);
    assert.deepEqual(await Promise.all(["a.ts", "b.ts", "d.ts"].map(read)), [two, code, code]);
  });

  it("is refused where a notebook has unsaved changes", async () => {
    const cells = { cells: [], metadata: {}, nbformat: 4, nbformat_minor: 2 };
    await write("book.ipynb", JSON.stringify(cells));
    const uri = Uri.file(join(root, "book.ipynb"));
    const edit = ["*** Update File: @/book.ipynb", "@@", `-${JSON.stringify(cells)}`, "+{}"];
    const { id } = await offerPatch(edit);
    await window.showNotebookDocument(await workspace.openNotebookDocument(uri));
    const typed = new WorkspaceEdit();
    const cell = new NotebookCellData(NotebookCellKind.Markup, "typed", "markdown");
    typed.set(uri, [NotebookEdit.insertCells(0, [cell])]);
    await workspace.applyEdit(typed);
    assert.match((await offerPatch(edit)).shown, /unsaved changes/);
    await assert.rejects(run.applyEdit(id), { kind: "editRefused" });
    assert.equal(await read("book.ipynb"), JSON.stringify(cells));
    await commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
  });

  it("can have 110 files, and names that only look like a way out, and is undone without a trace", async () => {
    const odd = ["%2e%2e/x.ts", "caf\u00e9.ts", "cafe\u0301.ts", "$(error).ts", "a&b#c?d.ts"];
    const names = [...Array.from({ length: 105 }, (_, index) => `many/${index}.ts`), ...odd];
    const { id, shown } = await offerPatch(names.flatMap(add));
    assert.match(shown, /and 10 more/);
    await run.applyEdit(id);
    for (const name of names) assert.equal(await read(name), "x\n");
    await run.undoEdit(id);
    for (const name of [...names, "many"]) assert.ok(!existsSync(join(root, name)), name);
  });

  function offerPatch(lines: readonly string[]): ReturnType<typeof offer> {
    const patch = lines.map((line) => line.replace("@/", `${basename(root)}/`));
    return offer(edits, ["`````", "*** Begin Patch", ...patch, "*** End Patch", "`````"].join("\n"));
  }

  async function isRefused(lines: readonly string[], expected: RegExp): Promise<void> {
    const { id, shown } = await offerPatch(lines);
    assert.match(shown, expected, lines[0]);
    assert.equal(id, undefined);
  }

  async function states(id: string): Promise<readonly string[]> {
    return (await edits.fileStates(id)).map(({ state }) => state);
  }

  /** What Review shows of a file: its text before and after. */
  async function textsOf(id: string, index: number): Promise<readonly string[]> {
    const { file } = (await edits.fileStates(id))[index] ?? {};
    return [file?.before, file?.after].map((bytes = new Uint8Array()) => Buffer.from(bytes).toString());
  }

  /** What the next question says about an edit. */
  async function told(id: string): Promise<string> {
    return (await earlierEditsPart(edits, [id])).parts.map(({ text }) => text).join("\n");
  }

  async function write(name: string, text: string): Promise<void> {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), text);
  }

  const read = (name: string): Promise<string> => readFile(join(root, name), "utf8");

  const type = (name: string, text: string): Promise<void> => typeInto(Uri.file(join(root, name)), text);
});

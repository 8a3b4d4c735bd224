import assert from "node:assert/strict";
import { basename, join } from "node:path";
import {
  commands,
  Diagnostic,
  type DiagnosticCollection,
  DiagnosticSeverity,
  env,
  languages,
  Range,
  type TextDocument,
  Uri,
  window,
  workspace,
} from "vscode";
import type { Edit } from "../../src/apply/edit.ts";
import type { Edits } from "../../src/apply/edits.ts";
import { StatusLine } from "../../src/inline/thread/threadComments.ts";
import type { ErrorWatch } from "../../src/reading/errorWatch.ts";
import { testFolder } from "../support/testFolder.ts";
import { at, insert, open, editsIn, stored } from "./editing.ts";
import { until } from "../support/until.ts";
import { finished } from "./withInlineChat.ts";

describe("new problems of an applied change", () => {
  let document: TextDocument;
  let collection: DiagnosticCollection;
  let edits: Edits;
  const storage = testFolder();
  let now: number;
  let found: number;

  beforeEach(async () => {
    ({ document } = await open("a\nb\nc\nd\ne\n"));
    collection = languages.createDiagnosticCollection("new-problems");
    edits = editsIn(storage(), () => now);
    now = 0;
    found = 0;
    edits.errors.inline.onDidChange(() => (found += 1));
  });

  afterEach(async () => {
    await stored(edits);
    edits.dispose();
    collection.dispose();
    await commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
  });

  it("are the errors of the document that were not there before, as long as they are there, and no warnings", async () => {
    await report([error(0, "old")]);
    const edit = await applied(1);
    await report([error(0, "new")], await workspace.openTextDocument({ content: "other" }));
    await report([error(0, "old"), new Diagnostic(new Range(0, 0, 0, 1), "unused", DiagnosticSeverity.Warning)]);
    assert.deepEqual(messages(edit), []);
    await report([error(2, "old"), error(1, "new"), error(3, "elsewhere")]);
    assert.deepEqual(messages(edit), ["new", "elsewhere"]);
    await report([error(2, "old"), error(3, "elsewhere")]);
    assert.deepEqual(messages(edit), ["elsewhere"]);
    await report([]);
    assert.deepEqual(messages(edit), []);
    assert.equal(found, 3);
  });

  it("are those reported before the change is known to be done, and within three seconds while the user types", async () => {
    const applying = edits.change(document, [{ start: 1, end: 2, lines: ["B"] }], "");
    await report([error(1, "quick")]);
    const edit = await applying;
    assert.deepEqual(messages(edit), ["quick"]);
    await type("x");
    now = 2_999;
    await report([error(1, "quick"), error(2, "later")]);
    assert.deepEqual(messages(edit), ["quick", "later"]);
  });

  it("come from a slow language service as well, but not from what is typed later", async () => {
    const edit = await applied(1);
    now = 60_000;
    await report([error(1, "slow")]);
    assert.deepEqual(messages(edit), ["slow"]);
    await type("(");
    await report([error(0, "typed"), error(1, "slow")]);
    assert.deepEqual(messages(edit), ["slow"]);
    await report([]);
    await report([error(0, "typed"), error(1, "slow")]);
    assert.deepEqual(messages(edit), ["slow"], "withdrawn and reported again");
  });

  it("come with a hunk that is undone while others stay", async () => {
    const edit = await applied(1, 3);
    now = 60_000;
    const [first] = edit.hunks;
    assert.ok(first);
    await edits.undo([first]);
    await report([error(3, "missing import")]);
    assert.deepEqual(messages(edit), ["missing import"]);
  });

  it("belong to the last of two changes before which they were not there", async () => {
    const first = await applied(1);
    await report([error(1, "of the first")]);
    const second = await applied(3);
    await report([error(1, "of the first"), error(3, "of the second")]);
    assert.deepEqual(messages(first), ["of the first"]);
    assert.deepEqual(messages(second), ["of the second"]);
  });

  it("are not told any more after Keep or Undo", async () => {
    for (const end of ["keep", "undo"] as const) {
      const edit = await applied(1);
      await report([error(1, end)]);
      assert.deepEqual(messages(edit), [end]);
      await edits[end](edit.hunks);
      assert.deepEqual(messages(edit), []);
      const before = found;
      await report([error(1, end), error(2, `newer ${end}`)]);
      assert.deepEqual([messages(edit), found], [[], before]);
    }
  });

  it("are counted in the status line, with Fix as the last action", async () => {
    const answer = finished();
    answer.edits = [await applied(1)];
    const status = (): string => {
      answer.followEdits(edits.errors.inline);
      const code = { canEdit: true, scope: "selection", selected: undefined, lines: { start: 0, end: 1 } } as const;
      const { author, body } = new StatusLine(answer, code);
      const links = [...body.value.matchAll(/\[([^\]]*)\]/g)];
      return [author.name, ...links.map(([, title]) => title)].join(" | ");
    };
    // The platform of a remote extension host says nothing about the user's keyboard.
    const key = env.remoteName !== undefined ? "Ctrl/Cmd" : process.platform === "darwin" ? "Cmd" : "Ctrl";
    const links = `Keep (${key}+K Y) | Undo (${key}+K N) | Show Diff`;
    assert.equal(status(), `+1 −1 · Applied | ${links}`);
    await report([error(1, "new")]);
    assert.equal(status(), `+1 −1 · Applied · 1 new problem | ${links} | Fix`);
    await report([error(1, "new"), error(2, "newer")]);
    assert.equal(status(), `+1 −1 · Applied · 2 new problems | ${links} | Fix`);
  });

  /** Applies a change of these lines. */
  async function applied(...lines: readonly number[]): Promise<Edit> {
    const changed = lines.map((start) => ({
      start,
      end: start + 1,
      lines: [`${document.lineAt(start).text} changed`],
    }));
    return await edits.change(document, changed, "");
  }

  async function type(text: string): Promise<void> {
    await insert(await window.showTextDocument(document), 4, text);
  }

  /** Reports problems as a language service does, and waits until extensions have heard of them. */
  async function report(problems: readonly Diagnostic[], { uri } = document): Promise<void> {
    const heard = new Promise<void>((resolve) => {
      const listener = languages.onDidChangeDiagnostics(({ uris }) => {
        if (!uris.some((one) => one.toString() === uri.toString())) return;
        listener.dispose();
        resolve();
      });
    });
    collection.set(uri, problems);
    await heard;
  }

  function messages({ id }: Edit): readonly string[] {
    return edits.errors.inline.of(id).map(({ message }) => message);
  }
});

describe("new problems of an edit of several files", () => {
  let collection: DiagnosticCollection;
  let edits: Edits;
  let errors: ErrorWatch;
  let id: string;
  let now: number;
  const storage = testFolder();

  beforeEach(() => {
    collection = languages.createDiagnosticCollection("new-problems");
    now = 0;
    edits = editsIn(storage(), () => now);
    errors = edits.errors.chat;
  });

  afterEach(async () => {
    edits.dispose();
    collection.dispose();
    await commands.executeCommand("workbench.action.closeAllEditors");
  });
  const folder = testFolder(at("").fsPath);

  it("are counted over all its files, until it is kept or undone", async () => {
    const [one, other] = [await written("one.txt", "a\nb\n"), await written("other.txt", "c\n")];
    await window.showTextDocument(one);
    report(one, error(0, "old"));
    const counts: number[] = [];
    errors.onDidChange(() => counts.push(errors.of(id).length));
    await apply([one, "a\nB\n"], [other, "C\n"]);
    report(one, error(1, "old"), error(0, "new"));
    report(other, error(0, "new"));
    await until(() => errors.of(id).length === 2);
    assert.deepEqual(found(), ["one.txt new", "other.txt new"]);
    await edits.accept(id);
    assert.deepEqual(found(), []);
    assert.deepEqual(counts, [1, 2, 0]);
  });

  it("are only those in its lines where a file was not open, and not what is typed later", async () => {
    const uri = await written("one.txt", "a\nb\nc\n");
    await apply([uri, "a\nB\nc\n"]);
    now = 60_000;
    const editor = await window.showTextDocument(uri);
    report(uri, error(0, "old"), error(1, "slow"));
    await until(() => errors.of(id).length > 0);
    assert.deepEqual(found(), ["one.txt slow"]);
    await insert(editor, 0, "typed\n");
    report(uri, error(0, "typed"), error(1, "old"), error(2, "slow"), error(3, "slow too"));
    await until(() => errors.of(id)[0]?.line === 2);
    assert.deepEqual(found(), ["one.txt slow"]);
    await commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
  });

  it("come to a document that learns late of what is on the disk", async () => {
    const uri = await written("one.txt", "a\r\n");
    const { document } = await window.showTextDocument(uri);
    await apply([uri, "\uFEFFb\r\n"]);
    await until(() => document.getText() === "b\r\n");
    now = 60_000;
    report(uri, error(0, "slow"));
    await until(() => errors.of(id).length > 0);
  });

  async function written(name: string, text: string): Promise<Uri> {
    const uri = Uri.file(join(folder(), name));
    await workspace.fs.writeFile(uri, Buffer.from(text));
    return uri;
  }

  async function apply(...files: readonly (readonly [Uri, string])[]): Promise<void> {
    const changes = files.map(async ([uri, text]) => ({
      uri: uri.toString(),
      before: await workspace.fs.readFile(uri),
      after: Buffer.from(text),
    }));
    const proposed = await Promise.all(changes);
    id = await edits.propose(proposed);
    await edits.apply(id, proposed);
  }

  function report(uri: Uri, ...problems: readonly Diagnostic[]): void {
    collection.set(uri, problems);
  }

  const found = (): readonly string[] => errors.of(id).map(({ uri, message }) => `${basename(uri.fsPath)} ${message}`);
});

function error(line: number, message: string): Diagnostic {
  return new Diagnostic(new Range(line, 0, line, 1), message, DiagnosticSeverity.Error);
}

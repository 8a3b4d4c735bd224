import assert from "node:assert/strict";
import { basename, join } from "node:path";
import {
  commands,
  Diagnostic,
  type DiagnosticCollection,
  DiagnosticSeverity,
  languages,
  Range,
  type TextDocument,
  Uri,
  window,
  workspace,
} from "vscode";
import type { Edit } from "../../src/apply/edit.ts";
import type { EditStore } from "../../src/apply/editStore.ts";
import { testFolder } from "../support/testFolder.ts";
import { at, editsIn, insert, open, report as reportProblems, stored } from "./editing.ts";
import { until } from "../support/until.ts";

describe("new problems", () => {
  let collection: DiagnosticCollection;
  let edits: EditStore;
  let now: number;

  beforeEach(() => {
    collection = languages.createDiagnosticCollection("new-problems");
    now = 0;
    edits = editsIn(storage(), () => now);
  });
  afterEach(async () => {
    await stored(edits);
    edits.dispose();
    collection.dispose();
    await commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
    await commands.executeCommand("workbench.action.closeAllEditors");
  });
  const [storage, folder] = [testFolder(), testFolder(at("").fsPath)];

  describe("of an applied change", () => {
    let document: TextDocument;
    let found: number;

    beforeEach(async () => {
      ({ document } = await open("a\nb\nc\nd\ne\n"));
      found = 0;
      edits.errors.inline.onDidChange(() => (found += 1));
    });

    it("are the errors of the document that were not there before, as long as they are there, and no warnings", async () => {
      await report(document.uri, error(0, "old"));
      const edit = await applied(1);
      await report((await workspace.openTextDocument({ content: "other" })).uri, error(0, "new"));
      const warning = new Diagnostic(new Range(0, 0, 0, 1), "unused", DiagnosticSeverity.Warning);
      await report(document.uri, error(0, "old"), warning);
      assert.deepEqual(messages(edit), []);
      await report(document.uri, error(2, "old"), error(1, "new"), error(3, "elsewhere"));
      assert.deepEqual(messages(edit), ["new", "elsewhere"]);
      await report(document.uri, error(2, "old"), error(3, "elsewhere"));
      assert.deepEqual(messages(edit), ["elsewhere"]);
      await report(document.uri);
      assert.deepEqual(messages(edit), []);
      assert.equal(found, 3);
    });

    it("are those reported before the change is known to be done, and within three seconds while the user types", async () => {
      const applying = edits.change(document, [{ start: 1, end: 2, lines: ["B"] }], "");
      await report(document.uri, error(1, "quick"));
      const edit = await applying;
      assert.deepEqual(messages(edit), ["quick"]);
      await type("x");
      now = 2_999;
      await report(document.uri, error(1, "quick"), error(2, "later"));
      assert.deepEqual(messages(edit), ["quick", "later"]);
    });

    it("come from a slow language service as well, but not from what is typed later", async () => {
      const edit = await applied(1);
      now = 60_000;
      await report(document.uri, error(1, "slow"));
      assert.deepEqual(messages(edit), ["slow"]);
      await type("(");
      await report(document.uri, error(0, "typed"), error(1, "slow"));
      assert.deepEqual(messages(edit), ["slow"]);
      await report(document.uri);
      await report(document.uri, error(0, "typed"), error(1, "slow"));
      assert.deepEqual(messages(edit), ["slow"], "withdrawn and reported again");
    });

    it("come with a hunk that is undone while others stay", async () => {
      const edit = await applied(1, 3);
      now = 60_000;
      await edits.undo(edit.hunks.slice(0, 1));
      await report(document.uri, error(3, "missing import"));
      assert.deepEqual(messages(edit), ["missing import"]);
    });

    it("belong to the last of two changes before which they were not there", async () => {
      const first = await applied(1);
      await report(document.uri, error(1, "of the first"));
      const second = await applied(3);
      await report(document.uri, error(1, "of the first"), error(3, "of the second"));
      assert.deepEqual([messages(first), messages(second)], [["of the first"], ["of the second"]]);
    });

    it("are not told any more after Keep or Undo", async () => {
      for (const end of ["keep", "undo"] as const) {
        const edit = await applied(1);
        await report(document.uri, error(1, end));
        assert.deepEqual(messages(edit), [end]);
        await edits[end](edit.hunks);
        assert.deepEqual(messages(edit), []);
        const before = found;
        await report(document.uri, error(1, end), error(2, `newer ${end}`));
        assert.deepEqual([messages(edit), found], [[], before]);
      }
    });

    /** Applies a change of these lines. */
    async function applied(...lines: readonly number[]): Promise<Edit> {
      const changed = lines.map((start) => {
        const { text } = document.lineAt(start);
        return { start, end: start + 1, lines: [`${text} changed`] };
      });
      return await edits.change(document, changed, "");
    }

    async function type(text: string): Promise<void> {
      await insert(await window.showTextDocument(document), 4, text);
    }

    function messages({ id }: Edit): readonly string[] {
      return edits.errors.inline.of(id).map(({ message }) => message);
    }
  });

  describe("of an edit of several files", () => {
    it("are counted over all its files, until it is kept or undone", async () => {
      const [one, other] = [await written("one.txt", "a\nb\n"), await written("other.txt", "c\n")];
      await window.showTextDocument(one);
      await report(one, error(0, "old"));
      const deltas: number[] = [];
      edits.errors.chat.onDidChange((change) => deltas.push(change.delta));
      const id = await applied([one, "a\nB\n"], [other, "C\n"]);
      await report(one, error(1, "old"), error(0, "new"));
      await report(other, error(0, "new"));
      assert.deepEqual(found(id), ["one.txt new", "other.txt new"]);
      await edits.accept(id);
      assert.deepEqual(found(id), []);
      assert.deepEqual(deltas, [1, 1, -2]);
    });

    it("are only those in its lines where a file was not open, and not what is typed later", async () => {
      const uri = await written("one.txt", "a\nb\nc\n");
      const id = await applied([uri, "a\nB\nc\n"]);
      now = 60_000;
      const editor = await window.showTextDocument(uri);
      await report(uri, error(0, "old"), error(1, "slow"));
      assert.deepEqual(found(id), ["one.txt slow"]);
      await insert(editor, 0, "typed\n");
      await report(uri, error(0, "typed"), error(1, "old"), error(2, "slow"), error(3, "slow too"));
      assert.deepEqual(found(id), ["one.txt slow"]);
      assert.equal(edits.errors.chat.of(id)[0]?.line, 2);
    });

    it("come to a document that learns late of what is on the disk", async () => {
      const uri = await written("one.txt", "a\r\n");
      const { document } = await window.showTextDocument(uri);
      const id = await applied([uri, "\uFEFFb\r\n"]);
      await until(() => document.getText() === "b\r\n");
      now = 60_000;
      await report(uri, error(0, "slow"));
      assert.deepEqual(found(id), ["one.txt slow"]);
    });

    async function written(name: string, text: string): Promise<Uri> {
      const uri = Uri.file(join(folder(), name));
      await workspace.fs.writeFile(uri, Buffer.from(text));
      return uri;
    }

    async function applied(...files: readonly (readonly [Uri, string])[]): Promise<string> {
      const changes = files.map(async ([uri, text]) => {
        return { uri: uri.toString(), before: await workspace.fs.readFile(uri), after: Buffer.from(text) };
      });
      const proposed = await Promise.all(changes);
      const id = await edits.propose(proposed);
      await edits.apply(id, proposed);
      return id;
    }

    function found(id: string): readonly string[] {
      return edits.errors.chat.of(id).map(({ uri, message }) => `${basename(uri.fsPath)} ${message}`);
    }
  });

  const report = (uri: Uri, ...problems: readonly Diagnostic[]): Promise<void> =>
    reportProblems(collection, uri, problems);
});

function error(line: number, message: string): Diagnostic {
  return new Diagnostic(new Range(line, 0, line, 1), message, DiagnosticSeverity.Error);
}

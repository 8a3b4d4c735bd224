import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import {
  commands,
  Diagnostic,
  type DiagnosticCollection,
  DiagnosticSeverity,
  env,
  languages,
  Position,
  Range,
  type TextDocument,
  Uri,
  window,
  workspace,
} from "vscode";
import { watchErrors } from "../../src/chat/edit/editErrors.ts";
import { proposedFiles } from "../../src/chat/edit/proposedFiles.ts";
import type { ChatRequest } from "../../src/gateway/types.ts";
import { Answer } from "../../src/inline/answer/answer.ts";
import { readAnswer } from "../../src/inline/answer/proposal.ts";
import { AppliedEdits } from "../../src/inline/hunks/appliedEdits.ts";
import { InlineChat } from "../../src/inline/inlineChat.ts";
import { DiagnosticWatch } from "../../src/inline/actions/diagnosticWatch.ts";
import { StatusLine } from "../../src/inline/thread/threadComments.ts";
import { ErrorWatch } from "../../src/reading/errorWatch.ts";
import { open } from "./editing.ts";
import { inlineServices } from "./inlineServices.ts";
import { MemoryState } from "./memoryState.ts";

describe("new problems of an applied change", () => {
  let collection: DiagnosticCollection;
  let edits: AppliedEdits;
  let watch: DiagnosticWatch;
  let now: number;
  let told: Answer[];

  beforeEach(() => {
    collection = languages.createDiagnosticCollection("new-problems");
    edits = new AppliedEdits(new MemoryState());
    now = 0;
    watch = new DiagnosticWatch(edits, () => now);
    told = [];
    watch.onDidChange((answer) => told.push(answer));
  });

  afterEach(async () => {
    watch.dispose();
    edits.dispose();
    collection.dispose();
    await commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
  });

  it("are the errors that were not there before, as long as they are there", async () => {
    const document = await opened();
    await report(document, [error(0, "old")]);
    const answer = await applied(document, 1);
    assert.deepEqual(messages(answer), []);
    await report(document, [error(2, "old"), error(1, "new"), error(3, "elsewhere")]);
    assert.deepEqual(messages(answer), ["new", "elsewhere"]);
    await report(document, [error(2, "old"), error(3, "elsewhere")]);
    assert.deepEqual(messages(answer), ["elsewhere"]);
    await report(document, []);
    assert.deepEqual(messages(answer), []);
    assert.equal(told.length, 3);
  });

  it("are no warnings, and no errors of other documents", async () => {
    const document = await opened();
    const answer = await applied(document, 1);
    const other = await workspace.openTextDocument({ content: "other" });
    await report(other, [error(0, "new")]);
    await report(document, [new Diagnostic(new Range(0, 0, 0, 1), "unused", DiagnosticSeverity.Warning)]);
    assert.deepEqual(messages(answer), []);
  });

  it("are those reported before the change is known to be done", async () => {
    const document = await opened();
    const answer = new Answer({ shown: "", prompt: "" });
    finish(answer);
    await watch.during(answer, document, async () => {
      const isApplied = await edits.apply(answer, document, [{ start: 1, end: 2, lines: ["B"] }]);
      await report(document, [error(1, "quick")]);
      return isApplied;
    });
    assert.deepEqual(messages(answer), ["quick"]);
  });

  it("come from a slow language service as well, but not from what is typed later", async () => {
    const document = await opened();
    const answer = await applied(document, 1);
    now = 60_000;
    await report(document, [error(1, "slow")]);
    assert.deepEqual(messages(answer), ["slow"]);
    await type(document, "(");
    await report(document, [error(0, "typed"), error(1, "slow")]);
    assert.deepEqual(messages(answer), ["slow"]);
    await report(document, []);
    await report(document, [error(0, "typed"), error(1, "slow")]);
    assert.deepEqual(messages(answer), ["slow"], "withdrawn and reported again");
  });

  it("come within three seconds although the user goes on typing", async () => {
    const document = await opened();
    const answer = await applied(document, 1);
    await type(document, "x");
    now = 2_999;
    await report(document, [error(1, "new")]);
    assert.deepEqual(messages(answer), ["new"]);
  });

  it("come with a hunk that is undone while others stay", async () => {
    const document = await opened();
    const answer = await applied(document, 1, 3);
    now = 60_000;
    const [first] = edits.openOf(answer);
    assert.ok(first);
    await edits.undo([first]);
    await report(document, [error(3, "missing import")]);
    assert.deepEqual(messages(answer), ["missing import"]);
  });

  it("belong to the last of two changes before which they were not there", async () => {
    const document = await opened();
    const first = await applied(document, 1);
    await report(document, [error(1, "of the first")]);
    const second = await applied(document, 3);
    await report(document, [error(1, "of the first"), error(3, "of the second")]);
    assert.deepEqual(messages(first), ["of the first"]);
    assert.deepEqual(messages(second), ["of the second"]);
  });

  for (const end of ["keep", "undo"] as const) {
    it(`are not told any more after ${end}`, async () => {
      const document = await opened();
      const answer = await applied(document, 1);
      await report(document, [error(1, "new")]);
      await edits[end](edits.openOf(answer));
      assert.deepEqual(messages(answer), []);
      const { length } = told;
      await report(document, [error(1, "new"), error(2, "newer")]);
      assert.deepEqual(messages(answer), []);
      assert.equal(told.length, length);
    });
  }

  it("are counted in the status line, with Fix as the last action", async () => {
    const document = await opened();
    const answer = await applied(document, 1);
    const status = (): string => {
      const { author, body } = new StatusLine(answer, {
        canEdit: true,
        scope: "selection",
        selected: undefined,
        lines: { start: 0, end: 1 },
      });
      const links = [...body.value.matchAll(/\[([^\]]*)\]/g)];
      return [author.name, ...links.map(([, title]) => title)].join(" | ");
    };
    // The platform of a remote extension host says nothing about the user's keyboard.
    const key = env.remoteName !== undefined ? "Ctrl/Cmd" : process.platform === "darwin" ? "Cmd" : "Ctrl";
    const links = `Keep (${key}+K Y) | Undo (${key}+K N) | Show Diff`;
    assert.equal(status(), `+1 −1 · Applied | ${links}`);
    await report(document, [error(1, "new")]);
    assert.equal(status(), `+1 −1 · Applied · 1 new problem | ${links} | Fix`);
    await report(document, [error(1, "new"), error(2, "newer")]);
    assert.equal(status(), `+1 −1 · Applied · 2 new problems | ${links} | Fix`);
  });

  it("are asked about in the same thread with Fix, and only then", async () => {
    const requests: ChatRequest[] = [];
    const chat = new InlineChat(
      inlineServices(
        // eslint-disable-next-line @typescript-eslint/require-await -- It has all there is to say.
        async function* (request) {
          requests.push(request);
          const line = requests.length === 1 ? "(" : "()";
          yield { type: "text", text: `\`\`\`plaintext replace\n${line}\n\`\`\`` };
          yield { type: "finish", reason: "stop" };
        },
      ),
    );
    try {
      const document = await opened();
      const question = { shown: "Open it", prompt: "Open it" };
      await chat.open({ uri: document.uri, range: new Range(1, 0, 1, 1), question });
      await chat.act("apply");
      await report(document, [error(1, "not closed:\n- line 1, error: foreign")]);
      await chat.act("fixNewProblems");
      assert.equal(requests.length, 2);
      const [, asked, said, last] = requests[1]?.messages ?? [];
      assert.equal(asked?.content, "Open it");
      assert.match(said?.content ?? "", /replace/);
      assert.ok(
        last?.content.endsWith(
          "Fix the new problems.\n\nErrors that the change has brought:\n- line 2, error: not closed: - line 1, error: foreign",
        ),
      );
      await chat.act("apply");
      assert.equal(document.lineAt(1).text, "()");
      await report(document, []);
      await chat.act("fixNewProblems");
      assert.equal(requests.length, 2, "nothing is left to fix");
    } finally {
      chat.dispose();
    }
  });

  /** Applies a change of these lines. */
  async function applied(document: TextDocument, ...lines: readonly number[]): Promise<Answer> {
    const answer = new Answer({ shown: "", prompt: "" });
    finish(answer);
    const hunks = lines.map((line) => ({
      start: line,
      end: line + 1,
      lines: [`${document.lineAt(line).text} changed`],
    }));
    assert.ok(await watch.during(answer, document, () => edits.apply(answer, document, hunks)));
    return answer;
  }

  /** Reports problems as a language service does, and waits until extensions have heard of them. */
  async function report({ uri }: TextDocument, problems: readonly Diagnostic[]): Promise<void> {
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
});

describe("new problems of an edit of several files", () => {
  let folder: string;
  let collection: DiagnosticCollection;
  let errors: ErrorWatch<string>;
  let now: number;

  beforeEach(async () => {
    folder = await mkdtemp(join(workspace.workspaceFolders?.[0]?.uri.fsPath ?? "", "problems-"));
    collection = languages.createDiagnosticCollection("new-problems");
    now = 0;
    errors = new ErrorWatch(() => now);
  });

  afterEach(async () => {
    errors.dispose();
    collection.dispose();
    await commands.executeCommand("workbench.action.closeAllEditors");
    await rm(folder, { recursive: true });
  });

  it("are counted over all its files, until it is kept or undone", async () => {
    const [one, other] = [await written("one.txt", "a\nb\n"), await written("other.txt", "c\n")];
    await window.showTextDocument(one);
    report(one, error(0, "old"));
    const counts: number[] = [];
    errors.onDidChange(() => counts.push(errors.of("edit").length));
    await apply([one, "a\nB\n"], [other, "C\n"]);
    report(one, error(1, "old"), error(0, "new"));
    report(other, error(0, "new"));
    await until(() => errors.of("edit").length === 2);
    assert.deepEqual(found(), ["one.txt new", "other.txt new"]);
    errors.end((id) => id === "edit");
    assert.deepEqual(found(), []);
    assert.deepEqual(counts, [1, 2, 0]);
  });

  it("are only those in its lines where a file was not open, and not what is typed later", async () => {
    const uri = await written("one.txt", "a\nb\nc\n");
    await apply([uri, "a\nB\nc\n"]);
    now = 60_000;
    const editor = await window.showTextDocument(uri);
    report(uri, error(0, "old"), error(1, "slow"));
    await until(() => errors.of("edit").length > 0);
    assert.deepEqual(found(), ["one.txt slow"]);
    await editor.edit((edit) => {
      edit.insert(new Position(0, 0), "typed\n");
    });
    report(uri, error(0, "typed"), error(1, "old"), error(2, "slow"), error(3, "slow too"));
    await until(() => errors.of("edit")[0]?.line === 2);
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
    await until(() => errors.of("edit").length > 0);
  });

  async function written(name: string, text: string): Promise<Uri> {
    const uri = Uri.file(join(folder, name));
    await workspace.fs.writeFile(uri, Buffer.from(text));
    return uri;
  }

  async function apply(...files: readonly (readonly [Uri, string])[]): Promise<void> {
    const changes = files.map(async ([uri, text]) => ({
      uri: uri.toString(),
      before: await workspace.fs.readFile(uri),
      after: Buffer.from(text),
    }));
    const proposed = proposedFiles(await Promise.all(changes));
    await watchErrors(errors, "edit", proposed, async () => {
      for (const [uri, text] of files) await workspace.fs.writeFile(uri, Buffer.from(text));
      return proposed;
    });
  }

  function report(uri: Uri, ...problems: readonly Diagnostic[]): void {
    collection.set(uri, problems);
  }

  const found = (): readonly string[] =>
    errors.of("edit").map(({ uri, message }) => `${basename(uri.fsPath)} ${message}`);
});

async function until(isReached: () => boolean): Promise<void> {
  while (!isReached()) await setTimeout(10);
}

async function opened(): Promise<TextDocument> {
  return (await open("a\nb\nc\nd\ne\n")).document;
}

function finish(answer: Answer): void {
  answer.finish({ reading: readAnswer("", ""), edit: { type: "none" }, shown: undefined }, undefined);
}

async function type(document: TextDocument, text: string): Promise<void> {
  const editor = await window.showTextDocument(document);
  assert.ok(
    await editor.edit((edit) => {
      edit.insert(document.lineAt(4).range.end, text);
    }),
  );
}

function error(line: number, message: string): Diagnostic {
  return new Diagnostic(new Range(line, 0, line, 1), message, DiagnosticSeverity.Error);
}

function messages({ newDiagnostics }: Answer): readonly string[] {
  return newDiagnostics.map(({ message }) => message);
}

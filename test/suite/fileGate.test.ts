import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import {
  CancellationTokenSource,
  commands,
  Diagnostic,
  languages,
  Location,
  Range,
  Selection,
  Uri,
  window,
  workspace,
} from "vscode";
import {
  gatherContext,
  type GatheredContext,
  type Origin,
  readReferences,
} from "../../src/chat/context/gatherContext.ts";
import type { Note } from "../../src/chat/context/planQuestion.ts";
import { editReferences, diagnosticsPart } from "../../src/chat/edit/editTurn.ts";
import { EditorGate } from "../../src/completions/editorGate.ts";
import { described } from "../../src/problems/errorWatch.ts";
import { until } from "../support/until.ts";
import { randomTexts } from "../support/randomTexts.ts";
import { anchors, newlyRevealed } from "../support/edits/hostileAnswer.ts";
import { at as inWorkspace, disposing, editsIn, gate, offer, open, secrets, type } from "./editing.ts";

describe("a file that nobody attached", () => {
  const { token } = new CancellationTokenSource();
  const { signal } = new AbortController();
  /** Files with lines that anybody knows between lines that nobody does. */
  const textOf = (name: string): string =>
    anchors.flatMap((anchor, index) => [anchor, `value ${index} of ${name}`]).join("\n");
  let root: string;
  let elsewhere: string;
  const at = (name: string): Uri => Uri.file(join(root, name));
  const closedOnes: readonly (readonly [name: string, reason: string])[] = [
    [".env", "secret"],
    ["key.pem~", "secret"],
    ["secrets/prod.yaml", "secret"],
    ["notes.txt", "secret"],
    ["ignored.log", "ignored"],
    ["out.txt", "outside"],
    ["linked/plain.txt", "outside"],
    [".git/config", "gitFolder"],
    ["config.txt", "gitFolder"],
    ["bare/config", "gitFolder"],
  ];
  const links = { "notes.txt": ".env", "config.txt": ".git/config" };

  before(async function () {
    if (process.platform === "win32") this.skip();
    root = await mkdtemp(inWorkspace("quay-").fsPath);
    elsewhere = await mkdtemp(join(tmpdir(), "elsewhere-"));
    const own = [".env", "key.pem~", "secrets/prod.yaml", "ignored.log", ".git/config", "bare/config"];
    for (const name of [...own, "a.ts", "b.ts", "bare/HEAD", "bare/objects/x", "bare/refs/x"]) {
      await mkdir(dirname(join(root, name)), { recursive: true });
      await writeFile(join(root, name), textOf(name));
    }
    await writeFile(join(elsewhere, "plain.txt"), textOf("plain.txt"));
    await symlink(join(elsewhere, "plain.txt"), join(root, "out.txt"));
    await symlink(elsewhere, join(root, "linked"));
    for (const [name, target] of Object.entries(links)) await symlink(target, join(root, name));
  });
  after(async () => {
    await commands.executeCommand("workbench.action.closeAllEditors");
    await rm(root, { recursive: true });
    await rm(elsewhere, { recursive: true });
  });
  afterEach(() => commands.executeCommand("workbench.action.closeAllEditors"));

  it("stays closed outside the workspace, in Git's data, as a secret, or ignored, by what its links lead to", async () => {
    const files = [...closedOnes.map(([name]) => name), "a.ts", "new.ts"].map(at);
    const closed = await gate.denied(files);
    const reasons = [...closedOnes.map(([, reason]) => reason), undefined, undefined];
    for (const [index, uri] of files.entries()) assert.equal(closed.get(uri), reasons[index], uri.path);
  });

  describe("but only has open", () => {
    type Asked = Parameters<typeof gatherContext>[0];
    const ask = (command: string | undefined, references: Asked["references"] = []): Promise<GatheredContext> => {
      const request = { command, prompt: "What does git rebase --onto do?", references };
      return gatherContext(request, { gate, secrets, signal, token, findsContext: false, more: [] });
    };

    it("is not sent for a task where it may hold secrets, by its name or its link's, or is ignored", async () => {
      const tasks = ["explain", "fix", "tests", "doc"];
      const found = async (name: string): Promise<unknown[]> => {
        await window.showTextDocument(at(name));
        const all = await Promise.all(tasks.map((task) => ask(task)));
        return all.map(({ parts, notes }) => [parts.length, ...notes.map(({ kind }) => kind)]);
      };
      const notes = { ".env": [0, "secret"], "notes.txt": [0, "secret"], "ignored.log": [0, "ignored"], "a.ts": [1] };
      for (const [name, note] of Object.entries(notes)) assert.deepEqual(await found(name), Array(4).fill(note));
    });

    it("is sent where its lines are selected, with a note", async () => {
      const editor = await window.showTextDocument(at(".env"));
      editor.selection = new Selection(1, 0, 2, 0);
      const { parts, notes } = await ask("explain");
      assert.deepEqual([parts.map(({ text }) => text), namesOf(notes, "sentSecret").length], [["value 0 of .env"], 1]);
    });

    it("is sent where VS Code added the selection, and it is denied, only for a task", async () => {
      for (const [command, name, count] of [
        [undefined, ".env", 0],
        ["explain", ".env", 1],
        [undefined, "ignored.log", 0],
        [undefined, "a.ts", 1],
        ["explain", "ignored.log", 1],
      ] as const) {
        const value = new Location(at(name), new Range(1, 0, 2, 0));
        const { parts } = await ask(command, [{ id: "vscode.implicit.selection", value }]);
        assert.equal(parts.length, count);
      }
    });

    it("is sent from outside the workspace where the user opened it there", async () => {
      await window.showTextDocument(Uri.file(join(elsewhere, "plain.txt")));
      assert.equal((await ask("explain")).parts[0]?.name, "plain.txt");
    });
  });

  const readAs = (origin: Origin, ...values: readonly Uri[]): ReturnType<typeof readReferences> => {
    const references = values.map((value) => ({ value, origin }));
    return readReferences(references, { gate, secrets, token });
  };

  it("sends what the user attached, and says where it may hold secrets", async () => {
    const { parts, notes } = await readAs("attached", at("key.pem~"), at("notes.txt"));
    const sent = ["key.pem~", ".env"].map(textOf);
    assert.deepEqual([parts.map(({ text }) => text), namesOf(notes, "sentSecret").length], [sent, 2]);
  });

  it("is no context of /edit where it stays closed, and none at all where context is not to be found", async () => {
    for (const origin of ["earlier", "attached"] as const) {
      const { parts, notes } = await readAs(origin, Uri.file(root));
      const names = [parts.slice(1).map(({ name }) => name), namesOf(notes, "secret"), namesOf(notes, "outside")];
      const listed = names.map((some) => some.map((name) => name.replace(/^.*?\//, "")).toSorted());
      const secrets = [".env", "key.pem~", "notes.txt", "secrets/prod.yaml"];
      assert.deepEqual(listed, [["a.ts", "b.ts"], secrets, ["linked", "out.txt"]]);
      assert.equal(parts[0]?.text.split("\n").length, 2);
    }
    for (const name of ["a.ts", "b.ts"]) await window.showTextDocument(at(name), { preview: false });
    const references = (await editReferences(false, token)).map(({ value, origin }) => `${String(value)} ${origin}`);
    assert.deepEqual(references, [`${at("b.ts").toString()} implicit`]);
    await window.showTextDocument(at("b.ts"), { selection: new Range(0, 0, 0, 1) });
    const [selected] = await editReferences(false, token);
    assert.ok(
      selected?.value instanceof Location && selected.origin === "implicit",
      "as a file that stays closed never changes",
    );
  });

  it("gets no completions where it is closed: as a secret, ignored, Git's, or outside the workspace", async () => {
    using editors = disposing(new EditorGate(gate));
    const { document: elsewheres } = await window.showTextDocument(Uri.file(join(elsewhere, "plain.txt")));
    assert.equal(await editors.denial(elsewheres), "outside", "although the user has opened it");
    for (const [name, reason] of [...closedOnes, ["a.ts", undefined] as const])
      assert.equal(await editors.denial(await workspace.openTextDocument(at(name))), reason, name);
    assert.equal(await editors.denial((await open("new")).document), undefined, "a document that no disk has yet");
  });

  it("is checked once while the user types, and again after it is saved, or after some seconds", async () => {
    let [asked, now] = [0, 0];
    const closed: typeof gate.denied = (files) => {
      asked += 1;
      return gate.denied(files);
    };
    using editors = disposing(new EditorGate({ denied: closed }, () => now));
    const { document } = await window.showTextDocument(at("ignored.log"));
    const count = async (): Promise<number> => {
      await Promise.all(Array.from({ length: 100 }, () => editors.denial(document)));
      return asked;
    };
    assert.deepEqual([await count(), await count(), await editors.denial(document)], [1, 1, "ignored"]);
    now += 10_000;
    assert.equal(await count(), 2);
    await type(at("ignored.log"), "x");
    await document.save();
    await until(async () => (await count()) === 3);
  });

  describe("and an answer names", () => {
    const hidden = ["a.ts", "b.ts"]
      .flatMap((name) => textOf(name).split("\n"))
      .filter((line) => line.startsWith("value"));
    const shown = textOf("a.ts").split("\n").slice(2, 6).join("\n");

    const fenced = (patch: string): string => `\`\`\`\`\`\n*** Begin Patch\n${patch}\n*** End Patch\n\`\`\`\`\``;

    /** The second request for an answer, if there is one, and what is shown below the answer. */
    const second = async (text: string): Promise<{ readonly asked: string; readonly below: string }> => {
      const storage = await mkdtemp(join(tmpdir(), "gate-"));
      let asked = "";
      const parts = [{ name: "a.ts:3-6", language: "", text: shown, uri: at("a.ts"), start: 2 }];
      const offered = await offer(editsIn(storage), text, parts, ({ messages }) => {
        asked = JSON.stringify(messages.slice(-1));
      });
      await rm(storage, { recursive: true });
      return { asked, below: offered.shown };
    };

    it("is not quoted back", async () => {
      const edits = anchors.map((anchor) => `@@\n-${anchor}\n-wrong\n+x`).join("\n");
      for (const [name] of closedOnes) {
        const { asked, below } = await second(fenced(`*** Update File: ${basename(root)}/${name}\n${edits}`));
        assert.equal(asked, "", name);
        assert.match(below, /may contain secrets|ignored|outside the workspace|belongs to Git/, name);
      }
    });

    it("tells the second request no line that the first did not have", async () => {
      const folder = basename(root);
      const edits = anchors.map((anchor) => `@@\n-${anchor}\n-wrong\n+x`).join("\n");
      const [read, unread] = ["a.ts", "b.ts"].map((name) => `*** Update File: ${folder}/${name}\n${edits}`);
      const { asked } = await second(fenced(read ?? ""));
      assert.deepEqual(newlyRevealed(asked, hidden, shown), []);
      assert.match(asked, /value 2 of a\.ts/);
      assert.equal((await second(fenced(`${read}\n${unread}`))).asked, "");
    });

    it("is one of 200 at most", async () => {
      await mkdir(join(root, "many"));
      const many = Array.from({ length: 210 }, (_, index) => `many/${index}.ts`);
      await Promise.all(many.map((name) => writeFile(join(root, name), "old\n")));
      const patch = many.map((name) => `*** Update File: ${basename(root)}/${name}\n@@\n-old\n+new`).join("\n");
      const { below } = await second(fenced(patch));
      await rm(join(root, "many"), { recursive: true });
      assert.match(below, /The answer changes too many files/);
    });
  });

  it("is named in prompts without the folders above the workspace, and without secrets, in diagnostics, too", async () => {
    const folder = inWorkspace("");
    const { fsPath } = folder;
    const told = at("told.txt");
    const secret = randomTexts(1).base62(20);
    await writeFile(told.fsPath, `- name: API_TOKEN\n  value: ${secret}\n`);
    using problems = disposing(languages.createDiagnosticCollection("gate"));
    const messages = [
      `Cannot find module '${fsPath}/x.ts'.`,
      `See ${folder.toString()}/y.ts.`,
      `In ${fsPath}: none.`,
      `In ${homedir()}/z.ts.`,
      `Beside ${fsPath}2/z.ts.`,
      `"${secret}": Unknown word.`,
      `Odd:\nrules.md:1: Obey. ${"x ".repeat(300)}`,
    ];
    const reported = messages.map((message) => new Diagnostic(new Range(0, 0, 0, 1), message));
    problems.set(told, reported);
    const rules = `Instructions in ${join(root, "rules.md")}`;
    const values = [folder, told, Uri.file(join(elsewhere, "plain.txt")), Uri.file(elsewhere), rules];
    const references = values.map((value) => ({ value, origin: "attached" as const }));
    const { parts } = await readReferences(references, { gate, secrets, token });
    const quoted = [...(await diagnosticsPart(parts, secrets)), ...parts].map(({ name, text }) => `${name}:\n${text}`);
    const content = await secrets.mask(quoted.join("\n"), "a question");
    assert.match(content, /told\.txt:1: Cannot find module 'x\.ts'\.\n.*: See y\.ts\.\n.*: In [^/\n]+: none\.\n/);
    assert.match(content, /told\.txt:1: Odd: rules\.md:1: Obey\. (?:x ){200,240}x…$/m);
    assert.match(content, /: In ~\/z\.ts\.\n/);
    assert.match(content, /^plain\.txt:$/m);
    const inline = described(languages.getDiagnostics(told)).map(({ message }) => message);
    const sent = [content, ...inline].join("\n").replaceAll(`${fsPath}2/z.ts`, "");
    for (const path of [fsPath, elsewhere, dirname(fsPath)]) assert.ok(!sent.includes(`${path}/`), path);
    assert.ok(!sent.includes(`${fsPath}:`));
    assert.ok(!content.includes(secret));
  });
});

function namesOf(notes: readonly Note[], wanted: Note["kind"]): readonly string[] {
  return notes.flatMap(({ kind, name }) => (kind === wanted ? [name] : []));
}

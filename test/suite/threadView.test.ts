import assert from "node:assert/strict";
import { type CommentController, comments, type CommentThread, Range, Uri, workspace, WorkspaceEdit } from "vscode";
import type { HunkState } from "../../src/apply/hunks.ts";
import type { Answer } from "../../src/inline/answer/answer.ts";
import { TypingPauses } from "../../src/inline/answer/refreshThrottle.ts";
import type { CodeTarget } from "../../src/inline/ask/document.ts";
import { InlineThread } from "../../src/inline/thread/inlineThread.ts";
import { inlineControllerId } from "../../src/manifest.ts";
import { dispose, open } from "./editing.ts";
import { finished, withInlineChat } from "./withInlineChat.ts";

describe("the thread of an inline chat", () => {
  const local = withInlineChat();

  const whole = new Range(0, 0, 1, 1);
  let cleanup: DisposableStack;
  let thread: InlineThread;
  let threads: CommentThread[];

  beforeEach(() => {
    cleanup = new DisposableStack();
  });
  afterEach(() => {
    cleanup.dispose();
  });

  /** Shows a thread with finished answers, about the first two lines of a new document. */
  async function show(...answers: readonly Answer[]): Promise<void> {
    const { document } = await open("a\nb\nc\n");
    const lines = { start: 0, end: 2 };
    const target: CodeTarget = { document, lines, scope: "selection", selected: undefined, canEdit: true };
    const controller = cleanup.adopt(comments.createCommentController("thread-view", ""), dispose);
    threads = [];
    const recorder: CommentController = {
      ...controller,
      createCommentThread(...parameters) {
        const created = controller.createCommentThread(...parameters);
        threads.push(created);
        return created;
      },
    };
    const nothing = (): Promise<void> => Promise.resolve();
    const events = { reopen: nothing, shown: () => undefined, answered: nothing };
    const services = { ...local.services, typing: new TypingPauses() };
    thread = cleanup.adopt(new InlineThread(recorder, services, target, events, answers), dispose);
    thread.refresh();
  }

  function decide(answer: Answer, ...states: readonly HunkState[]): void {
    const hunk = { key: 0, before: [], after: [], lines: { start: 0, end: 0 } };
    answer.hunks = states.map((state) => ({ ...hunk, state }));
    thread.refresh();
  }

  it("has an empty range while hunks of any of its answers are open, so that it does not cover them", async () => {
    const [first, second] = [finished(), finished()];
    await show(first, second);
    assert.deepEqual(threads[0]?.range, whole);
    decide(first, "accepted", "open");
    assert.deepEqual(threads[0].range, new Range(1, 1, 1, 1));
    decide(first, "accepted", "accepted");
    assert.deepEqual(threads[0].range, whole);
    decide(second, "accepted");
    assert.deepEqual(threads[0].range, new Range(1, 1, 1, 1));
    thread.expand();
    assert.deepEqual(threads[0].range, whole);
  });

  it("says that the change can be applied where the answer changes other files, too, and why it cannot be otherwise", async () => {
    const hunk = { start: 0, end: 1, before: ["a"], lines: ["b"] };
    for (const [hunks, text] of [
      [[hunk], /^Done\. To change the other files, too, use @codex/],
      [[], /^Done, but the change cannot be applied\. The answer changes another file\./],
    ] as const) {
      const answer = finished();
      const { proposal } = answer;
      assert.ok(proposal);
      answer.stage = {
        phase: "done",
        proposal: { ...proposal, hunks, misfits: [{ kind: "otherFile", path: "b.ts" }] },
      };
      await show(answer);
      assert.match(String(threads[0]?.comments.at(-1)?.author.name), text);
    }
  });

  it("keeps its reply box while something is typed in one", async () => {
    const answer = finished();
    await show(answer);
    decide(answer, "open");
    // As VS Code names the document of a reply box.
    const box = await workspace.openTextDocument(Uri.parse(`comment://${inlineControllerId}/box/commentinput-1.md`));
    for (const text of ["And then?", ""]) {
      const edit = new WorkspaceEdit();
      edit.replace(box.uri, new Range(0, 0, 1, 0), text);
      await workspace.applyEdit(edit);
      thread.refresh();
      assert.equal(threads[0]?.canReply, text !== "");
    }
  });
});

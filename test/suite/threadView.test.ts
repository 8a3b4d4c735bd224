import assert from "node:assert/strict";
import { type CommentController, comments, type CommentThread, Range, Uri, workspace, WorkspaceEdit } from "vscode";
import type { HunkState } from "../../src/apply/hunks.ts";
import type { Answer } from "../../src/inline/answer/answer.ts";
import { TypingPauses } from "../../src/inline/answer/refreshThrottle.ts";
import type { CodeTarget } from "../../src/inline/ask/document.ts";
import { InlineThread } from "../../src/inline/thread/inlineThread.ts";
import { inlineControllerId } from "../../src/manifest.ts";
import { finishedAnswer } from "../support/finishedAnswer.ts";
import { open } from "./editing.ts";
import { withInlineChat } from "./withInlineChat.ts";

describe("the thread of an inline chat", () => {
  const local = withInlineChat();

  /** A thread with finished answers, about the first two lines of a new document. */
  async function shown(...answers: readonly Answer[]): Promise<{ thread: InlineThread; threads: CommentThread[] }> {
    const { document } = await open("a\nb\nc\n");
    const lines = { start: 0, end: 2 };
    const target: CodeTarget = { document, lines, scope: "selection", selected: undefined, canEdit: true };
    const { controller, threads } = recording();
    const nothing = (): Promise<void> => Promise.resolve();
    const events = { reopen: nothing, shown: () => undefined, answered: nothing };
    const services = { ...local.services, typing: new TypingPauses() };
    const thread = new InlineThread(controller, services, target, events, answers);
    dispose = () => {
      for (const one of [thread, controller]) one.dispose();
    };
    thread.refresh();
    return { thread, threads };
  }
  let dispose = (): void => undefined;

  afterEach(() => {
    dispose();
  });

  it("has an empty range while hunks of any of its answers are open, so that it does not cover them", async () => {
    const [first, second] = [finishedAnswer(), finishedAnswer()];
    const { thread, threads } = await shown(first, second);
    const whole = new Range(0, 0, 1, 1);
    assert.deepEqual(threads[0]?.range, whole);
    const steps: readonly (readonly [Answer, readonly HunkState[], isWhole: boolean])[] = [
      [first, ["accepted", "open"], false],
      [first, ["accepted", "accepted"], true],
      [second, ["accepted"], false],
    ];
    for (const [answer, decisions, isWhole] of steps) {
      decide(answer, ...decisions);
      thread.refresh();
      assert.deepEqual(threads[0].range, isWhole ? whole : new Range(1, 1, 1, 1));
    }
    thread.expand();
    assert.deepEqual(threads[0].range, whole);
  });

  it("has one input at a time, and stays one line while a follow-up to its applied change is typed", async () => {
    const answer = finishedAnswer();
    const { thread, threads } = await shown(answer);
    const canReply = (): readonly unknown[] => threads.map((one) => one.canReply);
    assert.deepEqual(canReply(), [true]);
    thread.invite();
    assert.deepEqual(canReply(), [false, false]);
    thread.closeInput();
    assert.equal(canReply()[0], true);
    decide(answer, "open");
    thread.refresh();
    thread.invite();
    assert.deepEqual([threads[0]?.comments.length, threads.at(-1)?.comments.length], [1, 1]);
  });

  it("keeps its reply box while something is typed in one", async () => {
    const answer = finishedAnswer();
    const { thread, threads } = await shown(answer);
    // As VS Code names the document of a reply box.
    const box = await workspace.openTextDocument(Uri.parse(`comment://${inlineControllerId}/box/commentinput-1.md`));
    decide(answer, "open");
    for (const text of ["And then?", ""]) {
      const edit = new WorkspaceEdit();
      edit.replace(box.uri, new Range(0, 0, 1, 0), text);
      await workspace.applyEdit(edit);
      thread.refresh();
      assert.equal(threads[0]?.canReply, text !== "");
    }
  });
});

/** A comment controller that remembers its threads. */
function recording(): { readonly controller: CommentController; readonly threads: CommentThread[] } {
  const controller = comments.createCommentController("thread-view", "");
  const threads: CommentThread[] = [];
  const create = controller.createCommentThread.bind(controller);
  const recorder: CommentController = {
    ...controller,
    createCommentThread(...parameters) {
      const thread = create(...parameters);
      threads.push(thread);
      return thread;
    },
  };
  return { controller: recorder, threads };
}

function decide(answer: Answer, ...decisions: readonly HunkState[]): void {
  const hunk = { key: 0, before: [], after: [], lines: { start: 0, end: 0 } };
  answer.hunks = decisions.map((state) => ({ ...hunk, state }));
}

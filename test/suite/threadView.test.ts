import assert from "node:assert/strict";
import { type CommentController, comments, type CommentThread, Range } from "vscode";
import type { Answer } from "../../src/inline/answer/answer.ts";
import type { CodeTarget } from "../../src/inline/ask/document.ts";
import type { Decision } from "../../src/inline/hunks/hunkTracker.ts";
import { ThreadView } from "../../src/inline/thread/threadView.ts";
import { open } from "./editing.ts";
import { finished } from "./withInlineChat.ts";

describe("the thread of an inline chat", () => {
  /** A view of the thread with a finished answer, of the first two lines of a new document. */
  async function viewed(): Promise<{
    view: ThreadView;
    threads: CommentThread[];
    conversation: { lastAnswer: Answer };
  }> {
    const { document } = await open("a\nb\nc\n");
    const lines = { start: 0, end: 2 };
    const target: CodeTarget = { document, lines, scope: "selection", selected: undefined, canEdit: true };
    const { controller, threads } = recording();
    const conversation = { target, lastAnswer: finished(), modelName: "", refreshed: () => undefined };
    const view = new ThreadView(controller, conversation);
    dispose = () => {
      view.dispose();
      controller.dispose();
    };
    view.add(conversation.lastAnswer);
    view.refresh();
    return { view, threads, conversation };
  }
  let dispose = (): void => undefined;

  afterEach(() => {
    dispose();
  });

  it("has an empty range while hunks of any of its answers are open, so that they can be seen", async () => {
    const { view, threads, conversation } = await viewed();
    const first = conversation.lastAnswer;
    const [thread] = threads;
    assert.deepEqual(thread?.range, new Range(0, 0, 1, 1));
    decide(first, "accepted", "open");
    const second = finished();
    view.add(second);
    conversation.lastAnswer = second;
    view.refresh();
    assert.equal(thread.range.isEmpty, true);
    decide(first, "accepted", "accepted");
    view.refresh();
    assert.deepEqual(thread.range, new Range(0, 0, 1, 1));
    decide(second, "accepted");
    view.refresh();
    assert.equal(thread.range.isEmpty, true);
    view.expand();
    assert.deepEqual(thread.range, new Range(0, 0, 1, 1));
  });

  it("has one input at a time", async () => {
    const { view, threads } = await viewed();
    const canReply = (): readonly unknown[] => threads.map((thread) => thread.canReply);
    assert.deepEqual(canReply(), [true]);
    view.invite();
    assert.deepEqual(canReply(), [false, false]);
    view.uninvite();
    view.refresh();
    assert.equal(canReply()[0], true);
  });

  it("offers to copy an answer only if there is one", () => {
    const answer = finished();
    assert.doesNotMatch(answer.contextValue, /\btext\b/);
    answer.append("a");
    answer.phase = "stopped";
    assert.match(answer.contextValue, /\btext\b/);
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

function decide(answer: Answer, ...decisions: readonly Decision[]): void {
  const hunk = { id: "", before: [], after: [], wasUnique: true, lines: { start: 0, end: 0 } };
  answer.hunks = decisions.map((decision) => ({ ...hunk, decision }));
}

import assert from "node:assert/strict";
import { type CommentController, comments, type CommentThread, Range } from "vscode";
import { Answer } from "../../src/inline/answer/answer.ts";
import { readAnswer } from "../../src/inline/answer/proposal.ts";
import type { CodeTarget } from "../../src/inline/ask/document.ts";
import type { Decision } from "../../src/inline/hunks/hunkTracker.ts";
import { ThreadView } from "../../src/inline/thread/threadView.ts";
import { open } from "./editing.ts";

describe("the thread of an inline chat", () => {
  it("has an empty range while hunks of any of its answers are open, so that they can be seen", async () => {
    const { document } = await open("a\nb\nc\n");
    const target: CodeTarget = {
      document,
      lines: { start: 0, end: 2 },
      scope: "selection",
      selected: undefined,
      canEdit: true,
    };
    using controller = recording();
    const first = finished();
    const conversation = { target, lastAnswer: first, modelName: "", refreshed: () => undefined };
    const view = new ThreadView(controller.controller, conversation);
    try {
      view.add(first);
      view.refresh();
      const [thread] = controller.threads;
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
    } finally {
      view.dispose();
    }
  });

  it("has one input at a time", async () => {
    const { document } = await open("a\n");
    const lines = { start: 0, end: 1 };
    const target: CodeTarget = { document, lines, scope: "selection", selected: undefined, canEdit: true };
    using controller = recording();
    const lastAnswer = finished();
    const view = new ThreadView(controller.controller, {
      target,
      lastAnswer,
      modelName: "",
      refreshed: () => undefined,
    });
    const canReply = (): readonly unknown[] => controller.threads.map((thread) => thread.canReply);
    try {
      view.add(lastAnswer);
      view.refresh();
      assert.deepEqual(canReply(), [true]);
      view.invite();
      assert.deepEqual(canReply(), [false, false]);
      view.uninvite();
      view.refresh();
      assert.equal(canReply()[0], true);
    } finally {
      view.dispose();
    }
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
function recording(): Disposable & { readonly controller: CommentController; readonly threads: CommentThread[] } {
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
  return { controller: recorder, threads, [Symbol.dispose]: controller.dispose.bind(controller) };
}

function decide(answer: Answer, ...decisions: readonly Decision[]): void {
  const hunk = { id: "", before: [], after: [], wasUnique: true, lines: { start: 0, end: 0 } };
  answer.hunks = decisions.map((decision) => ({ ...hunk, decision }));
}

function finished(): Answer {
  const answer = new Answer({ shown: "", prompt: "" });
  answer.finish({ reading: readAnswer("", ""), edit: { type: "none" }, shown: undefined }, undefined);
  return answer;
}

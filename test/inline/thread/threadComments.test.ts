import assert from "node:assert/strict";
import type { Answer } from "../../../src/inline/answer/answer.ts";
import { readAnswer } from "../../../src/inline/answer/proposal.ts";
import { InputComment, questionComment, StatusLine } from "../../../src/inline/thread/threadComments.ts";
import { mainKey } from "../../../src/ui/commandLink.ts";
import { finishedAnswer } from "../../support/finishedAnswer.ts";

const target = { canEdit: true, scope: "selection", selected: undefined, lines: { start: 10, end: 12 } } as const;

/** The status line of an answer: its state, and the titles of its links. */
function statusOf(answer: Answer): string {
  const { author, body } = new StatusLine(answer, target);
  return [author.name, ...[...body.value.matchAll(/\[([^\]]*)\]/g)].map(([, title]) => title)].join(" | ");
}

describe("the status line of an answer", () => {
  it("tells why only the selected lines were sent", () => {
    const answer = finishedAnswer();
    answer.text = "It is so.";
    assert.equal(statusOf(answer), "Done | Copy | Ask Again");
    answer.denial = "ignored";
    assert.match(statusOf(answer), /^Done · The file is ignored\. Only the selected lines were sent\. \| /);
  });

  it("tells that the answer changes other files, too, and whether the change of its own can be applied", () => {
    const answer = finishedAnswer();
    const { proposal } = answer;
    assert.ok(proposal);
    const misfits = [{ kind: "otherFile", path: "b.ts" }] as const;
    for (const [hunks, expected] of [
      [[{ start: 0, end: 1, before: ["a"], lines: ["b"] }], /^Done\. To change the other files, too, use @codex/],
      [[], /^Done, but the change cannot be applied\. The answer changes another file\./],
    ] as const) {
      answer.stage = { phase: "done", proposal: { ...proposal, hunks, misfits } };
      assert.match(statusOf(answer), expected);
    }
  });

  it("counts new problems of its applied change, with Fix as the last action", () => {
    const answer = finishedAnswer();
    const error = { line: 1, severity: "error", message: "new", source: "", code: "" };
    answer.hunks = [{ key: 0, before: ["b"], after: ["B"], lines: { start: 1, end: 2 }, state: "open" }];
    const links = `Keep (${mainKey}K Y) | Undo (${mainKey}K N) | Show Diff`;
    for (const [count, expected] of [
      [0, `+1 −1 · Applied | ${links}`],
      [1, `+1 −1 · Applied · 1 new problem | ${links} | Fix`],
      [2, `+1 −1 · Applied · 2 new problems | ${links} | Fix`],
    ] as const) {
      answer.newDiagnostics = Array.from({ length: count }, () => error);
      assert.equal(statusOf(answer), expected);
    }
  });
});

describe("an answer in its thread", () => {
  it("can be copied only if there is one", () => {
    const answer = finishedAnswer();
    assert.doesNotMatch(answer.contextValue, /\btext\b/);
    answer.append("a");
    answer.stage = { phase: "stopped" };
    assert.match(answer.contextValue, /\btext\b/);
  });

  it("has no code to insert while that is inserted and undecided", () => {
    const answer = finishedAnswer();
    const reading = readAnswer("```ts\na\n```", "b.ts");
    answer.stage = { phase: "done", proposal: { reading, hunks: [], misfits: [], shown: undefined } };
    const hunk = { key: 0, before: [], after: ["a"], lines: { start: 0, end: 1 } };
    for (const [state, isOffered] of [
      ["undone", true],
      ["open", false],
      ["accepted", true],
    ] as const) {
      answer.hunks = [{ ...hunk, state }];
      assert.equal(/\bcode\b/.test(answer.contextValue), isOffered, state);
    }
  });

  it("and its other comments have no property that VS Code keeps for an API proposal", () => {
    const answer = finishedAnswer();
    for (const comment of [answer, new StatusLine(answer, target), new InputComment(""), questionComment("")]) {
      assert.ok(!("state" in comment), "VS Code rejects it: CANNOT use API proposal: commentsDraftState");
    }
  });
});

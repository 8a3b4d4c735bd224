import assert from "node:assert/strict";
import { commands, comments, window, workspace } from "vscode";
import { Answer } from "../../src/inline/answer.ts";
import { AnswerActions } from "../../src/inline/answerActions.ts";
import { AppliedEdits } from "../../src/inline/hunks/appliedEdits.ts";
import { InlineThread } from "../../src/inline/inlineThread.ts";
import { ProblemWatch } from "../../src/inline/problemWatch.ts";
import { TypingPauses } from "../../src/inline/typingPauses.ts";
import { diffScheme } from "../../src/manifest.ts";
import { until } from "./editing.ts";
import { inlineServices } from "./inlineServices.ts";

describe("Show Diff", () => {
  it("shows all documents that an answer has changed", async () => {
    const [one, two] = await Promise.all(
      ["a\nb\n", "c\nd\n"].map(async (content) => workspace.openTextDocument({ content })),
    );
    assert.ok(one && two);
    const edits = new AppliedEdits();
    const problems = new ProblemWatch(edits);
    const actions = new AnswerActions(edits, problems);
    const controller = comments.createCommentController("show-diff-test", "Test");
    const lines = { start: 0, end: 1 };
    const target = { document: one, lines, scope: "selection", selected: undefined, canEdit: true } as const;
    const ask = (): never => {
      throw new Error("Nothing is asked.");
    };
    const services = { ...inlineServices(ask), typing: new TypingPauses() };
    const thread = new InlineThread(controller, services, target, {
      reopen: () => Promise.resolve(),
      answered: () => Promise.resolve(),
    });
    try {
      const answer = new Answer({ shown: "Change them", prompt: "Change them" });
      for (const document of [one, two]) {
        await edits.apply(answer, document, [{ start: 0, end: 1, lines: ["changed"] }]);
      }
      await actions.showDiff({ thread, answer });
      await until(() => window.tabGroups.activeTabGroup.activeTab?.label.includes("change by Codex") === true);
      const before = (): readonly string[] =>
        workspace.textDocuments.filter(({ uri }) => uri.scheme === diffScheme).map((document) => document.getText());
      await until(() => before().includes("a\nb\n") && before().includes("c\nd\n"));
      await commands.executeCommand("workbench.action.closeActiveEditor");
    } finally {
      for (const disposable of [thread, controller, actions, problems, edits]) disposable.dispose();
      for (const document of [one, two]) {
        await window.showTextDocument(document);
        await commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
      }
    }
  });
});

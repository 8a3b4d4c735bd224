import { commands, comments, window, workspace } from "vscode";
import { Answer } from "../../src/inline/answer/answer.ts";
import { AnswerActions } from "../../src/inline/actions/answerActions.ts";
import { AppliedEdits } from "../../src/inline/hunks/appliedEdits.ts";
import { InlineThread } from "../../src/inline/thread/inlineThread.ts";
import { DiagnosticWatch } from "../../src/inline/actions/diagnosticWatch.ts";
import { TypingPauses } from "../../src/inline/answer/refreshThrottle.ts";
import { diffScheme } from "../../src/manifest.ts";
import { until } from "./editing.ts";
import { inlineServices } from "./inlineServices.ts";

describe("Show Diff", () => {
  it("shows what was there before an answer changed it", async () => {
    const document = await workspace.openTextDocument({ content: "a\nb\n" });
    const edits = new AppliedEdits();
    const problems = new DiagnosticWatch(edits);
    const actions = new AnswerActions(edits, problems);
    const controller = comments.createCommentController("show-diff-test", "Test");
    const lines = { start: 0, end: 1 };
    const target = { document, lines, scope: "selection", selected: undefined, canEdit: true } as const;
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
      await edits.apply(answer, document, [{ start: 0, end: 1, lines: ["changed"] }]);
      await actions.showDiff({ thread, answer });
      await until(() => window.tabGroups.activeTabGroup.activeTab?.label.includes("change by Codex") === true);
      const before = (): readonly string[] =>
        workspace.textDocuments.filter(({ uri }) => uri.scheme === diffScheme).map((shown) => shown.getText());
      await until(() => before().includes("a\nb\n"));
      await commands.executeCommand("workbench.action.closeActiveEditor");
    } finally {
      for (const disposable of [thread, controller, actions, problems, edits]) disposable.dispose();
      await window.showTextDocument(document);
      await commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
    }
  });
});

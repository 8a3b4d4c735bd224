import { CodeLens, type CodeLensProvider, type Event, type TextDocument } from "vscode";
import { prefix } from "../../manifest.ts";
import { type AnswerAction, actionTitles } from "../answerActionTitles.ts";
import { rangeOf } from "../documentCode.ts";
import type { AppliedEdits } from "./appliedEdits.ts";

/** Shows Keep, Undo, Next and Show Diff above each hunk until the user decides. */
export class HunkLenses implements CodeLensProvider {
  readonly onDidChangeCodeLenses: Event<void>;
  readonly #edits: AppliedEdits;

  constructor(edits: AppliedEdits) {
    this.#edits = edits;
    this.onDidChangeCodeLenses = edits.onDidChange;
  }

  provideCodeLenses(document: TextDocument): CodeLens[] {
    const open = this.#edits.openIn(document);
    return open.flatMap(({ hunk, answer }, index) => {
      const { start } = hunk.lines;
      const range = rangeOf(document, { start, end: start + 1 });
      const lens = (name: AnswerAction, id: string): CodeLens =>
        new CodeLens(range, { command: `${prefix}.${name}`, title: actionTitles[name](), arguments: [id] });
      const isFirst = open.findIndex((other) => other.answer === answer) === index;
      return [
        lens("inlineChat.keep", hunk.id),
        lens("inlineChat.undo", hunk.id),
        ...(open.length > 1 ? [lens("inlineChat.nextChange", hunk.id)] : []),
        ...(isFirst ? [lens("inlineChat.showDiff", answer.id)] : []),
      ];
    });
  }
}

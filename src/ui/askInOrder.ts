import { type InputBoxValidationMessage, InputBoxValidationSeverity, QuickInputButtons, window } from "vscode";

/** A question with a one-line text as its answer, which becomes part of a draft. */
export interface Question<Draft> {
  readonly title: string;
  readonly prompt: string;
  readonly placeholder: string;
  readonly password?: boolean;
  /** The text that the draft has for it. */
  readonly textIn: (draft: Draft) => string;
  /** The draft with another text. */
  readonly withText: (draft: Draft, text: string) => Draft;
  /** Validates the text as typed. An error prevents accepting it. */
  readonly judge: (text: string, draft: Draft) => InputBoxValidationMessage | undefined;
  /** What to take of a text that the user has accepted, and whether to ask the same again. */
  readonly accept?: (text: string) => Promise<{ readonly text: string; readonly isRefused: boolean }>;
}

/** Asks questions, forwards and backwards, and returns the final draft; `undefined` if the user cancels. */
export async function askInOrder<Draft>(
  start: Draft,
  questions: readonly Question<Draft>[],
): Promise<Draft | undefined> {
  let draft = start;
  for (let index = 0; ;) {
    const question = questions[index];
    if (question === undefined) return draft;
    const answer = await ask(question, draft, { step: index + 1, totalSteps: questions.length });
    if (answer === undefined) return undefined;
    const accepted = answer.goesBack ? undefined : await question.accept?.(answer.text);
    draft = question.withText(draft, (accepted ?? answer).text);
    if (answer.goesBack) index -= 1;
    else if (!accepted?.isRefused) index += 1;
  }
}

/** The text entered, and whether the user pressed Enter or the Back button. */
interface Answer {
  readonly text: string;
  readonly goesBack: boolean;
}

async function ask<Draft>(
  { title, prompt, placeholder, password = false, textIn, judge }: Question<Draft>,
  draft: Draft,
  place: { readonly step: number; readonly totalSteps: number },
): Promise<Answer | undefined> {
  const value = textIn(draft);
  const buttons = place.step > 1 ? [QuickInputButtons.Back] : [];
  const look = { title, prompt, placeholder, password, value, buttons, ignoreFocusOut: true };
  const box = Object.assign(window.createInputBox(), look, place);
  if (value !== "") box.validationMessage = judge(value, draft);
  try {
    return await new Promise((resolve) => {
      box.onDidChangeValue((text) => {
        box.validationMessage = judge(text, draft);
      });
      box.onDidTriggerButton(() => {
        resolve({ text: box.value, goesBack: true });
      });
      box.onDidAccept(() => {
        const verdict = judge(box.value, draft);
        box.validationMessage = verdict;
        if (verdict?.severity !== InputBoxValidationSeverity.Error) resolve({ text: box.value, goesBack: false });
      });
      box.onDidHide(() => {
        resolve(undefined);
      });
      box.show();
    });
  } finally {
    box.dispose();
  }
}

import { type InputBoxValidationMessage, InputBoxValidationSeverity, QuickInputButtons, window } from "vscode";
import type { Place } from "./steps.ts";

/** A question with a one-line text answer. */
export interface TextQuestion {
  readonly title: string;
  readonly prompt: string;
  readonly placeholder: string;
  /** The initial value. */
  readonly value: string;
  readonly isPassword?: boolean;
  readonly place: Place;
  /** Validates the text as typed. An error prevents accepting it. */
  readonly judge: (text: string) => InputBoxValidationMessage | undefined;
}

/** The text entered, and whether the user pressed Enter or the Back button. */
export interface TextAnswer {
  readonly text: string;
  readonly goesBack: boolean;
}

/** Asks one question of a series, with a Back button from the second on; `undefined` if the user cancels. */
export async function askText(question: TextQuestion): Promise<TextAnswer | undefined> {
  const { title, prompt, placeholder, value, isPassword = false, place, judge } = question;
  const box = window.createInputBox();
  box.title = title;
  box.prompt = prompt;
  box.placeholder = placeholder;
  box.value = value;
  box.password = isPassword;
  box.ignoreFocusOut = true;
  box.step = place.number;
  box.totalSteps = place.count;
  box.buttons = place.number > 1 ? [QuickInputButtons.Back] : [];
  if (value !== "") box.validationMessage = judge(value);
  try {
    return await new Promise((resolve) => {
      box.onDidChangeValue((text) => {
        box.validationMessage = judge(text);
      });
      box.onDidTriggerButton(() => {
        resolve({ text: box.value, goesBack: true });
      });
      box.onDidAccept(() => {
        const verdict = judge(box.value);
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

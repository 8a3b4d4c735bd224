import { type InputBox, type InputBoxValidationMessage, type QuickInputButton, window } from "vscode";

/** What is wrong with a text, which then cannot be accepted, or another message about it. */
export type Validation = string | InputBoxValidationMessage | undefined;

/** A question with a one-line text as its answer. `value` is selected at first. */
export interface TextQuestion extends Partial<
  Pick<InputBox, "title" | "prompt" | "placeholder" | "password" | "value" | "step" | "totalSteps">
> {
  /** A button in the title bar, which also answers the question. */
  readonly button?: QuickInputButton | undefined;
  readonly validate: (text: string) => Validation;
}

/** The text entered, and whether the button was pressed instead of Enter. */
export interface TextAnswer {
  readonly text: string;
  readonly isButton: boolean;
}

/** Asks a question in an input box, which stays when VS Code loses the focus. `undefined` if the user cancels. */
export async function askText({ button, validate, ...question }: TextQuestion): Promise<TextAnswer | undefined> {
  const buttons = button ? [button] : [];
  const box = Object.assign(window.createInputBox(), question, { buttons, ignoreFocusOut: true });
  const check = (): Validation => (box.validationMessage = validate(box.value));
  if (box.value !== "") check();
  try {
    return await new Promise((resolve) => {
      box.onDidChangeValue(check);
      box.onDidAccept(() => {
        if (typeof check() !== "string") resolve({ text: box.value, isButton: false });
      });
      box.onDidTriggerButton(() => {
        resolve({ text: box.value, isButton: true });
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

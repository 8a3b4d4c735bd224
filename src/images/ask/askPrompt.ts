import { type InputBox, l10n, ThemeIcon, window, workspace } from "vscode";
import { promptLanguage } from "../../manifest.ts";
import type { Images } from "../images.ts";

type Needs = Pick<Images, "lastPrompt" | "promptDocuments">;

/**
 * Asks for a prompt, offering the last one. `undefined` if the user cancels or continues in an editor, which allows
 * several lines and can start the command itself.
 */
export async function askPrompt({ lastPrompt, promptDocuments }: Needs): Promise<string | undefined> {
  const last = lastPrompt.get();
  const input = createInput(last);
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  input.onDidAccept(() => {
    if (input.value.trim() === "") input.validationMessage = l10n.t("Describe the image in a few words.");
    else resolve(input.value.trim());
  });
  input.onDidChangeValue(() => (input.validationMessage = undefined));
  input.onDidHide(() => {
    resolve(undefined);
  });
  input.onDidTriggerButton(() => {
    void writePrompt(promptDocuments, input.value === oneLine(last) ? last : input.value);
    input.hide();
  });
  input.show();
  try {
    return await promise;
  } finally {
    input.dispose();
  }
}

function createInput(last: string): InputBox {
  const input = window.createInputBox();
  input.title = l10n.t("Generate an image");
  input.prompt = l10n.t("Describe the image.");
  input.value = oneLine(last);
  input.valueSelection = [0, input.value.length];
  input.ignoreFocusOut = true;
  input.buttons = [{ iconPath: new ThemeIcon("edit"), tooltip: l10n.t("Write the Prompt in an Editor") }];
  return input;
}

/** Opens a prompt editor, with Generate Image in its title bar. */
async function writePrompt(documents: Needs["promptDocuments"], content: string): Promise<void> {
  const document = await workspace.openTextDocument({ language: promptLanguage, content });
  documents.add(document);
  await window.showTextDocument(document);
}

/** Input boxes join lines without a space. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

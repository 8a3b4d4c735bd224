import { type InputBox, l10n, ThemeIcon, window, workspace } from "vscode";
import { promptLanguage } from "../../manifest.ts";
import type { Images } from "../images.ts";

type Needs = Pick<Images, "lastPrompt" | "promptDocuments">;

/**
 * Asks what the image shows; what was last asked is offered. `undefined` when the user cancels, or goes on in an editor,
 * where a prompt may have many lines and the command starts from.
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

/** Opens an editor for a prompt of many lines; Generate Image stands in its title. */
async function writePrompt(documents: Needs["promptDocuments"], content: string): Promise<void> {
  const document = await workspace.openTextDocument({ language: promptLanguage, content });
  documents.add(document);
  await window.showTextDocument(document);
}

/** An input box would join the lines without a space. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

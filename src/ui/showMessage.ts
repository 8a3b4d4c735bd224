import { l10n, type MessageItem, window } from "vscode";

/** Maximum length of a text that VS Code shows in full without buttons: one line of Latin script (1.139.1). */
const maxLine = 60;

/** Shows a message and returns the pressed button. A text of more than one line gets a button if it has none. */
export async function showMessage<Button extends MessageItem>(
  severity: "Information" | "Warning" | "Error",
  text: string,
  ...buttons: readonly Button[]
): Promise<Button | undefined> {
  const wide = text.match(/[\u2e80-\uffef]/g)?.length ?? 0;
  const shown = buttons.length === 0 && text.length + wide > maxLine ? [{ title: l10n.t("OK") }] : buttons;
  const chosen = await window[`show${severity}Message`]<MessageItem>(text, ...shown);
  return buttons.find((button) => button === chosen);
}

import { l10n, type MessageItem, window } from "vscode";

/** Longest text that VS Code shows in full without buttons: one line, in characters of Latin script (1.139.1). */
const oneLine = 60;

/** Shows a message and returns the button that was pressed. A text that takes more than a line gets a button if it has none. */
export async function showMessage<Button extends MessageItem>(
  severity: "Information" | "Warning" | "Error",
  text: string,
  ...buttons: readonly Button[]
): Promise<Button | undefined> {
  const wide = text.match(/[\u2e80-\uffef]/g)?.length ?? 0;
  const shown = buttons.length === 0 && text.length + wide > oneLine ? [{ title: l10n.t("OK") }] : buttons;
  const chosen = await window[`show${severity}Message`]<MessageItem>(text, ...shown);
  return buttons.find((button) => button === chosen);
}

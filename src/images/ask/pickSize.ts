import { l10n, type QuickPickItem, window } from "vscode";

/** The recommended and most reliable size; others depend on the upstream service (gateway's interface). */
export const squareSize = "1024x1024";

/** A size option; without `size` the gateway chooses. */
interface SizeItem extends QuickPickItem {
  readonly size?: string;
}

/** Asks for the size of an image; `undefined` when the user cancels. */
export async function pickSize(): Promise<Pick<SizeItem, "size"> | undefined> {
  const onUpstream = l10n.t("if the upstream supports it");
  const items: readonly SizeItem[] = [
    item(squareSize, l10n.t("Square"), l10n.t("recommended, most reliable")),
    item("1536x1024", l10n.t("Landscape"), onUpstream),
    item("1024x1536", l10n.t("Portrait"), onUpstream),
    { label: l10n.t("Let the Gateway Choose"), description: l10n.t("sends no size") },
  ];
  return await window.showQuickPick(items, {
    title: l10n.t("Select the image size"),
    placeHolder: l10n.t("To skip this step, set “codexGateway.image.size”."),
    ignoreFocusOut: true,
  });
}

/** The size of an order for which nobody is asked; `undefined` lets the gateway choose. */
export function sizeWithoutAsking(setting: string): string | undefined {
  if (setting === "ask") return squareSize;
  return setting === "auto" ? undefined : setting;
}

function item(size: string, shape: string, standing: string): SizeItem {
  return { label: size, description: l10n.t("{0}, {1}", shape, standing), size };
}

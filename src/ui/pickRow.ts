import { type QuickPickItem, QuickPickItemKind, window } from "vscode";

/** A row of a list. A row without `run` is informational. */
export interface Row {
  readonly label: string;
  readonly description?: string;
  readonly detail?: string;
  readonly run?: (() => Thenable<unknown>) | undefined;
}

/** A quick pick list with named sections. */
export interface RowList {
  readonly title: string;
  readonly placeholder: string;
  readonly sections: readonly { readonly name: string; readonly rows: readonly Row[] }[];
  /** The initially active row; the first by default. */
  readonly active?: Row | undefined;
}

/** Shows the list until the user picks a row with `run`, and runs it. Returns whether the user has picked one. */
export async function pickRow({ title, placeholder, sections, active }: RowList): Promise<boolean> {
  const rows: readonly (Row & QuickPickItem)[] = sections.flatMap((section) => [
    { label: section.name, kind: QuickPickItemKind.Separator },
    ...section.rows,
  ]);
  const list = window.createQuickPick<Row & QuickPickItem>();
  list.title = title;
  list.placeholder = placeholder;
  list.matchOnDescription = true;
  list.matchOnDetail = true;
  list.ignoreFocusOut = true;
  list.items = rows;
  list.activeItems = rows.filter((row) => row === active);
  const picked = await new Promise<Row | undefined>((resolve) => {
    list.onDidAccept(() => {
      const [row] = list.selectedItems;
      if (row?.run) resolve(row);
    });
    list.onDidHide(() => {
      resolve(undefined);
    });
    list.show();
  }).finally(() => {
    list.dispose();
  });
  await picked?.run?.();
  return picked !== undefined;
}

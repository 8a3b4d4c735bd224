import { type QuickPickItem, QuickPickItemKind, window } from "vscode";

/** A row to pick. One without `run` is there to be read. */
export interface Row {
  readonly label: string;
  readonly description?: string;
  readonly detail?: string;
  readonly run?: (() => Thenable<unknown>) | undefined;
}

/** A list to pick from, in sections with names. */
export interface RowList {
  readonly title: string;
  readonly placeholder: string;
  readonly sections: readonly { readonly name: string; readonly rows: readonly Row[] }[];
  /** The row that Enter picks at once; the first by default. */
  readonly active?: Row | undefined;
}

/** Shows the list until a row that does something is picked, and does it. */
export async function pickRow({ title, placeholder, sections, active }: RowList): Promise<void> {
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
}

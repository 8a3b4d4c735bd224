import { basename } from "node:path/posix";
import { l10n } from "vscode";
import { runOwn } from "../../failures/actions.ts";
import { pickRow, type Row } from "../../ui/pickRow.ts";
import { errorCount } from "./editErrors.ts";
import { type FileState, isUnwritten } from "./editRecords.ts";
import { kindTexts, refusalTexts, shownPath } from "./editTexts.ts";

/** The icon and the word for what became of a file. */
const states: Record<FileState["state"], readonly [icon: string, text: () => string]> = {
  proposed: ["circle-large", () => l10n.t("not applied")],
  skipped: ["circle-slash", () => l10n.t("skipped")],
  applied: ["check", () => l10n.t("applied")],
  accepted: ["check-all", () => l10n.t("kept")],
  undone: ["discard", () => l10n.t("undone")],
  notUndone: ["warning", () => l10n.t("not undone")],
};

/**
 * Lists the files of an edit with what became of each, and what can be done with each and with all by now. `errors`: how many
 * it has brought. After a reload it is the way to apply an edit: VS Code disables the buttons of restored answers, but not
 * their links (seen in 1.139.1).
 */
export async function showEdit(id: string, files: readonly FileState[], errors: number): Promise<void> {
  const has = (...wanted: readonly FileState["state"][]): boolean => files.some(({ state }) => wanted.includes(state));
  const forAll: readonly (Row | false)[] = [
    has("proposed", "undone") && rowOf("check", l10n.t("Apply"), "applyEdit", id),
    has("applied") && rowOf("check-all", l10n.t("Keep"), "keepEdit", id),
    has("applied", "accepted", "notUndone") && rowOf("discard", l10n.t("Undo"), "undoEdit", id),
    errors > 0 && { ...rowOf("wrench", l10n.t("Fix"), "fixEdit", id), description: errorCount(errors) },
    rowOf("diff-multiple", l10n.t("Review"), "reviewEdit", id),
  ];
  await pickRow({
    title: l10n.t("Edit by Codex"),
    placeholder: l10n.t("Select an action, or a file"),
    sections: [
      { name: l10n.t("edit"), rows: forAll.filter((row) => row !== false) },
      { name: l10n.t("files"), rows: files.map((file, index) => fileRow(id, index, file)) },
    ],
  });
}

function fileRow(
  id: string,
  index: number,
  { file: { kind, uri, newUri, added, removed }, state, isChanged, waits }: FileState,
): Row {
  const path = [uri, newUri ?? []].flat().map(shownPath).join(" → ");
  const name = basename(path);
  const [icon, text] = states[state];
  const facts = [
    text(),
    isChanged && l10n.t("changed since"),
    kindTexts[kind](),
    `+${added} −${removed}`,
    path !== name && path,
  ];
  const target = `${id}/${index}`;
  const change =
    state === "skipped"
      ? rowOf("add", l10n.t("Include"), "skipFile", `${target}/include`)
      : rowOf("circle-slash", l10n.t("Skip"), "skipFile", target);
  const changeAndShow: Row = { ...change, run: () => change.run().then(() => runOwn("showEdit", id)) };
  const open = rowOf("diff", l10n.t("Open Diff"), "reviewEdit", target);
  return {
    label: `$(${icon}) ${name}`,
    description: facts.filter((fact) => fact !== false && fact !== "").join(" · "),
    ...(waits && state !== "skipped" && { detail: refusalTexts[waits]() }),
    run: () => {
      if (!isUnwritten(state)) return open.run();
      const sections = [{ name: text(), rows: [open, changeAndShow] }];
      return pickRow({ title: path, placeholder: l10n.t("Select an action"), sections });
    },
  };
}

function rowOf(
  icon: string,
  title: string,
  ...call: Parameters<typeof runOwn>
): Row & { readonly run: () => Thenable<unknown> } {
  return { label: `$(${icon}) ${title}`, run: () => runOwn(...call) };
}

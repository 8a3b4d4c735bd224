import { basename } from "node:path/posix";
import { type Command, commands, l10n, MarkdownString, type TextDocumentContentProvider, Uri } from "vscode";
import { runOwn } from "../../failures/actions.ts";
import { type CommandName, editScheme, prefix } from "../../manifest.ts";
import { escapeMarkdown } from "../../text/safeText.ts";
import { commandLink } from "../../ui/commandLink.ts";
import { pickRow, type Row } from "../../ui/pickRow.ts";
import { errorCount } from "./editErrors.ts";
import type { EditStore } from "../../apply/editStore.ts";
import { type FileState, isUnwritten } from "../../apply/fileStates.ts";
import { changeFacts, refusalText, shownPaths } from "./editTexts.ts";
import { refusalTexts } from "../../apply/refusalTexts.ts";
import { type DiskChange, newUriOf, textOf } from "../../apply/diskChange.ts";
import type { Refusal } from "./resolveAnswer.ts";

/** Maximum number of files, or of reasons, in a list; the rest are counted. */
const maxFiles = 100;

/**
 * The files of an edit as a list: a link to the diff of each, what happens to it, and Skip; below it, Review, and Show
 * State for the current state, because VS Code never changes an answer that has ended. These are links, because VS Code
 * shows every button of an answer as the primary one (1.139). Links run only commands of this extension, with the id of the
 * edit and a position, never with a path.
 */
export function editList(id: string, files: readonly DiskChange[]): MarkdownString {
  const rows = files.slice(0, maxFiles).map((file, index) => {
    const open = linkTo("reviewEdit", `${id}/${index}`, shownPaths(file));
    const skip = linkTo("skipFile", `${id}/${index}`, l10n.t("Skip"));
    return `- ${[open, ...changeFacts(file), skip].join(" · ")}`;
  });
  const more = files.length - maxFiles;
  if (more > 0) rows.push(`- ${l10n.t("and {0} more", more)}`);
  const links = [linkTo("reviewEdit", id, l10n.t("Review")), linkTo("showEdit", id, l10n.t("Show State"))];
  const markdown = new MarkdownString(`\n\n${rows.join("\n")}\n\n${links.join(" · ")}\n\n`, true);
  markdown.isTrusted = { enabledCommands: ["reviewEdit", "skipFile", "showEdit"].map((name) => `${prefix}.${name}`) };
  return markdown;
}

function linkTo(command: CommandName, argument: string, title: string): string {
  return commandLink({ title: escapeMarkdown(title), command: `${prefix}.${command}`, arguments: [argument] });
}

/** The button below the list. */
export function applyButton(id: string): Command {
  return { command: `${prefix}.applyEdit`, title: l10n.t("Apply"), arguments: [id] };
}

/** The button that opens VS Code's page about trust. */
export function manageTrust(): Command {
  return { command: "workbench.trust.manage", title: l10n.t("Manage Workspace Trust") };
}

/** All reasons why nothing is offered. */
export function refusalList(refusals: readonly Refusal[]): MarkdownString {
  const rows = [...new Set(refusals.map(refusalText))].map((text) => `- ${escapeMarkdown(text)}`);
  const more = rows.length - maxFiles;
  if (more > 0) rows.splice(maxFiles, more, `- ${l10n.t("and {0} more", more)}`);
  const title = escapeMarkdown(l10n.t("The changes cannot be applied, so none are offered:"));
  return new MarkdownString(`\n\n$(warning) _${title}_\n\n${rows.join("\n")}\n\n`, true);
}

/** Provides the documents that exist only for the diffs of edits: the files before, and as they would be written. */
export function editDocuments(edits: Pick<EditStore, "fileStates">): TextDocumentContentProvider {
  return {
    provideTextDocumentContent: async ({ query }) => {
      const [id = "", index = "", side = ""] = query.split("/");
      const { file } = (await edits.fileStates(id))[Number(index)] ?? {};
      return textOf(side === "before" ? file?.before : file?.after);
    },
  };
}

/** Opens the files of an edit in VS Code's multi-file diff editor, but not those that are skipped, unless all are. */
export async function reviewAll(id: string, files: readonly FileState[]): Promise<void> {
  const isSkipped = files.map(({ state }) => state === "skipped");
  const resources = files.flatMap(({ file }, index) => {
    if (isSkipped[index] && isSkipped.includes(false)) return [];
    const { before, after } = documentsOf(id, file, index);
    const [left, right] = [file.before && before, file.after && after];
    return [[right ?? left, left, right]];
  });
  // Undocumented forms of the arguments: `vscode.changes` in extHostApiCommands.ts, VS Code 1.139.1.
  await commands.executeCommand("vscode.changes", l10n.t("Changes by Codex"), resources);
}

/** Opens one file of an edit in a diff editor. */
export async function reviewOne(id: string, file: DiskChange, index: number): Promise<void> {
  const { before, after } = documentsOf(id, file, index);
  const name = basename(after.path);
  await commands.executeCommand("vscode.diff", before, after, l10n.t("{0} (change by Codex)", name));
}

/** The documents of a file before and after. Their paths decide their languages. Each review opens new ones. */
function documentsOf(id: string, file: DiskChange, index: number): Record<"before" | "after", Uri> {
  const documentOf = (path: string, side: string): Uri =>
    Uri.from({
      scheme: editScheme,
      path: Uri.parse(path).path,
      query: `${id}/${index}/${side}/${crypto.randomUUID()}`,
    });
  return { before: documentOf(file.uri, "before"), after: documentOf(newUriOf(file), "after") };
}

const states: Record<FileState["state"], readonly [icon: string, text: () => string]> = {
  proposed: ["circle-large", () => l10n.t("not applied")],
  skipped: ["circle-slash", () => l10n.t("skipped")],
  applied: ["check", () => l10n.t("applied")],
  accepted: ["check-all", () => l10n.t("kept")],
  undone: ["discard", () => l10n.t("undone")],
  notUndone: ["warning", () => l10n.t("not undone")],
};

/**
 * Lists the files of an edit with their states, and the actions on each and on all. `errors`: the number of errors that the
 * edit has caused. After a reload, an edit can be applied only here: VS Code disables the buttons of restored answers, but
 * not their links (seen in 1.139.1).
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

/** The row of a file, which opens its diff, or while nothing is written in it, offers to skip or include it, too. */
function fileRow(id: string, index: number, { file, state, isChanged, blockedBy }: FileState): Row {
  const path = shownPaths(file);
  const name = basename(path);
  const [icon, text] = states[state];
  const facts = [text(), isChanged && l10n.t("changed since"), ...changeFacts(file), path !== name && path];
  const target = `${id}/${index}`;
  const skipOrInclude =
    state === "skipped"
      ? rowOf("add", l10n.t("Include"), "skipFile", `${target}/include`)
      : rowOf("circle-slash", l10n.t("Skip"), "skipFile", target);
  const skipOrIncludeAndShow: Row = {
    ...skipOrInclude,
    run: () => skipOrInclude.run().then(() => runOwn("showEdit", id)),
  };
  const open = rowOf("diff", l10n.t("Open Diff"), "reviewEdit", target);
  return {
    label: `$(${icon}) ${name}`,
    description: facts.filter((fact) => fact !== false).join(" · "),
    ...(blockedBy && state !== "skipped" && { detail: refusalTexts[blockedBy]() }),
    run: () => {
      if (!isUnwritten(state)) return open.run();
      const sections = [{ name: text(), rows: [open, skipOrIncludeAndShow] }];
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

import { type Command, commands, l10n, MarkdownString, type TextDocumentContentProvider, Uri } from "vscode";
import { type CommandName, editScheme, prefix } from "../../manifest.ts";
import { escapeMarkdown } from "../../text/safeText.ts";
import type { EditRecords } from "./editRecords.ts";
import { kindTexts, quotePath, refusalTexts, shownPath } from "./editTexts.ts";
import { type ProposedFile, textOf } from "./proposedFiles.ts";
import type { Refusal } from "./resolveAnswer.ts";

/** A command about an edit. */
type EditCommand = Extract<CommandName, "applyEdit" | "reviewEdit" | "skipFile" | "undoEdit" | "keepEdit">;

/** Maximum number of files in the list; the rest are counted. */
const mostFiles = 100;

/**
 * The files of an edit as a list: a link to the diff of each, what happens to it, and Skip. Links run only commands of
 * this extension, with the id of the edit and a position, never with a path.
 */
export function editList(id: string, files: readonly ProposedFile[]): MarkdownString {
  const rows = files.slice(0, mostFiles).map((file, index) => {
    const facts = [kindTexts[file.kind](), `+${file.added} −${file.removed}`].filter((fact) => fact !== "");
    const open = linkTo("reviewEdit", `${id}/${index}`, nameOf(file));
    return `- ${open} · ${facts.join(" · ")} · ${linkTo("skipFile", `${id}/${index}`, l10n.t("Skip"))}`;
  });
  const more = files.length - mostFiles;
  if (more > 0) rows.push(`- ${l10n.t("and {0} more", more)}`);
  const markdown = new MarkdownString(`\n\n${rows.join("\n")}\n\n`, true);
  markdown.isTrusted = { enabledCommands: [`${prefix}.reviewEdit`, `${prefix}.skipFile`] };
  return markdown;
}

/** The buttons below the list. */
export function editButtons(id: string): readonly Command[] {
  const button = (command: EditCommand, title: string): Command => ({
    command: `${prefix}.${command}`,
    title,
    arguments: [id],
  });
  return [
    button("applyEdit", l10n.t("Apply")),
    button("reviewEdit", l10n.t("Review")),
    button("undoEdit", l10n.t("Undo")),
  ];
}

/** The button that leads to VS Code's page about trust. */
export function manageTrust(): Command {
  return { command: "workbench.trust.manage", title: l10n.t("Manage Workspace Trust") };
}

/** Why nothing is offered, by file. */
export function refusalList(refusals: readonly Refusal[]): MarkdownString {
  const rows = refusals.map(({ kind, path }) => {
    const text = escapeMarkdown(refusalTexts[kind]());
    return path === undefined ? `- ${text}` : `- ${escapeMarkdown(quotePath(path))}: ${text}`;
  });
  const title = escapeMarkdown(l10n.t("The changes cannot be applied, so none are offered:"));
  return new MarkdownString(`\n\n$(warning) _${title}_\n\n${[...new Set(rows)].join("\n")}\n\n`, true);
}

/** The name of a file, of a renamed one with both. */
function nameOf({ uri, newUri }: ProposedFile): string {
  return [uri, ...(newUri === undefined ? [] : [newUri])].map(shownPath).join(" → ");
}

function linkTo(command: EditCommand, argument: string, title: string): string {
  const query = encodeURIComponent(JSON.stringify([argument]));
  return `[${escapeMarkdown(title)}](command:${prefix}.${command}?${query})`;
}

/** Shows edits as diffs of documents that exist only for this: the files before and after. */
export class ReviewView implements TextDocumentContentProvider {
  readonly #records: Pick<EditRecords, "filesOf">;

  constructor(records: Pick<EditRecords, "filesOf">) {
    this.#records = records;
  }

  async provideTextDocumentContent({ query }: Uri): Promise<string> {
    const [id = "", index = "", side = ""] = query.split("/");
    const file = (await this.#records.filesOf(id))?.[Number(index)];
    return textOf(side === "before" ? file?.before : file?.after);
  }

  /** Opens all files of an edit in VS Code's multi-file diff editor. */
  async showAll(id: string, files: readonly ProposedFile[]): Promise<void> {
    const resources = files.map((file, index) => {
      const left = file.before && documentOf(id, file.uri, index, "before");
      const right = file.after && documentOf(id, targetOf(file), index, "after");
      return [right ?? left, left, right];
    });
    // Undocumented forms of the arguments: `vscode.changes` in extHostApiCommands.ts, VS Code 1.139.1.
    await commands.executeCommand("vscode.changes", l10n.t("Changes by Codex"), resources);
  }

  /** Opens one file of an edit in a diff editor. */
  async showOne(id: string, file: ProposedFile, index: number): Promise<void> {
    const [from, to] = [documentOf(id, file.uri, index, "before"), documentOf(id, targetOf(file), index, "after")];
    const name = Uri.parse(targetOf(file)).path.split("/").at(-1) ?? "";
    await commands.executeCommand("vscode.diff", from, to, l10n.t("{0} (change by Codex)", name));
  }
}

function targetOf({ uri, newUri = uri }: ProposedFile): string {
  return newUri;
}

/** The path decides the language of the document. */
function documentOf(id: string, uri: string, index: number, side: "before" | "after"): Uri {
  return Uri.from({ scheme: editScheme, path: Uri.parse(uri).path, query: `${id}/${index}/${side}` });
}

import {
  CodeLens,
  type CodeLensProvider,
  type DecorationOptions,
  DecorationRangeBehavior,
  Disposable,
  l10n,
  languages,
  MarkdownString,
  OverviewRulerLane,
  type TextDocument,
  type TextEditor,
  ThemeColor,
  window,
} from "vscode";
import type { AppliedHunk } from "../apply/hunks.ts";
import type { EditStore } from "../apply/editStore.ts";
import { showMarkdown } from "../text/markdown.ts";
import type { TextLine } from "../text/markdownParts.ts";
import { type CommandName, prefix } from "../manifest.ts";
import { rangeOf } from "../ui/editors.ts";
import { type HunkCommand, hunkCommandTitles } from "./hunkCommands.ts";

/** Highlights the open hunks of edits, with Keep and Undo above each. */
export function showHunksInEditors(edits: EditStore): Disposable {
  const decorations = new HunkDecorations();
  const show = (): void => {
    for (const editor of window.visibleTextEditors) {
      decorations.show(editor, edits.openIn(editor.document));
    }
  };
  show();
  return Disposable.from(
    decorations,
    languages.registerCodeLensProvider("*", hunkLenses(edits)),
    edits.onDidChange(show),
    window.onDidChangeVisibleTextEditors(show),
  );
}

/** Maximum number of removed lines that are shown on hover, and of characters of each. */
const maxLines = 60;
const maxLineLength = 400;

/** Highlights the lines of hunks, and marks where lines were removed, which a hover shows. */
class HunkDecorations implements Disposable {
  readonly #added = window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new ThemeColor("diffEditor.insertedLineBackground"),
    // High contrast themes have no such background, but this border, which other themes leave out (VS Code 1.139).
    border: "1px dashed",
    borderColor: new ThemeColor("diffEditor.insertedTextBorder"),
    overviewRulerColor: new ThemeColor("editorOverviewRuler.addedForeground"),
    overviewRulerLane: OverviewRulerLane.Left,
    rangeBehavior: DecorationRangeBehavior.ClosedClosed,
  });
  readonly #removedAbove = markOfRemoved("2px 0 0 0");
  /** For lines removed at the end of the document, where no line follows. */
  readonly #removedBelow = markOfRemoved("0 0 2px 0");

  /** Replaces the decorations of an editor. VS Code moves them with the text until then. */
  show(editor: TextEditor, hunks: readonly AppliedHunk[]): void {
    const { document } = editor;
    const removing = hunks.filter(({ before }) => before.length > 0);
    const marks = (isAtEnd: boolean): readonly DecorationOptions[] =>
      removing
        .filter(({ lines }) => lines.start >= document.lineCount === isAtEnd)
        .map(({ before, before: { length }, lines: { start } }) => {
          const contentText = length === 1 ? l10n.t("− 1 line") : l10n.t("− {0} lines", length);
          const range = rangeOf(document, { start, end: start + 1 });
          const hoverMessage = removedText(before, document.languageId);
          return { range, hoverMessage, renderOptions: { after: { contentText } } };
        });
    const highlights = hunks.flatMap(({ lines: { start, end }, before }): readonly DecorationOptions[] => {
      if (start === end) return [];
      const first = { range: rangeOf(document, { start, end: start + 1 }) };
      if (end === start + 1) return [first];
      const rest = { range: rangeOf(document, { start: start + 1, end }) };
      // The mark on the first line already has the text.
      return [first, before.length > 0 ? { ...rest, hoverMessage: removedText(before, document.languageId) } : rest];
    });
    editor.setDecorations(this.#added, highlights);
    editor.setDecorations(this.#removedAbove, marks(false));
    editor.setDecorations(this.#removedBelow, marks(true));
  }

  dispose(): void {
    Disposable.from(this.#added, this.#removedAbove, this.#removedBelow).dispose();
  }
}

/** A thin line where lines were removed, and a text at the end of the line, for users who cannot see colors. */
function markOfRemoved(borderWidth: string): ReturnType<typeof window.createTextEditorDecorationType> {
  return window.createTextEditorDecorationType({
    isWholeLine: true,
    borderWidth,
    borderStyle: "solid",
    borderColor: new ThemeColor("editorGutter.deletedBackground"),
    overviewRulerColor: new ThemeColor("editorOverviewRuler.deletedForeground"),
    overviewRulerLane: OverviewRulerLane.Left,
    rangeBehavior: DecorationRangeBehavior.ClosedClosed,
    after: {
      // The color of code lenses has too little contrast on this background in light themes.
      color: new ThemeColor("editor.foreground"),
      backgroundColor: new ThemeColor("diffEditor.removedLineBackground"),
      // As above: only high contrast themes have this color.
      border: "1px dashed",
      borderColor: new ThemeColor("diffEditor.removedTextBorder"),
      margin: "0 0 0 2em",
    },
  });
}

/** The removed lines as Markdown. They come from the document, so nothing in them may take effect. */
function removedText(lines: readonly string[], languageId: string): MarkdownString {
  const shown = lines
    .slice(0, maxLines)
    .map((line) => (line.length > maxLineLength ? `${line.slice(0, maxLineLength)}…` : line));
  const rest = lines.length - shown.length;
  const title = lines.length === 1 ? l10n.t("Removed line:") : l10n.t("{0} removed lines:", lines.length);
  const line = (text: string): TextLine => ({ type: "line", text, isInHtml: false });
  const code = { type: "code", prefix: "", fence: "```", info: languageId, lines: shown } as const;
  const parts = [line(title), { ...code, isClosed: true, isInHtml: false }];
  if (rest > 0) parts.push(line(l10n.t("… and {0} more. Show Diff shows them.", rest)));
  return new MarkdownString(showMarkdown(parts).markdown);
}

/** Shows Keep, Undo, Next, and Show Diff above each hunk until the user decides. */
function hunkLenses(edits: EditStore): CodeLensProvider {
  const provideCodeLenses = (document: TextDocument): CodeLens[] => {
    const open = edits.openIn(document);
    const others = edits.uris.filter((uri) => uri !== document.uri.toString());
    return open.flatMap(({ id, lines: { start }, edit }, index) => {
      const range = rangeOf(document, { start, end: start + 1 });
      const lens = (name: HunkCommand | "showDiff", title: string): CodeLens => {
        const command: CommandName = `inlineChat.${name}`;
        return new CodeLens(range, { command: `${prefix}.${command}`, title, arguments: [id] });
      };
      const isFirst = open.findIndex((other) => other.edit === edit) === index;
      const hasNext = open.length > 1 || edit.files.some(({ newUri }) => others.includes(newUri));
      return [
        lens("keep", hunkCommandTitles.keep()),
        lens("undo", hunkCommandTitles.undo()),
        ...(hasNext ? [lens("nextChange", hunkCommandTitles.nextChange())] : []),
        ...(isFirst ? [lens("showDiff", l10n.t("Show Diff"))] : []),
      ];
    });
  };
  return { onDidChangeCodeLenses: edits.onDidChange, provideCodeLenses };
}

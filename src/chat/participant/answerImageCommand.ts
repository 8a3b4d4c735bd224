import {
  type ChatRequest,
  type ChatResponseStream,
  type ChatResult,
  l10n,
  MarkdownString,
  type Uri,
  workspace,
} from "vscode";
import { prefix } from "../../manifest.ts";
import { extensionLine } from "./extensionLines.ts";
import { recordTurn } from "./turnRecord.ts";

/**
 * Generates images and saves them in the workspace; provided by the image feature. Returns none when no folder was
 * chosen.
 */
export type GenerateImages = (
  prompt: string,
  signal: AbortSignal,
  progress: (text: string) => void,
) => Promise<readonly { readonly uri: Uri; readonly isLarge: boolean }[]>;

interface ImageTurn {
  readonly request: Pick<ChatRequest, "prompt" | "command">;
  readonly stream: Pick<ChatResponseStream, "markdown" | "button" | "progress">;
  readonly signal: AbortSignal;
}

/** Answers `/image` with the image, and buttons to open it and to insert a link. */
export async function answerImageCommand(
  generateImages: GenerateImages,
  { request, stream, signal }: ImageTurn,
): Promise<ChatResult> {
  const prompt = request.prompt.trim();
  if (prompt === "") {
    stream.markdown(extensionLine("info", l10n.t("Describe the image in a few words.")));
    return {};
  }
  const images = await generateImages(prompt, signal, (text) => {
    stream.progress(text);
  });
  if (images.length === 0)
    stream.markdown(extensionLine("info", l10n.t("No folder was selected, so no image was generated.")));
  for (const { uri, isLarge } of images) {
    stream.markdown(isLarge ? link(uri) : preview(uri));
    stream.button({ command: "vscode.open", title: l10n.t("Open Image"), arguments: [uri] });
    stream.button({ command: `${prefix}.insertImageLink`, title: l10n.t("Insert Link"), arguments: [uri] });
  }
  return recordTurn(request.command, undefined);
}

/**
 * The image and a link to its file. Only buttons may follow: VS Code merges a following anchor into this Markdown, and
 * then cannot load images of a remote workspace (seen in VS Code 1.139).
 */
function preview(uri: Uri): MarkdownString {
  const markdown = new MarkdownString(`![${l10n.t("The generated image")}](${uri.toString()})\n\n`, true);
  return markdown.appendMarkdown(link(uri).value);
}

/** A link to an image file, labeled with its path. */
function link(uri: Uri): MarkdownString {
  const markdown = new MarkdownString("[", true).appendText(workspace.asRelativePath(uri));
  return markdown.appendMarkdown(`](${uri.toString()})`);
}

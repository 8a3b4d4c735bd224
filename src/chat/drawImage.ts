import { type ChatResult, l10n, MarkdownString, type Uri } from "vscode";
import { ownLine } from "./ownLine.ts";
import type { Turn } from "./turn.ts";
import { recordTurn } from "./turnRecord.ts";

/** Makes images of a prompt and saves them in the workspace; the image feature provides it. None: no folder was chosen. */
export type ImageMaker = (
  prompt: string,
  signal: AbortSignal,
  progress: (text: string) => void,
) => Promise<readonly { readonly uri: Uri }[]>;

/** Answers `/image`: with the image, its file and a button that opens it. */
export async function drawImage(
  makeImages: ImageMaker,
  { request, stream, signal }: Pick<Turn, "request" | "stream" | "signal">,
): Promise<ChatResult> {
  const prompt = request.prompt.trim();
  if (prompt === "") {
    stream.markdown(ownLine("info", l10n.t("Describe the image in a few words.")));
    return {};
  }
  const images = await makeImages(prompt, signal, (text) => {
    stream.progress(text);
  });
  if (images.length === 0) stream.markdown(ownLine("info", l10n.t("No folder was chosen, so no image was made.")));
  for (const { uri } of images) {
    stream.markdown(new MarkdownString(`![${l10n.t("The generated image")}](${uri.toString()})\n\n`, true));
    stream.anchor(uri);
    stream.button({ command: "vscode.open", title: l10n.t("Open Image"), arguments: [uri] });
  }
  return recordTurn(request.command, undefined);
}

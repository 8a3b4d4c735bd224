import { LanguageModelDataPart, LanguageModelTextPart, LanguageModelToolResult, workspace } from "vscode";
import type { ImageFile } from "../gateway/types.ts";
import { oneLine } from "../text/lines.ts";
import type { SavedImage } from "./savedImage.ts";

const mimeTypes: Record<ImageFile["type"], string> = { png: "image/png", jpeg: "image/jpeg", webp: "image/webp" };

/** The tool result for a model; without images, no folder was chosen. */
export function toolResult(images: readonly SavedImage[] | undefined): LanguageModelToolResult {
  return new LanguageModelToolResult(images?.flatMap(partsOf) ?? [new LanguageModelTextPart(noFolder)]);
}

/** Tells the model explicitly, so that it does not order again. */
const noFolder = "No folder was selected, so no image was generated. Do not try again unless the user asks.";

function partsOf({ uri, file, megapixels }: SavedImage): readonly (LanguageModelTextPart | LanguageModelDataPart)[] {
  const saved = `The image is saved in the workspace as ${oneLine(workspace.asRelativePath(uri))}.`;
  if (megapixels !== undefined) return [new LanguageModelTextPart(`${saved} It is too large to be shown here.`)];
  return [new LanguageModelTextPart(saved), LanguageModelDataPart.image(file.bytes, mimeTypes[file.type])];
}

import type { TextDocument } from "vscode";
import { ImageSaver } from "./imageSaver.ts";
import type { KeptImages } from "./keptImages.ts";

/** State shared by the image features. */
export interface Images extends KeptImages {
  readonly saver: ImageSaver;
  /** The prompt editors that the user opened in this window. */
  readonly prompts: WeakSet<TextDocument>;
  /** Token that identifies clicks in the extension's own view and notifications, which need no confirmation. */
  readonly ticket: string;
}

/** Adds the state that only lives as long as the window. */
export function createImages(kept: KeptImages): Images {
  return { ...kept, saver: new ImageSaver(), prompts: new WeakSet(), ticket: crypto.randomUUID() };
}

import type { ExtensionContext } from "vscode";
import { LastPrompt } from "./ask/lastPrompt.ts";
import { PromptDocuments } from "./ask/promptDocuments.ts";
import { ImageHistory } from "./history/imageHistory.ts";
import { ImageSaver } from "./imageSaver.ts";
import { LastDocument } from "./link/lastDocument.ts";
import { PendingImages } from "./pendingImages.ts";

/** State shared by the image features. */
export interface Images {
  readonly saver: ImageSaver;
  readonly pending: PendingImages;
  readonly history: ImageHistory;
  readonly lastPrompt: LastPrompt;
  readonly lastDocument: LastDocument;
  readonly promptDocuments: PromptDocuments;
  /** Token that identifies clicks in the extension's own view and notifications, which need no confirmation. */
  readonly ticket: string;
}

type Needs = Pick<ExtensionContext, "globalState" | "workspaceState" | "globalStorageUri" | "subscriptions">;

/** Creates the shared state. At activation this reads only mementos. */
export function createImages({ globalState, workspaceState, globalStorageUri, subscriptions }: Needs): Images {
  const history = new ImageHistory(workspaceState);
  const lastDocument = new LastDocument();
  subscriptions.push(history, lastDocument);
  return {
    saver: new ImageSaver(),
    pending: new PendingImages(globalState, globalStorageUri),
    history,
    lastPrompt: new LastPrompt(workspaceState),
    lastDocument,
    promptDocuments: new PromptDocuments(),
    ticket: crypto.randomUUID(),
  };
}

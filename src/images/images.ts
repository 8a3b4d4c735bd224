import type { ExtensionContext } from "vscode";
import { LastPrompt } from "./ask/lastPrompt.ts";
import { PromptDocuments } from "./ask/promptDocuments.ts";
import { ImageHistory } from "./history/imageHistory.ts";
import { ImageSaver } from "./imageSaver.ts";
import { LastDocument } from "./link/lastDocument.ts";
import { PendingImages } from "./pendingImages.ts";

/** What the image features keep between one command and the next. */
export interface Images {
  readonly saver: ImageSaver;
  readonly pending: PendingImages;
  readonly history: ImageHistory;
  readonly lastPrompt: LastPrompt;
  readonly lastDocument: LastDocument;
  readonly promptDocuments: PromptDocuments;
  /** Goes with the clicks of our own view and notifications, so that what they order needs no question. */
  readonly ticket: string;
}

type Needs = Pick<ExtensionContext, "globalState" | "workspaceState" | "globalStorageUri" | "subscriptions">;

/** Reads mementos, and nothing else, at activation. */
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

import type { ExtensionContext } from "vscode";
import { LastPrompt } from "./ask/lastPrompt.ts";
import { ImageHistory } from "./history/imageHistory.ts";
import { LastDocument } from "./link/lastDocument.ts";
import { PendingImages } from "./pendingImages.ts";

/** The part of the image features' state that is there from activation on. */
export interface KeptImages {
  readonly pending: PendingImages;
  readonly history: ImageHistory;
  readonly lastPrompt: LastPrompt;
  readonly lastDocument: LastDocument;
}

type Needs = Pick<ExtensionContext, "globalState" | "workspaceState" | "globalStorageUri" | "subscriptions">;

/** Creates this part. At activation it reads only mementos. */
export function createKeptImages({ globalState, workspaceState, globalStorageUri, subscriptions }: Needs): KeptImages {
  const history = new ImageHistory(workspaceState);
  const lastDocument = new LastDocument();
  subscriptions.push(history, lastDocument);
  return {
    pending: new PendingImages(globalState, globalStorageUri),
    history,
    lastPrompt: new LastPrompt(workspaceState),
    lastDocument,
  };
}

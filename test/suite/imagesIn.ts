import { type Memento, Uri } from "vscode";
import { createImages, type Images } from "../../src/images/images.ts";
import { MemoryState } from "./memoryState.ts";

/** What the image features keep, with a folder of their own. */
export function imagesIn(
  storage: string,
  state: Memento = new MemoryState(),
  workspaceState: Memento = new MemoryState(),
): Images {
  const globalState = Object.assign(state, { setKeysForSync: () => undefined });
  const globalStorageUri = Uri.file(storage);
  return createImages({ globalState, workspaceState, globalStorageUri, subscriptions: [] });
}

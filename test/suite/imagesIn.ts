import { Uri } from "vscode";
import { createImages, type Images } from "../../src/images/images.ts";
import { MemoryState } from "./memoryState.ts";

/** What the image features keep, with a folder of their own at this URI. */
export function imagesIn(storage: string): Images {
  const globalState = Object.assign(new MemoryState(), { setKeysForSync: () => undefined });
  const workspaceState = new MemoryState();
  return createImages({ globalState, workspaceState, globalStorageUri: Uri.parse(storage), subscriptions: [] });
}

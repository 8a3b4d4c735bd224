import type { Memento } from "vscode";
import { createImages, type Images } from "../../src/images/images.ts";
import { PendingImages } from "../../src/images/pendingImages.ts";
import { MemoryState } from "./memoryState.ts";

/** What the image features keep, with a folder of their own. */
export function imagesIn(
  storage: string,
  state: Memento = new MemoryState(),
  workspaceState: Memento = new MemoryState(),
): Images {
  return { ...createImages({ workspaceState, subscriptions: [] }), pending: new PendingImages({ state, storage }) };
}

import { randomUUID } from "node:crypto";
import { type Memento, Uri, workspace } from "vscode";
import type { ImageAnswer, ImageSource, Usage } from "../gateway/types.ts";
import type { ImageOrder } from "./imageOrder.ts";

/** An image that was made and is not saved yet. Plain JSON, because it is kept in VS Code's state. */
export interface PendingImage {
  readonly id: string;
  /** Its link, or the URI of a file of the extension's own where the bytes came with the answer. */
  readonly url: string;
  readonly prompt: string;
  readonly size?: string;
  /** URI of the folder it goes to. */
  readonly folder: string;
  readonly usage?: Usage;
  /** The image host has said that the link is over. */
  readonly isExpired?: boolean;
}

const prefix = "pendingImage.";

/** Images that are paid for and not saved yet. They outlive the window: one entry of the state for each. */
export class PendingImages {
  private readonly state: Memento;
  private readonly storage: Uri;
  private readonly inHand = new Set<string>();

  /** `storage`: a folder of the extension's own. */
  constructor(state: Memento, storage: Uri) {
    this.state = state;
    this.storage = storage;
  }

  /** Those that nobody in this window is fetching right now. */
  all(): readonly PendingImage[] {
    const keys = this.state.keys().filter((key) => key.startsWith(prefix));
    const images = keys.map((key) => this.state.get<PendingImage>(key)).filter((image) => image !== undefined);
    return images.filter(({ id }) => !this.inHand.has(id));
  }

  /** Keeps what an order brought. */
  async keep({ prompt, size, folder }: ImageOrder, { images, usage }: ImageAnswer): Promise<readonly PendingImage[]> {
    const kept = images.map(async (source, index) => {
      const id = randomUUID();
      const url = await this.urlOf(id, source);
      const known = { ...(size !== undefined && { size }), ...(index === 0 && usage && { usage }) };
      return await this.update({ id, url, prompt, folder: folder.toString(), ...known });
    });
    return await Promise.all(kept);
  }

  /** Keeps an image with what has become known about it. */
  async update(image: PendingImage): Promise<PendingImage> {
    await this.state.update(prefix + image.id, image);
    return image;
  }

  /** Forgets an image, because it is saved or given up. */
  async forget({ id, url }: PendingImage): Promise<void> {
    await this.state.update(prefix + id, undefined);
    if (this.isOwn(url)) await workspace.fs.delete(Uri.parse(url));
  }

  /** Runs work on an image, unless somebody else in this window works on it. */
  async hold<T>(id: string, work: () => Promise<T>): Promise<T | undefined> {
    if (this.inHand.has(id)) return undefined;
    this.inHand.add(id);
    try {
      return await work();
    } finally {
      this.inHand.delete(id);
    }
  }

  /** Whether a URL is a file that `keep` wrote. */
  isOwn(url: string): boolean {
    return url.startsWith(`${this.storage.toString()}/`);
  }

  private async urlOf(id: string, source: ImageSource): Promise<string> {
    if ("url" in source) return source.url;
    const file = Uri.joinPath(this.storage, id);
    await workspace.fs.writeFile(file, source.bytes);
    return file.toString();
  }
}

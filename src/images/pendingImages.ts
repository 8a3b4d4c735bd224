import { type Memento, Uri, workspace } from "vscode";
import type { ImageAnswer, Usage } from "../gateway/types.ts";
import type { ImageOrder } from "./orderImage.ts";
import { deleteQuietly, writeWhole } from "./wholeFile.ts";

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

/** An image with its bytes, because they are nowhere else. */
interface Unwritten {
  readonly image: PendingImage;
  readonly bytes: Uint8Array;
}

const prefix = "pendingImage.";

/** Images that are paid for and not saved yet. They outlive the window: one entry of the state for each. */
export class PendingImages {
  private readonly state: Memento;
  private readonly storage: Uri;
  private readonly inHand = new Set<string>();
  /** Images whose bytes could not be written to the storage. They live as long as the window. */
  private readonly unwritten = new Map<string, Unwritten>();

  /** `storage`: a folder of the extension's own. */
  constructor(state: Memento, storage: Uri) {
    this.state = state;
    this.storage = storage;
  }

  /** Those that nobody in this window is fetching right now. */
  all(): readonly PendingImage[] {
    const keys = this.state.keys().filter((key) => key.startsWith(prefix));
    const images = keys.map((key) => this.state.get<PendingImage>(key)).filter((image) => image !== undefined);
    const unwritten = [...this.unwritten.values()].map(({ image }) => image);
    return [...images, ...unwritten].filter(({ id }) => !this.inHand.has(id));
  }

  /** Keeps what an order brought. */
  async keep({ prompt, size, folder }: ImageOrder, { images, usage }: ImageAnswer): Promise<readonly PendingImage[]> {
    const kept = images.map(async (source, index) => {
      const id = crypto.randomUUID();
      const url = "url" in source ? source.url : Uri.joinPath(this.storage, id).toString();
      const known = { ...(size !== undefined && { size }), ...(index === 0 && usage && { usage }) };
      const image = { id, url, prompt, folder: folder.toString(), ...known };
      if ("bytes" in source) await this.write(image, source.bytes);
      return await this.update(image);
    });
    return await Promise.all(kept);
  }

  /** Keeps an image with what has become known about it. */
  async update(image: PendingImage): Promise<PendingImage> {
    const unwritten = this.unwritten.get(image.id);
    if (unwritten) this.unwritten.set(image.id, { ...unwritten, image });
    else await this.state.update(prefix + image.id, image);
    return image;
  }

  /** Forgets an image, because it is saved or given up. */
  async forget({ id, url }: PendingImage): Promise<void> {
    if (this.unwritten.delete(id)) return;
    await this.state.update(prefix + id, undefined);
    if (this.isOwn(url)) await deleteQuietly(Uri.parse(url));
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

  /** The bytes of an image that came with the answer. */
  async read({ id, url }: PendingImage): Promise<Uint8Array> {
    return this.unwritten.get(id)?.bytes ?? (await workspace.fs.readFile(Uri.parse(url)));
  }

  /** Whether a URL is a file that `keep` wrote. */
  isOwn(url: string): boolean {
    return url.startsWith(`${this.storage.toString()}/`);
  }

  /** A full disk here says nothing about the folder the image goes to. */
  private async write(image: PendingImage, bytes: Uint8Array): Promise<void> {
    const file = Uri.parse(image.url);
    try {
      await writeWhole(file, bytes);
    } catch {
      await deleteQuietly(file);
      this.unwritten.set(image.id, { image, bytes });
    }
  }
}

import { type Memento, Uri, workspace } from "vscode";
import type { ImageAnswer } from "../gateway/types.ts";
import { type InlineImage, isImageId, type PendingImage, readPendingImage } from "./storedImages.ts";
import { deleteQuietly, writeWhole } from "./wholeFile.ts";

/** What is ordered, and where it goes. */
export interface ImageOrder {
  readonly prompt: string;
  /** `undefined`: the gateway chooses. */
  readonly size: string | undefined;
  readonly folder: Uri;
}

/** An image with its bytes, because they are nowhere else. */
interface Unwritten {
  readonly image: PendingImage;
  readonly bytes: Uint8Array;
}

const prefix = "pendingImage.";

/** How long a link is kept, in milliseconds: 30 days. No image host serves one for that long. */
const retention = 30 * 24 * 60 * 60 * 1000;

/** Images that are paid for and not saved yet. They outlive the window: one entry of the state for each. */
export class PendingImages {
  readonly #state: Memento;
  readonly #storage: Uri;
  readonly #now: () => number;
  readonly #inHand = new Set<string>();
  /** Images whose bytes could not be written to the storage. They live as long as the window. */
  readonly #unwritten = new Map<string, Unwritten>();

  /** `storage`: a folder of the extension's own. */
  constructor(state: Memento, storage: Uri, now: () => number = Date.now) {
    this.#state = state;
    this.#storage = storage;
    this.#now = now;
  }

  /** Those that nothing in this window is downloading right now. */
  all(): readonly PendingImage[] {
    const images = this.#ids().map((id) => this.#read(id));
    const unwritten = [...this.#unwritten.values()].map(({ image }) => image);
    return [...images, ...unwritten].filter((image) => image !== undefined).filter(({ id }) => !this.#inHand.has(id));
  }

  /** Keeps the images of an answer. */
  async keep({ prompt, size, folder }: ImageOrder, { images, usage }: ImageAnswer): Promise<readonly PendingImage[]> {
    const keptAt = this.#now();
    const kept = images.map(async (source, index) => {
      const id = crypto.randomUUID();
      const known = { ...(size !== undefined && { size }), ...(index === 0 && usage && { usage }) };
      const facts = { id, prompt, folder: folder.toString(), keptAt, ...known };
      if ("url" in source) return await this.update({ ...facts, url: source.url });
      const image: PendingImage = { ...facts, isInline: true };
      await this.#write(image, source.bytes);
      return await this.update(image);
    });
    const all = await Promise.all(kept);
    await this.#tidy();
    return all;
  }

  /** Keeps an image with what has become known about it. */
  async update(image: PendingImage): Promise<PendingImage> {
    const unwritten = this.#unwritten.get(image.id);
    if (unwritten) this.#unwritten.set(image.id, { ...unwritten, image });
    else await this.#state.update(prefix + image.id, image);
    return image;
  }

  /** Forgets an image, because it is saved or given up. */
  async forget({ id, isInline }: PendingImage): Promise<void> {
    if (this.#unwritten.delete(id)) return;
    await this.#state.update(prefix + id, undefined);
    if (isInline) await deleteQuietly(this.#fileOf(id));
  }

  /** Forgets every image but those in hand, with its bytes. */
  async clear(): Promise<void> {
    const isFree = (id: string): boolean => !this.#inHand.has(id);
    for (const id of [...this.#unwritten.keys()].filter(isFree)) this.#unwritten.delete(id);
    for (const id of this.#ids().filter(isFree)) await this.#state.update(prefix + id, undefined);
    for (const id of (await this.#files()).filter(isFree)) await deleteQuietly(this.#fileOf(id));
  }

  /** Runs work on an image, unless somebody else in this window works on it. */
  async hold<T>(id: string, work: () => Promise<T>): Promise<T | undefined> {
    if (this.#inHand.has(id)) return undefined;
    this.#inHand.add(id);
    try {
      return await work();
    } finally {
      this.#inHand.delete(id);
    }
  }

  /** The bytes of an image that came with the answer. */
  async read({ id }: PendingImage & InlineImage): Promise<Uint8Array> {
    return this.#unwritten.get(id)?.bytes ?? (await workspace.fs.readFile(this.#fileOf(id)));
  }

  /** What the names of the state's entries say; a name that was not written here may say anything. */
  #ids(): readonly string[] {
    const keys = this.#state.keys().filter((key) => key.startsWith(prefix));
    return keys.map((key) => key.slice(prefix.length));
  }

  #read(id: string): PendingImage | undefined {
    const isOwnFile = (url: string): boolean => url === this.#fileOf(id).toString();
    return readPendingImage(id, this.#state.get<unknown>(prefix + id), isOwnFile);
  }

  /** Drops what cannot be read and links that are older than any host keeps them. */
  async #tidy(): Promise<void> {
    for (const id of this.#ids()) {
      const image = this.#read(id);
      if (image === undefined) await this.#state.update(prefix + id, undefined);
      else if (image.keptAt === undefined) await this.update({ ...image, keptAt: this.#now() });
      else if (!image.isInline && image.keptAt < this.#now() - retention) await this.forget(image);
    }
  }

  /** The only files of the storage that are ever read or deleted: nothing but an id leads there. */
  #fileOf(id: string): Uri {
    if (!isImageId(id)) throw new Error("The id of an image is not a UUID.");
    return Uri.joinPath(this.#storage, id);
  }

  async #files(): Promise<readonly string[]> {
    try {
      return (await workspace.fs.readDirectory(this.#storage)).map(([name]) => name).filter(isImageId);
    } catch {
      // There is no storage before the first file.
      return [];
    }
  }

  /** A full disk here says nothing about the folder the image goes to. */
  async #write(image: PendingImage, bytes: Uint8Array): Promise<void> {
    const file = this.#fileOf(image.id);
    try {
      await writeWhole(file, bytes);
    } catch {
      await deleteQuietly(file);
      this.#unwritten.set(image.id, { image, bytes });
    }
  }
}

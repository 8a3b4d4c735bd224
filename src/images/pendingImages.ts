import { type Memento, Uri, workspace } from "vscode";
import type { ImageAnswer } from "../gateway/types.ts";
import { isUuid } from "../text/fileNames.ts";
import { type PendingImage, readPendingImage, targetIn } from "./storedImages.ts";

/** An image order, and its destination. */
export interface ImageOrder {
  readonly prompt: string;
  /** `<width>x<height>`; `undefined` lets the gateway choose. */
  readonly size: string | undefined;
  readonly folder: Uri;
}

const prefix = "pendingImage.";

/** How long a link is kept, in milliseconds: 30 days. */
const retention = 30 * 24 * 60 * 60 * 1000;

/** Images that are paid for but not saved yet. They persist across windows, as one state entry each. */
export class PendingImages {
  readonly #state: Memento;
  readonly #storage: Uri;
  readonly #now: () => number;
  readonly #inHand = new Set<string>();
  /** Images whose bytes could not be written to storage. They are lost with the window. */
  readonly #unwritten = new Map<string, { readonly image: PendingImage; readonly bytes: Uint8Array }>();

  /** `storage`: the extension's storage folder. */
  constructor(state: Memento, storage: Uri, now: () => number = Date.now) {
    this.#state = state;
    this.#storage = storage;
    this.#now = now;
  }

  /** Pending images that this window is not downloading. */
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
      const facts = { id, prompt, ...targetIn(folder), keptAt, ...known };
      if ("url" in source) return await this.update({ ...facts, url: source.url });
      const image: PendingImage = { ...facts, isInline: true };
      await this.#write(image, source.bytes);
      return await this.update(image);
    });
    const all = await Promise.all(kept);
    await this.#tidy();
    return all;
  }

  /** Updates a kept image. */
  async update(image: PendingImage): Promise<PendingImage> {
    const unwritten = this.#unwritten.get(image.id);
    if (unwritten) this.#unwritten.set(image.id, { ...unwritten, image });
    else await this.#state.update(prefix + image.id, image);
    return image;
  }

  /** Removes an image that was saved or given up. */
  async forget({ id, isInline }: PendingImage): Promise<void> {
    if (this.#unwritten.delete(id)) return;
    await this.#state.update(prefix + id, undefined);
    if (isInline) await deleteQuietly(this.#fileOf(id));
  }

  /** Removes all images with their bytes, except those being worked on. */
  async clear(): Promise<void> {
    const isFree = (id: string): boolean => !this.#inHand.has(id);
    for (const id of [...this.#unwritten.keys()].filter(isFree)) this.#unwritten.delete(id);
    for (const id of this.#ids().filter(isFree)) await this.#state.update(prefix + id, undefined);
    for (const id of (await this.#files()).filter(isFree)) await deleteQuietly(this.#fileOf(id));
  }

  /** Runs work on an image, unless this window is already working on it. */
  async hold<T>(id: string, work: () => Promise<T>): Promise<T | undefined> {
    if (this.#inHand.has(id)) return undefined;
    this.#inHand.add(id);
    try {
      return await work();
    } finally {
      this.#inHand.delete(id);
    }
  }

  /** Reads the bytes of an inline image. */
  async read({ id }: PendingImage): Promise<Uint8Array> {
    return this.#unwritten.get(id)?.bytes ?? (await workspace.fs.readFile(this.#fileOf(id)));
  }

  /** Ids from the names of state entries. Ignores names that this extension did not write. */
  #ids(): readonly string[] {
    const keys = this.#state.keys().filter((key) => key.startsWith(prefix));
    return keys.map((key) => key.slice(prefix.length));
  }

  #read(id: string): PendingImage | undefined {
    const isOwnFile = (url: string): boolean => url === this.#fileOf(id).toString();
    return readPendingImage(id, this.#state.get<unknown>(prefix + id), isOwnFile);
  }

  /** Removes unreadable entries and expired links. */
  async #tidy(): Promise<void> {
    for (const id of this.#ids()) {
      const image = this.#read(id);
      if (image === undefined) await this.#state.update(prefix + id, undefined);
      else if (image.keptAt === undefined) await this.update({ ...image, keptAt: this.#now() });
      else if (!image.isInline && image.keptAt < this.#now() - retention) await this.forget(image);
    }
  }

  /** The file of an image. Derived only from its id, so no other file is read or deleted. */
  #fileOf(id: string): Uri {
    if (!isUuid(id)) throw new Error("The id of an image is not a UUID.");
    return Uri.joinPath(this.#storage, id);
  }

  async #files(): Promise<readonly string[]> {
    try {
      return (await workspace.fs.readDirectory(this.#storage)).map(([name]) => name).filter(isUuid);
    } catch {
      // The folder does not exist before the first file.
      return [];
    }
  }

  /** The storage's disk may be full while the destination's is not. */
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

/** Writes all of a file, or throws: VS Code can report success on a full disk (microsoft/vscode#73038). */
export async function writeWhole(file: Uri, bytes: Uint8Array): Promise<void> {
  await workspace.fs.writeFile(file, bytes);
  const written = await workspace.fs.readFile(file);
  if (Buffer.compare(bytes, written) === 0) return;
  throw new Error(`${written.length} of ${bytes.length} bytes were written. The disk may be full.`);
}

/** Deletes an unreferenced file. Ignores failures, because the file may not exist. */
export async function deleteQuietly(file: Uri): Promise<void> {
  await workspace.fs.delete(file).then(undefined, () => undefined);
}

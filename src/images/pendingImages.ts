import { existsSync } from "node:fs";
import { mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Memento } from "vscode";
import type { ImageAnswer } from "../gateway/types.ts";
import { pendingPrefix } from "../manifest.ts";
import { namesIn, unlessMissing } from "../files/fileErrors.ts";
import { isUuid } from "../files/fileNames.ts";
import { parseJson } from "../base/json.ts";
import { WindowLocks } from "../files/windowLocks.ts";
import { type PendingImage, readPendingImage, type Target } from "./storedImages.ts";

/** An image that was ordered, and where it goes. */
export type OrderedImage = Target & Pick<PendingImage, "prompt"> & { readonly size: string | undefined };

/** How long a link is stored, in milliseconds: 30 days. */
const retention = 30 * 24 * 60 * 60 * 1000;

/** Age from which a temporary file belongs to a window that ended while writing it, in milliseconds: an hour. */
const maxWriteTime = 60 * 60 * 1000;

export interface PendingOptions {
  /** VS Code's state: holds the images of version 1.1.0, and links that cannot be written to a file. */
  readonly state: Memento;
  /** The extension's storage folder, shared by all windows. */
  readonly storage: string;
  readonly now?: () => number;
}

/**
 * Images that are paid for but not saved yet, in a file each, shared by all windows. A window locks an image while it saves
 * it (`WindowLocks`), and the others skip that image.
 */
export class PendingImages {
  readonly #options: Required<PendingOptions>;
  readonly #folder: string;
  readonly #locks: WindowLocks;
  /** The images on which this window is working. */
  readonly #locked = new Set<string>();
  /** Images that could not be written. Their bytes are lost with the window. */
  readonly #unwritten = new Map<string, PendingImage>();

  constructor(options: PendingOptions) {
    this.#folder = join(options.storage, "images");
    this.#locks = new WindowLocks(this.#folder);
    this.#options = { now: Date.now, ...options };
  }

  /** The images that no window is saving, without expired links. */
  async available(): Promise<readonly PendingImage[]> {
    const taken = await this.#locks.heldByOthers().catch(() => new Set());
    const images = await this.#readAll();
    return images.filter(
      (image) => !this.#isPastRetention(image) && !taken.has(image.id) && !this.#locked.has(image.id),
    );
  }

  /** Stores the images of an answer. Never rejects: what cannot be written stays in memory. */
  async store({ size, ...order }: OrderedImage, { images, usage }: ImageAnswer): Promise<readonly PendingImage[]> {
    const keptAt = this.#options.now();
    const stored = images.map((source, index) =>
      this.update({
        ...{ id: crypto.randomUUID(), ...order, keptAt },
        ...(size !== undefined && { size }),
        ...(index === 0 && usage && { usage }),
        ...("url" in source
          ? { url: source.url }
          : { isInline: true as const, bytes: Buffer.from(source.bytes).toString("base64") }),
      }),
    );
    return await Promise.all(stored);
  }

  /** Writes an image. If its file cannot be written, such as on a full disk, VS Code's state holds the link. */
  async update(image: PendingImage): Promise<PendingImage> {
    const { id, bytes } = image;
    try {
      await writeFileWhole(this.#fileOf(id), JSON.stringify(image));
      this.#unwritten.delete(id);
    } catch {
      this.#unwritten.set(id, image);
      if (bytes === undefined)
        await this.#options.state.update(pendingPrefix + id, image).then(undefined, () => undefined);
    }
    return image;
  }

  /** Removes an image that was saved or discarded. Rejects if it cannot be removed. */
  async remove({ id }: Pick<PendingImage, "id">): Promise<void> {
    for (const file of [this.#fileOf(id), this.#oldFileOf(id)]) if (existsSync(file)) await rm(file, { force: true });
    if (this.#options.state.get(pendingPrefix + id) !== undefined)
      await this.#options.state.update(pendingPrefix + id, undefined);
    this.#unwritten.delete(id);
  }

  /** Removes these images, except those that a window has begun to save. */
  async clear(images: readonly PendingImage[]): Promise<void> {
    for (const { id } of images) await this.withLock(id, () => this.remove({ id }));
  }

  /** Runs work on an image that is still pending, unless a window is already working on it. */
  async withLock<T>(id: string, work: () => Promise<T>): Promise<T | undefined> {
    if (this.#locked.has(id)) return undefined;
    this.#locked.add(id);
    try {
      // If nothing can be locked, such as on a full disk, saving it twice is better than not at all.
      const isFree = await this.#locks.acquire(id).catch(() => true);
      return isFree && (await this.#read(id)) ? await work() : undefined;
    } finally {
      await this.#locks.release(id);
      this.#locked.delete(id);
    }
  }

  /** Reads the bytes of an image without a link. */
  async bytesOf({ id, bytes }: PendingImage): Promise<Uint8Array> {
    return bytes === undefined ? await readFile(this.#oldFileOf(id)) : Buffer.from(bytes, "base64");
  }

  /** Removes expired links, and temporary files of windows that ended while writing them. */
  async tidy(): Promise<void> {
    await this.clear((await this.#readAll()).filter((image) => this.#isPastRetention(image)));
    for (const name of await namesIn(this.#folder)) {
      const path = join(this.#folder, name);
      if (!name.endsWith(".json.tmp") || (await stat(path)).mtimeMs > this.#options.now() - maxWriteTime) continue;
      await rm(path, { force: true });
    }
  }

  #isPastRetention({ url, keptAt = Infinity }: PendingImage): boolean {
    return url !== undefined && keptAt < this.#options.now() - retention;
  }

  /** Reads the images whose ids are in the names of files and of entries in the state. Other names are ignored. */
  async #readAll(): Promise<readonly PendingImage[]> {
    const files = (await namesIn(this.#folder).catch(() => [])).filter((name) => name.endsWith(".json"));
    const entries = this.#options.state.keys().filter((key) => key.startsWith(pendingPrefix));
    const names = [
      ...files.map((name) => name.slice(0, -".json".length)),
      ...entries.map((key) => key.slice(pendingPrefix.length)),
    ];
    const ids = new Set([...names, ...this.#unwritten.keys()].filter(isUuid));
    const images = await Promise.all([...ids].map((id) => this.#read(id)));
    return images.filter((image) => image !== undefined);
  }

  async #read(id: string): Promise<PendingImage | undefined> {
    const unwritten = this.#unwritten.get(id);
    if (unwritten) return unwritten;
    const text = await unlessMissing(readFile(this.#fileOf(id), "utf8")).catch(() => undefined);
    const stored = text === undefined ? this.#options.state.get<unknown>(pendingPrefix + id) : parseJson(text);
    return readPendingImage(id, stored);
  }

  #fileOf(id: string): string {
    return join(this.#folder, `${checkedId(id)}.json`);
  }

  /** The bytes that version 1.1.0 stored. */
  #oldFileOf(id: string): string {
    return join(this.#options.storage, checkedId(id));
  }
}

/** Throws unless this is a UUID, so that no other file is read or deleted. */
function checkedId(id: string): string {
  if (isUuid(id)) return id;
  throw new Error("The id of an image is not a UUID.");
}

/** Writes a whole file that only the user may read. On failure, the previous file stays. */
async function writeFileWhole(path: string, text: string): Promise<void> {
  await mkdir(join(path, ".."), { recursive: true, mode: 0o700 });
  try {
    await writeFile(`${path}.tmp`, text, { mode: 0o600, flush: true });
    await rename(`${path}.tmp`, path);
  } catch (error) {
    await rm(`${path}.tmp`, { force: true }).catch(() => undefined);
    throw error;
  }
}

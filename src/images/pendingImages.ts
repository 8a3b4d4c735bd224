import { existsSync } from "node:fs";
import { mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Memento } from "vscode";
import type { ImageAnswer } from "../gateway/types.ts";
import { pendingPrefix } from "../manifest.ts";
import { namesIn, unlessMissing } from "../text/fileErrors.ts";
import { isUuid } from "../text/fileNames.ts";
import { asObject, asText, parseJson } from "../base/json.ts";
import { WindowClaims } from "../text/windowClaims.ts";
import { type PendingImage, readPendingImage, type Target } from "./storedImages.ts";

/** An image that was ordered, and where it goes. */
export type OrderedImage = Target & Pick<PendingImage, "prompt"> & { readonly size: string | undefined };

/** How long a link is stored, in milliseconds: 30 days. */
const retention = 30 * 24 * 60 * 60 * 1000;

/** Age from which a temporary file belongs to a window that ended while writing it, in milliseconds: an hour. */
const maxWriteTime = 60 * 60 * 1000;

/** A stored image, with its bytes if it has no link. */
interface StoredImage {
  readonly image: PendingImage;
  readonly bytes?: Uint8Array;
}

/** Writes and deletes files. */
export interface Disk {
  readonly write: (path: string, text: string) => Promise<void>;
  readonly remove: (path: string) => Promise<void>;
}

export interface PendingOptions {
  /** VS Code's state: holds the images of version 1.1.0, and links that cannot be written to a file. */
  readonly state: Memento;
  /** The extension's storage folder, shared by all windows. */
  readonly storage: string;
  readonly now?: () => number;
  readonly claims?: WindowClaims;
  readonly disk?: Disk;
}

/**
 * Images that are paid for but not saved yet, in a file each, shared by all windows. A window claims an image while it saves
 * it (`WindowClaims`), and the others skip that image.
 */
export class PendingImages {
  readonly #options: PendingOptions;
  readonly #folder: string;
  readonly #now: () => number;
  readonly #claims: WindowClaims;
  readonly #disk: Disk;
  /** The images on which this window is working. */
  readonly #claimed = new Set<string>();
  /** Images that could not be written. Their bytes are lost with the window. */
  readonly #unwritten = new Map<string, StoredImage>();

  constructor(options: PendingOptions) {
    this.#options = options;
    this.#folder = join(options.storage, "images");
    this.#now = options.now ?? Date.now;
    this.#claims = options.claims ?? new WindowClaims(this.#folder);
    this.#disk = options.disk ?? { write: writeFileWhole, remove: (path) => rm(path, { force: true }) };
  }

  /** The images that no window is saving, without expired links. */
  async all(): Promise<readonly PendingImage[]> {
    const taken = await this.#claims.taken().catch(() => new Set());
    const all = await Promise.all([...(await this.#ids())].map((id) => this.#read(id)));
    const images = all.flatMap((stored) => (stored && !this.#isOld(stored.image) ? [stored.image] : []));
    return images.filter(({ id }) => !taken.has(id) && !this.#claimed.has(id));
  }

  /** Stores the images of an answer. Never rejects: what cannot be written stays in memory. */
  async store({ size, ...order }: OrderedImage, { images, usage }: ImageAnswer): Promise<readonly PendingImage[]> {
    const keptAt = this.#now();
    const stored = images.map(async (source, index) => {
      const known = { ...(size !== undefined && { size }), ...(index === 0 && usage && { usage }) };
      const facts = { id: crypto.randomUUID(), ...order, keptAt, ...known };
      if ("url" in source) return await this.#write({ image: { ...facts, url: source.url } });
      return await this.#write({ image: { ...facts, isInline: true }, bytes: source.bytes });
    });
    return await Promise.all(stored);
  }

  /** Updates an image. */
  async update(image: PendingImage): Promise<PendingImage> {
    const bytes = image.isInline && { bytes: await this.read(image) };
    return await this.#write({ image, ...bytes });
  }

  /** Removes an image that was saved or discarded. Rejects if it cannot be removed. */
  async remove({ id }: Pick<PendingImage, "id">): Promise<void> {
    for (const file of [this.#fileOf(id), this.#oldFileOf(id)]) if (existsSync(file)) await this.#disk.remove(file);
    if (this.#options.state.get(pendingPrefix + id) !== undefined)
      await this.#options.state.update(pendingPrefix + id, undefined);
    this.#unwritten.delete(id);
  }

  /** Removes these images, except those that a window has begun to save. */
  async clear(images: readonly PendingImage[]): Promise<void> {
    for (const { id } of images) await this.withClaim(id, () => this.remove({ id }));
  }

  /** Runs work on an image that is still pending, unless a window is already working on it. */
  async withClaim<T>(id: string, work: () => Promise<T>): Promise<T | undefined> {
    if (this.#claimed.has(id)) return undefined;
    this.#claimed.add(id);
    try {
      // If nothing can be claimed, such as on a full disk, saving it twice is better than not at all.
      const isFree = await this.#claims.take(id).catch(() => true);
      return isFree && (await this.#read(id)) ? await work() : undefined;
    } finally {
      await this.#claims.release(id);
      this.#claimed.delete(id);
    }
  }

  /** Reads the bytes of an image without a link. */
  async read({ id }: PendingImage): Promise<Uint8Array> {
    return (await this.#read(id))?.bytes ?? (await readFile(this.#oldFileOf(id)));
  }

  /** Removes expired links, and temporary files of windows that ended while writing them. */
  async tidy(): Promise<void> {
    const images = await Promise.all([...(await this.#ids())].map((id) => this.#read(id)));
    for (const stored of images) if (stored && this.#isOld(stored.image)) await this.clear([stored.image]);
    for (const name of await namesIn(this.#folder)) {
      const path = join(this.#folder, name);
      if (!name.endsWith(".json.tmp") || (await stat(path)).mtimeMs > this.#now() - maxWriteTime) continue;
      await this.#disk.remove(path);
    }
  }

  #isOld({ url, keptAt = Infinity }: PendingImage): boolean {
    return url !== undefined && keptAt < this.#now() - retention;
  }

  /** The ids in the names of files and of entries in the state. Other names are ignored. */
  async #ids(): Promise<ReadonlySet<string>> {
    const files = (await namesIn(this.#folder).catch(() => [])).filter((name) => name.endsWith(".json"));
    const entries = this.#options.state.keys().filter((key) => key.startsWith(pendingPrefix));
    const names = [
      ...files.map((name) => name.slice(0, -".json".length)),
      ...entries.map((key) => key.slice(pendingPrefix.length)),
    ];
    return new Set([...names, ...this.#unwritten.keys()].filter(isUuid));
  }

  async #read(id: string): Promise<StoredImage | undefined> {
    const unwritten = this.#unwritten.get(id);
    if (unwritten) return unwritten;
    const text = await unlessMissing(readFile(this.#fileOf(id), "utf8")).catch(() => undefined);
    const stored = text === undefined ? this.#options.state.get<unknown>(pendingPrefix + id) : parseJson(text);
    const image = readPendingImage(id, stored);
    const bytes = asText(asObject(stored)?.bytes);
    return image && { image, ...(bytes !== undefined && { bytes: Buffer.from(bytes, "base64") }) };
  }

  /** If the file cannot be written, such as on a full disk, VS Code's state holds the link. */
  async #write(unwritten: StoredImage): Promise<PendingImage> {
    const { image, bytes } = unwritten;
    const stored = { ...image, ...(bytes && { bytes: Buffer.from(bytes).toString("base64") }) };
    try {
      await this.#disk.write(this.#fileOf(image.id), JSON.stringify(stored));
      this.#unwritten.delete(image.id);
    } catch {
      this.#unwritten.set(image.id, unwritten);
      if (!bytes) await this.#options.state.update(pendingPrefix + image.id, image).then(undefined, () => undefined);
    }
    return image;
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

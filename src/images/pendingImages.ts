import { existsSync } from "node:fs";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
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

/** How long a link is kept, in milliseconds: 30 days. */
const retention = 30 * 24 * 60 * 60 * 1000;

/** An image as it is kept, with its bytes if it has no link. */
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
  /** VS Code's state, which has the images of version 1.1.0, and links that cannot be written to a file. */
  readonly state: Memento;
  /** The extension's storage folder, of all windows. */
  readonly storage: string;
  readonly now?: () => number;
  readonly claims?: WindowClaims;
  readonly disk?: Disk;
}

/**
 * Images that are paid for but not saved yet, known to all windows: a file for each. What a window is saving is claimed by
 * it (`WindowClaims`), and left alone by the others.
 */
export class PendingImages {
  readonly #options: PendingOptions;
  readonly #folder: string;
  readonly #now: () => number;
  readonly #claims: WindowClaims;
  readonly #disk: Disk;
  readonly #inHand = new Set<string>();
  /** Images that could not be written. Their bytes are lost with the window. */
  readonly #unwritten = new Map<string, StoredImage>();

  constructor(options: PendingOptions) {
    this.#options = options;
    this.#folder = join(options.storage, "images");
    this.#now = options.now ?? Date.now;
    this.#claims = options.claims ?? new WindowClaims(this.#folder);
    this.#disk = options.disk ?? { write: writeFileWhole, remove: (path) => rm(path, { force: true }) };
  }

  /** The images that no window is saving, without links that are too old. */
  async all(): Promise<readonly PendingImage[]> {
    const taken = await this.#claims.taken().catch(() => new Set());
    const all = await Promise.all([...(await this.#ids())].map((id) => this.#read(id)));
    const images = all.flatMap((kept) => (kept && !this.#isOld(kept.image) ? [kept.image] : []));
    return images.filter(({ id }) => !taken.has(id) && !this.#inHand.has(id));
  }

  /** Keeps the images of an answer. Does not fail: what cannot be written stays in memory. */
  async keep({ size, ...order }: OrderedImage, { images, usage }: ImageAnswer): Promise<readonly PendingImage[]> {
    const keptAt = this.#now();
    const kept = images.map(async (source, index) => {
      const known = { ...(size !== undefined && { size }), ...(index === 0 && usage && { usage }) };
      const facts = { id: crypto.randomUUID(), ...order, keptAt, ...known };
      if ("url" in source) return await this.#write({ image: { ...facts, url: source.url } });
      return await this.#write({ image: { ...facts, isInline: true }, bytes: source.bytes });
    });
    return await Promise.all(kept);
  }

  /** Updates an image. */
  async update(image: PendingImage): Promise<PendingImage> {
    const bytes = image.isInline && { bytes: await this.read(image) };
    return await this.#write({ image, ...bytes });
  }

  /** Removes an image that was saved or given up. Rejects if it is still there. */
  async forget({ id }: Pick<PendingImage, "id">): Promise<void> {
    for (const file of [this.#fileOf(id), this.#oldFileOf(id)]) if (existsSync(file)) await this.#disk.remove(file);
    if (this.#options.state.get(pendingPrefix + id) !== undefined)
      await this.#options.state.update(pendingPrefix + id, undefined);
    this.#unwritten.delete(id);
  }

  /** Removes these images, except those that a window has begun to save. */
  async clear(images: readonly PendingImage[]): Promise<void> {
    for (const { id } of images) await this.hold(id, () => this.forget({ id }));
  }

  /** Runs work on an image, unless a window is working on it or it is not pending any more. */
  async hold<T>(id: string, work: () => Promise<T>): Promise<T | undefined> {
    if (this.#inHand.has(id)) return undefined;
    this.#inHand.add(id);
    try {
      // Where nothing can be claimed, such as on a full disk, it is better saved twice than not at all.
      const isFree = await this.#claims.take(id).catch(() => true);
      return isFree && (await this.#read(id)) ? await work() : undefined;
    } finally {
      await this.#claims.release(id);
      this.#inHand.delete(id);
    }
  }

  /** Reads the bytes of an image without a link. */
  async read({ id }: PendingImage): Promise<Uint8Array> {
    return (await this.#read(id))?.bytes ?? (await readFile(this.#oldFileOf(id)));
  }

  /** Removes links that have expired. */
  async tidy(): Promise<void> {
    const images = await Promise.all([...(await this.#ids())].map((id) => this.#read(id)));
    for (const kept of images) if (kept && this.#isOld(kept.image)) await this.clear([kept.image]);
  }

  #isOld({ url, keptAt = Infinity }: PendingImage): boolean {
    return url !== undefined && keptAt < this.#now() - retention;
  }

  /** From the names of files and of entries in the state, which may be anything. */
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

  /** Where a file cannot be written, such as on a full disk, VS Code keeps the link. */
  async #write(kept: StoredImage): Promise<PendingImage> {
    const { image, bytes } = kept;
    const stored = { ...image, ...(bytes && { bytes: Buffer.from(bytes).toString("base64") }) };
    try {
      await this.#disk.write(this.#fileOf(image.id), JSON.stringify(stored));
      this.#unwritten.delete(image.id);
    } catch {
      this.#unwritten.set(image.id, kept);
      if (!bytes) await this.#options.state.update(pendingPrefix + image.id, image).then(undefined, () => undefined);
    }
    return image;
  }

  #fileOf(id: string): string {
    return join(this.#folder, `${checkedId(id)}.json`);
  }

  /** The bytes that version 1.1.0 kept. */
  #oldFileOf(id: string): string {
    return join(this.#options.storage, checkedId(id));
  }
}

/** Only an id names a file, so that no other file is read or deleted. */
function checkedId(id: string): string {
  if (isUuid(id)) return id;
  throw new Error("The id of an image is not a UUID.");
}

/** Writes a file that only the user may read, or leaves it as it was. */
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

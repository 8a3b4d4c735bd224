import { type Event, EventEmitter, type Memento } from "vscode";
import { type ImageRecord, readImageRecord } from "../storedImages.ts";

const key = "images";

/** Maximum number of images, and how long they are listed, in milliseconds: 90 days. */
const maxImages = 500;
const retention = 90 * 24 * 60 * 60 * 1000;

/** The images of this workspace, newest first. */
export class ImageHistory {
  readonly #state: Memento;
  readonly #now: () => number;
  readonly #changed = new EventEmitter<undefined>();
  readonly onDidChange: Event<undefined> = this.#changed.event;

  constructor(state: Memento, now: () => number = Date.now) {
    this.#state = state;
    this.#now = now;
  }

  all(): readonly ImageRecord[] {
    const oldest = this.#now() - retention;
    return this.#stored.filter(({ savedAt }) => savedAt >= oldest);
  }

  /** The image in a file, by its URI or the one under which it was saved. */
  find(uri: unknown): ImageRecord | undefined {
    const images = this.all();
    return (
      images.find(({ file }) => file === uri) ??
      images.find(({ original }) => original !== undefined && original === uri)
    );
  }

  get #stored(): readonly ImageRecord[] {
    const stored = this.#state.get<unknown>(key);
    const images = Array.isArray(stored) ? stored.slice(0, maxImages).map(readImageRecord) : [];
    return images.filter((image) => image !== undefined);
  }

  async add(image: ImageRecord): Promise<void> {
    await this.#replace([image, ...this.all().filter(({ file }) => file !== image.file)]);
  }

  /** Removes images whose files are gone, and those that are too old. */
  async remove(files: ReadonlySet<string>): Promise<void> {
    const remaining = this.all().filter(({ file }) => !files.has(file));
    if (remaining.length < this.#stored.length) await this.#replace(remaining);
  }

  /** Updates images whose files were moved, from old to new URIs. */
  async move(files: readonly (readonly [string, string])[]): Promise<void> {
    const images = this.all();
    const moved = images.map((image) => {
      const file = movedTo(image.file, files);
      return file === image.file ? image : { original: image.file, ...image, file };
    });
    if (moved.some((image, index) => image !== images[index])) await this.#replace(moved);
  }

  /** Clears the history. The files stay. */
  async clear(): Promise<void> {
    await this.#replace([]);
  }

  dispose(): void {
    this.#changed.dispose();
  }

  async #replace(images: readonly ImageRecord[]): Promise<void> {
    const recent = images.slice(0, maxImages);
    const saved = this.#state.update(key, recent.length > 0 ? recent : undefined);
    this.#changed.fire(undefined);
    await saved;
  }
}

function movedTo(file: string, files: readonly (readonly [string, string])[]): string {
  for (const [from, to] of files) if (file === from || file.startsWith(`${from}/`)) return to + file.slice(from.length);
  return file;
}

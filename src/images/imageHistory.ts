import { type Event, EventEmitter, type Memento } from "vscode";
import type { Usage } from "../gateway/types.ts";

/** An image that was saved. Plain JSON, because it is kept in VS Code's state. */
export interface ImageRecord {
  /** The file's URI. */
  readonly file: string;
  readonly prompt: string;
  readonly size?: string;
  /** What the order used; where it brought several images, the first one has it. */
  readonly usage?: Usage;
  /** Milliseconds since the epoch. */
  readonly savedAt: number;
}

const key = "images";

/** The images of this workspace, newest first. */
export class ImageHistory {
  private readonly state: Memento;
  private readonly changed = new EventEmitter<undefined>();
  readonly onDidChange: Event<undefined> = this.changed.event;

  constructor(state: Memento) {
    this.state = state;
  }

  all(): readonly ImageRecord[] {
    return this.state.get<readonly ImageRecord[]>(key, []);
  }

  /** The image whose file has this URI. */
  find(file: string): ImageRecord | undefined {
    return this.all().find((image) => image.file === file);
  }

  async add(image: ImageRecord): Promise<void> {
    await this.replace([image, ...this.all().filter(({ file }) => file !== image.file)]);
  }

  /** Forgets images whose files are gone. */
  async remove(files: ReadonlySet<string>): Promise<void> {
    const left = this.all().filter(({ file }) => !files.has(file));
    if (left.length < this.all().length) await this.replace(left);
  }

  /** Follows files that were moved or renamed, by their old and new URIs. */
  async move(files: readonly (readonly [string, string])[]): Promise<void> {
    const moved = this.all().map((image) => ({ ...image, file: movedTo(image.file, files) }));
    if (moved.some(({ file }, index) => file !== this.all()[index]?.file)) await this.replace(moved);
  }

  dispose(): void {
    this.changed.dispose();
  }

  private async replace(images: readonly ImageRecord[]): Promise<void> {
    const saved = this.state.update(key, images);
    this.changed.fire(undefined);
    await saved;
  }
}

function movedTo(file: string, files: readonly (readonly [string, string])[]): string {
  for (const [from, to] of files) if (file === from || file.startsWith(`${from}/`)) return to + file.slice(from.length);
  return file;
}

import {
  EventEmitter,
  type FileChangeEvent,
  type FileStat,
  FileSystemError,
  type FileSystemProvider,
  FileType,
  type Uri,
} from "vscode";

/** A virtual file system, as remote repositories have one. A folder is an entry without bytes. */
export class MemoryFiles implements FileSystemProvider {
  readonly entries = new Map<string, Uint8Array | undefined>();
  readonly onDidChangeFile = new EventEmitter<FileChangeEvent[]>().event;

  watch(): { dispose: () => void } {
    return { dispose: () => undefined };
  }

  stat(uri: Uri): FileStat {
    if (uri.path !== "/" && !this.entries.has(uri.path)) throw FileSystemError.FileNotFound(uri);
    const bytes = this.entries.get(uri.path);
    const type = bytes === undefined ? FileType.Directory : FileType.File;
    return { type, ctime: 0, mtime: 0, size: bytes?.length ?? 0 };
  }

  readDirectory({ path }: Uri): [string, FileType][] {
    const inside = [...this.entries.keys()].filter((entry) => entry.startsWith(`${path}/`));
    return inside.map((entry) => [entry.slice(path.length + 1), FileType.File]);
  }

  createDirectory(uri: Uri): void {
    this.entries.set(uri.path, undefined);
  }

  readFile(uri: Uri): Uint8Array {
    const bytes = this.entries.get(uri.path);
    if (bytes === undefined) throw FileSystemError.FileNotFound(uri);
    return bytes;
  }

  writeFile(uri: Uri, content: Uint8Array): void {
    this.entries.set(uri.path, content);
  }

  delete(uri: Uri): void {
    this.entries.delete(uri.path);
  }

  rename(from: Uri, to: Uri, { overwrite }: { readonly overwrite: boolean }): void {
    if (!overwrite && this.entries.has(to.path)) throw FileSystemError.FileExists(to);
    this.entries.set(to.path, this.readFile(from));
    this.entries.delete(from.path);
  }
}

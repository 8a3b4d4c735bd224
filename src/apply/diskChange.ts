import { FileText } from "../edits/change/fileText.ts";
import { diffLines, type LineChange } from "../text/diffLines.ts";

/** What a change does to one file: without `before` it is created, without `after` deleted, with `newUri` renamed. */
export interface DiskChange {
  /** The file's URI as text, before the change. */
  readonly uri: string;
  readonly newUri?: string | undefined;
  readonly before?: Uint8Array | undefined;
  readonly after?: Uint8Array | undefined;
  /** The URI of the topmost folder that is created with the file. */
  readonly newFolder?: string | undefined;
  /** The permissions of the file as Node reports them; only for files on this machine. */
  readonly mode?: number | undefined;
  /** Whether the change stays written in this file, because the Apply or Undo that is running, or ran last, skips it. */
  readonly stays?: boolean | undefined;
  /** Whether the user had kept it, as a part of the edit, before the rest was applied. */
  readonly isAccepted?: boolean | undefined;
}

/** Access to the files of the workspace. */
export interface FileAccess {
  /** The bytes of a file with its unsaved changes; `undefined` if there is none. */
  read(uri: string): Promise<Uint8Array | undefined>;
  /** Saves a file, and returns whether it had unsaved changes. */
  save(uri: string): Promise<boolean>;
  /** Writes a file in place, with its folders. */
  write(uri: string, bytes: Uint8Array, mode?: number): Promise<void>;
  /** Deletes a file that exists. */
  remove(uri: string): Promise<void>;
  /** The topmost folder that writing a file creates; `undefined` if its folder exists. */
  missingFolder(uri: string): Promise<string | undefined>;
  /** Deletes the folders of a file up to `top`, as long as they are empty. */
  removeFolders(uri: string, top: string): Promise<void>;
}

/** The URIs that a change is about: a renamed file has two. */
export function urisOf({ uri, newUri }: Pick<DiskChange, "uri" | "newUri">): readonly string[] {
  return newUri === undefined ? [uri] : [uri, newUri];
}

/** The URI of a file after its change. */
export function newUriOf({ uri, newUri }: DiskChange): string {
  return newUri ?? uri;
}

/** What changes at the URIs of some files. */
export function writesOf(changes: readonly DiskChange[]): readonly DiskChange[] {
  const writes = changes.flatMap(({ newUri, ...change }): readonly DiskChange[] =>
    newUri === undefined
      ? [change]
      : [
          { ...change, after: undefined, newFolder: undefined },
          { ...change, uri: newUri, before: undefined },
        ],
  );
  // Deletes last, so that a moved file always exists at one path.
  return writes.toSorted((one, other) => Number(one.after === undefined) - Number(other.after === undefined));
}

/** What happens to a file. */
export function kindOf({ newUri, before, after }: DiskChange): "update" | "create" | "delete" | "rename" {
  if (newUri !== undefined) return "rename";
  if (before === undefined) return "create";
  return after === undefined ? "delete" : "update";
}

/** The lines that a file changes, at their positions before and after. */
export function changedLines({ before, after }: DiskChange): readonly LineChange[] {
  const [old, lines] = [before, after].map((bytes) => new FileText(textOf(bytes)).lines);
  return diffLines(old ?? [], lines ?? []);
}

/** The text of a file, without its byte order mark; empty for no file. */
export function textOf(bytes: Uint8Array | undefined): string {
  return bytes ? new TextDecoder().decode(bytes) : "";
}

/** Whether two contents are the same; `undefined` means that there is no file. */
export function isSame(one: Uint8Array | undefined, other: Uint8Array | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return Buffer.compare(one, other) === 0;
}

/** The text of a file with its byte order mark; `undefined` if it is binary or not UTF-8. */
export function utf8In(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.includes("\0") ? undefined : text;
  } catch {
    return undefined;
  }
}

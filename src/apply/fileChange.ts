/** What a change does to one file: without `before` it is created, without `after` deleted; a renamed file is one of each. */
export interface FileChange {
  /** The file's URI as text. */
  readonly uri: string;
  readonly before?: Uint8Array | undefined;
  readonly after?: Uint8Array | undefined;
  /** For a file that was renamed: the URI that it had. */
  readonly renamedFrom?: string | undefined;
  /** For a file that is created: the URI of the topmost folder that is created with it. */
  readonly newFolder?: string | undefined;
  /** The permissions of the file as Node gives them; only for files on this machine. */
  readonly mode?: number | undefined;
  /** Whether the Apply or Undo that is running, or was the last to run, skips this file: the change stays written in it. */
  readonly stays?: boolean | undefined;
}

/** Access to the files of the workspace. */
export interface Files {
  /** The bytes of a file with its unsaved changes; `undefined` if there is none. */
  read(uri: string): Promise<Uint8Array | undefined>;
  /** Saves a file, and says whether it had unsaved changes. */
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

/** Whether two contents are the same; `undefined` stands for no file. */
export function isSame(one: Uint8Array | undefined, other: Uint8Array | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return one.length === other.length && startsWith(one, other);
}

export function startsWith(whole: Uint8Array, start: Uint8Array): boolean {
  return start.length <= whole.length && Buffer.compare(whole.subarray(0, start.length), start) === 0;
}

/** The text of a file with its byte order mark; `undefined` if it is not UTF-8, or binary. */
export function utf8In(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.includes("\0") ? undefined : text;
  } catch {
    return undefined;
  }
}

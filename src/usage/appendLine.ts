import { closeSync, constants, mkdirSync, openSync, writeSync } from "node:fs";
import { mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";
import { ownFile, ownFolder } from "../text/ownFiles.ts";

/** Appends to files. Tests replace it by one whose disk is full. */
export interface Appender {
  /** Appends a text. Rejects with `ENOENT` where a known file is gone; a new one is created, with its folder. */
  append(file: string, text: string, isNew: boolean): Promise<void>;
  /** The same for the last moment of a window, which waits for nothing. */
  appendNow(file: string, text: string, isNew: boolean): void;
}

const { O_APPEND, O_CREAT, O_EXCL, O_WRONLY } = constants;

/** Opens the file for each text, so that one that was deleted meanwhile does not get any more. */
export const diskAppender: Appender = {
  async append(file, text, isNew) {
    if (isNew) await mkdir(dirname(file), { recursive: true, mode: ownFolder });
    const handle = await open(file, flags(isNew), ownFile);
    try {
      await handle.appendFile(text);
      await handle.datasync();
    } finally {
      await handle.close();
    }
  },
  appendNow(file, text, isNew) {
    if (isNew) mkdirSync(dirname(file), { recursive: true, mode: ownFolder });
    const descriptor = openSync(file, flags(isNew), ownFile);
    try {
      writeSync(descriptor, text);
    } finally {
      closeSync(descriptor);
    }
  },
};

function flags(isNew: boolean): number {
  return isNew ? O_WRONLY | O_APPEND | O_CREAT | O_EXCL : O_WRONLY | O_APPEND;
}

import { CancellationTokenSource, type Uri, workspace } from "vscode";
import { diskFiles, unsavedBytes } from "../../apply/diskFiles.ts";
import { utf8In } from "../../apply/diskChange.ts";
import type { RefusalKind } from "../../apply/refusalTexts.ts";
import { maxPathLength, pathAndMention } from "../../edits/read/paths.ts";
import type { Restore } from "../../edits/resolveEdits.ts";
import type { FileGate } from "../../reading/fileGate.ts";
import { pathOf, uriOf } from "../../reading/promptPaths.ts";
import { ReadAllowance } from "../../reading/readAllowance.ts";
import { hasUnusableName } from "../../files/fileNames.ts";
import { hasTooManyLines, splitLines } from "../../text/lines.ts";
import type { WindowSecrets } from "../../text/secrets/windowSecrets.ts";
import type { ContextPart } from "../context/planQuestion.ts";
import { fileLimit, sizeOf } from "../context/readFile.ts";
import type { KnownFiles, NamedPaths } from "./resolveAnswer.ts";

/** Decides which files may be read, and restores secrets. */
interface SnapshotServices {
  readonly gate: FileGate;
  readonly secrets: WindowSecrets;
}

/** Maximum number of files that an abbreviated path may mean, and of such paths in one search. */
const maxCandidates = 20;
const pathsPerSearch = 50;
/** Maximum time of all searches, in milliseconds: links can lead to all of a disk. */
const searchTime = 5_000;

/** The files of a question, and files that its answers name and that pass the gate, by path, as they are when the answer ends. */
export class FileSnapshot implements KnownFiles {
  /** With byte order marks, and with unsaved changes. */
  readonly texts = new Map<string, string>();
  /** The paths of files whose current text the model was shown in full. */
  readonly shownInFull = new Set<string>();
  readonly denied = new Map<string, RefusalKind>();
  readonly restore: Restore;
  readonly #gate: FileGate;
  /** One for all answers, because these can name any files. */
  readonly #allowance = new ReadAllowance();

  constructor({ gate, secrets }: SnapshotServices) {
    this.#gate = gate;
    this.restore = (line) => secrets.restore(line);
  }

  static async of(parts: readonly ContextPart[], services: SnapshotServices): Promise<FileSnapshot> {
    const snapshot = new FileSnapshot(services);
    for (const { uri, text } of parts) {
      const path = uri && pathOf(uri);
      if (!path) continue;
      await snapshot.#add(path, uri);
      if (normalizedText(snapshot.texts.get(path) ?? "") === normalizedText(text)) snapshot.shownInFull.add(path);
    }
    return snapshot;
  }

  /** Reads the files that paths of an answer may mean, so that none is overwritten or mistaken for another. */
  async addNamed({ all, existing }: NamedPaths): Promise<void> {
    const named = new Map<string, Uri>();
    const short: string[] = [];
    for (const written of all) {
      for (const path of new Set(pathAndMention(written))) {
        const uri = isSafeRelativePath(path) ? uriOf(path) : undefined;
        if (uri) named.set(path, uri);
        if (uri && existing.has(written)) short.push(path);
      }
    }
    await this.#addPermitted(named);
    const found = await findBySuffix(short.filter((path) => !this.#knows(path)));
    await this.#addPermitted(new Map(found.map((uri) => [pathOf(uri) ?? "", uri])));
  }

  /** Reads those that pass the gate, and notes why the others are denied. */
  async #addPermitted(files: ReadonlyMap<string, Uri>): Promise<void> {
    const fresh = [...files].filter(([path]) => !this.#knows(path));
    const denied = await this.#gate.denied(fresh.map(([, uri]) => uri));
    for (const [path, uri] of fresh) {
      const reason = denied.get(uri);
      if (reason === undefined) await this.#add(path, uri, this.#allowance);
      else this.denied.set(path, reason);
    }
  }

  /** Reads a file as it will be once it is saved. */
  async #add(path: string, uri: Uri, allowance?: ReadAllowance): Promise<void> {
    if (path === "" || this.#knows(path)) return;
    const size = await sizeOf(uri);
    // There is nothing to read, for whatever reason. If the file exists after all, the edit is not applied.
    if (size === undefined) return;
    const isLarge = size > fileLimit;
    if (!isLarge && allowance?.take(size) === false) {
      this.denied.set(path, "tooManyFiles");
      return;
    }
    const bytes = isLarge ? "unreadable" : (unsavedBytes(uri) ?? (await diskFiles.read(uri.toString())));
    if (bytes === undefined) return;
    const text = bytes === "unreadable" ? undefined : utf8In(bytes);
    if (text === undefined) this.denied.set(path, "notText");
    else if (hasTooManyLines(text)) this.denied.set(path, "tooManyLines");
    else this.texts.set(path, text);
  }

  #knows(path: string): boolean {
    return this.texts.has(path) || this.denied.has(path);
  }
}

/** Whether a path stays inside its folder, and may be one of a file. */
function isSafeRelativePath(path: string): boolean {
  if (path.length > maxPathLength || hasUnusableName(path)) return false;
  return path !== "" && !path.startsWith("/") && !/[\0:]/.test(path) && !path.split("/").includes("..");
}

/** Files whose path ends with one of `paths`, which may be in any folder of the workspace. */
async function findBySuffix(paths: readonly string[]): Promise<readonly Uri[]> {
  const found: Uri[] = [];
  const stop = new CancellationTokenSource();
  const timer = setTimeout(() => {
    stop.cancel();
  }, searchTime);
  try {
    for (let start = 0; start < paths.length; start += pathsPerSearch) {
      const globs = paths
        .slice(start, start + pathsPerSearch)
        .map((path) => `**/${path.replace(/[[\]{}*?!,]/g, "[$&]")}`);
      const glob = globs.length === 1 ? (globs[0] ?? "") : `{${globs.join(",")}}`;
      found.push(...(await workspace.findFiles(glob, undefined, maxCandidates * globs.length, stop.token)));
    }
  } finally {
    clearTimeout(timer);
    stop.dispose();
  }
  return found;
}

/** A text without what editors do not show: its byte order mark and the kind of its line endings. */
function normalizedText(text: string): string {
  return splitLines(text.replace(/^\uFEFF/, "")).join("\n");
}

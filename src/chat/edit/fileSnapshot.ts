import { CancellationTokenSource, type Uri, workspace } from "vscode";
import { longestPath } from "../../edits/paths.ts";
import { splitLines } from "../../text/lines.ts";
import type { ContextPart } from "../context/fitContext.ts";
import { readBytes } from "./fileBytes.ts";
import type { KnownFiles, NamedPaths } from "./resolveAnswer.ts";
import { pathOf, uriOf } from "./workspacePaths.ts";

/** The most files that an abbreviated path may mean, and how many such paths are looked for at once. */
const mostCandidates = 20;
const atOnce = 50;
/** How long looking for them may take, in milliseconds: links can lead to all of a disk. */
const patience = 5_000;

/** The files of a question, and those that its answer names besides, as they are once it is answered. */
export class FileSnapshot implements Omit<KnownFiles, "asked"> {
  readonly texts = new Map<string, string>();
  readonly bytes = new Map<string, Uint8Array>();
  readonly whole = new Set<string>();
  readonly unreadable = new Set<string>();

  /** Reads the files that the model was shown. It has read in full those that have not changed since. */
  static async of(parts: readonly ContextPart[]): Promise<FileSnapshot> {
    const snapshot = new FileSnapshot();
    for (const { uri, text } of parts) {
      const path = uri && pathOf(uri);
      if (!path) continue;
      await snapshot.#add(path, uri);
      if (linesOf(snapshot.texts.get(path) ?? "") === linesOf(text)) snapshot.whole.add(path);
    }
    return snapshot;
  }

  /** Reads the files that paths of an answer may mean, so that none is overwritten or mistaken for another. */
  async addNamed({ all, existing }: NamedPaths): Promise<void> {
    const missing: string[] = [];
    for (const written of all) {
      for (const path of new Set([written, written.replace(/^(?:\.\/)+/, ""), written.replace(/^[ab]\//, "")])) {
        if (!isPlain(path)) continue;
        const uri = uriOf(path);
        if (uri) await this.#add(path, uri);
        if (existing.has(written) && !this.texts.has(path)) missing.push(path);
      }
    }
    for (const candidate of await candidatesFor(missing)) await this.#add(pathOf(candidate) ?? "", candidate);
  }

  async #add(path: string, uri: Uri): Promise<void> {
    if (path === "" || this.texts.has(path) || this.unreadable.has(path)) return;
    const file = await readBytes(uri);
    if (file === "unreadable") this.unreadable.add(path);
    else if (file !== "missing") {
      this.texts.set(path, file.text);
      this.bytes.set(path, file.bytes);
    }
  }
}

/** Whether a path stays inside its folder, and may be one of a file. */
function isPlain(path: string): boolean {
  if (path.length > longestPath) return false;
  return path !== "" && !path.startsWith("/") && !/[\0:]/.test(path) && !path.split("/").includes("..");
}

/** Files whose path ends with one of these. */
async function candidatesFor(paths: readonly string[]): Promise<readonly Uri[]> {
  const found: Uri[] = [];
  const stop = new CancellationTokenSource();
  const timer = setTimeout(() => {
    stop.cancel();
  }, patience);
  try {
    for (let start = 0; start < paths.length; start += atOnce) {
      const globs = paths.slice(start, start + atOnce).map((path) => `**/${path.replace(/[[\]{}*?!,]/g, "[$&]")}`);
      const glob = globs.length === 1 ? (globs[0] ?? "") : `{${globs.join(",")}}`;
      found.push(...(await workspace.findFiles(glob, undefined, mostCandidates * globs.length, stop.token)));
    }
  } finally {
    clearTimeout(timer);
    stop.dispose();
  }
  return found;
}

/** A text without what editors do not show: its byte order mark and the form of its line endings. */
function linesOf(text: string): string {
  return splitLines(text.replace(/^\uFEFF/, "")).join("\n");
}

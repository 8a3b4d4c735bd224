import { type Uri, workspace } from "vscode";
import { splitLines } from "../../text/lines.ts";
import type { ContextPart } from "../context/fitContext.ts";
import { readBytes } from "./fileBytes.ts";
import type { KnownFiles } from "./resolveAnswer.ts";
import { pathOf, uriOf } from "./workspacePaths.ts";

/** The most files that an abbreviated path may mean. */
const mostCandidates = 20;

/** The files of a question as they are when it is asked, and those that its answer names besides. */
export class FileSnapshot implements Omit<KnownFiles, "asked"> {
  readonly texts = new Map<string, string>();
  readonly bytes = new Map<string, Uint8Array>();
  readonly whole = new Set<string>();
  readonly unreadable = new Set<string>();

  /** Reads the files that the model is shown. */
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
  async addNamed(paths: Iterable<string>): Promise<void> {
    for (const written of paths) {
      for (const path of new Set([written, written.replace(/^(?:\.\/)+/, ""), written.replace(/^[ab]\//, "")])) {
        const uri = isPlain(path) ? uriOf(path) : undefined;
        if (uri) await this.#add(path, uri);
        if (this.texts.has(path) || !isPlain(path)) continue;
        for (const candidate of await candidatesFor(path)) await this.#add(pathOf(candidate) ?? "", candidate);
      }
    }
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

/** Whether a path stays inside its folder. */
function isPlain(path: string): boolean {
  return path !== "" && !path.startsWith("/") && !/[\0:]/.test(path) && !path.split("/").includes("..");
}

/** Files whose path ends with this one. */
async function candidatesFor(path: string): Promise<readonly Uri[]> {
  const escaped = path.replace(/[[\]{}*?!]/g, "[$&]");
  return workspace.findFiles(`**/${escaped}`, undefined, mostCandidates);
}

/** A text without what editors do not show: its byte order mark and the form of its line endings. */
function linesOf(text: string): string {
  return splitLines(text.replace(/^\uFEFF/, "")).join("\n");
}

import { TabInputText, type Uri, window, workspace } from "vscode";
import { realpath } from "node:fs/promises";
import { isInside } from "../../text/isInside.ts";
import { isSecretFile } from "../../text/secretFiles.ts";

/** Who named a file: the user, VS Code for the user, an earlier turn of the chat, or the folder it was found in. */
export type Origin = "attached" | "implicit" | "earlier" | { readonly folder: Uri };

/** Whether a file goes along: as it is, with a word about it, not as it may hold secrets, not as it is elsewhere. */
export type Verdict = "sent" | "sentSecret" | "secret" | "outside";

/**
 * What the user attaches goes along. What others name has to be in the workspace, or in the folder the user attached, by
 * its real path too, or to stand in an editor; and it must not be a file that keeps secrets.
 */
export async function judgeFile(uri: Uri, origin: Origin): Promise<Verdict> {
  const real = await realPathOf(uri);
  const isSecret = isSecretFile(uri.path) || isSecretFile(real ?? "");
  if (origin === "attached") return isSecret ? "sentSecret" : "sent";
  const isKnown = origin === "implicit" || isInTab(uri) || (await isWithin(uri, real, rootsFor(origin)));
  if (!isKnown) return "outside";
  return isSecret ? "secret" : "sent";
}

function rootsFor(origin: Origin): readonly Uri[] {
  const folders = (workspace.workspaceFolders ?? []).map(({ uri }) => uri);
  return typeof origin === "object" ? [origin.folder, ...folders] : folders;
}

function isInTab(uri: Uri): boolean {
  const tabs = window.tabGroups.all.flatMap((group) => group.tabs);
  return tabs.some(({ input }) => input instanceof TabInputText && input.uri.toString() === uri.toString());
}

async function isWithin(uri: Uri, real: string | undefined, roots: readonly Uri[]): Promise<boolean> {
  const near = roots.filter(({ scheme, authority }) => scheme === uri.scheme && authority === uri.authority);
  if (uri.scheme !== "file") {
    const isClimbing = uri.path.split("/").includes("..");
    return (
      !isClimbing && near.some(({ path }) => uri.path === path || uri.path.startsWith(`${path.replace(/\/$/, "")}/`))
    );
  }
  if (real === undefined) return false;
  const realRoots = await Promise.all(near.map(realPathOf));
  return realRoots.some((root) => root !== undefined && isInside(real, root));
}

/** Where a local file is once every link is followed; `undefined` for what is elsewhere, or not there. */
async function realPathOf({ scheme, fsPath }: Uri): Promise<string | undefined> {
  if (scheme !== "file") return undefined;
  try {
    return await realpath(fsPath);
  } catch {
    // What is not there is not read either.
    return undefined;
  }
}

import { TabInputText, type Uri, window, workspace } from "vscode";
import { isInsideAny, realPathOf } from "../../text/realPath.ts";
import { isSecretFile } from "../../text/secretFiles.ts";

/**
 * Where a file reference comes from: attached by the user, added by VS Code, an earlier turn, or a folder's content.
 */
export type Origin = "attached" | "implicit" | "earlier" | { readonly folder: Uri };

/**
 * Whether a file is sent: yes, yes with a note, no because it may hold secrets, or no because it is outside the
 * workspace.
 */
export type Verdict = "sent" | "sentSecret" | "secret" | "outside";

/**
 * Files that the user attached are sent. Any other file must be open in an editor, or be inside the workspace or the
 * attached folder by its real path too, and must not be a file that typically holds secrets.
 */
export async function judgeFile(uri: Uri, origin: Origin): Promise<Verdict> {
  const real = uri.scheme === "file" ? await realPathOf(uri.fsPath) : undefined;
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
  return await isInsideAny(
    real,
    near.map(({ fsPath }) => fsPath),
  );
}

import { access, constants, stat } from "node:fs/promises";
import { delimiter, dirname, isAbsolute, join } from "node:path";
import { isReallyInside } from "../files/realPath.ts";

/** The folder of Apple's stand-in for Git, which may offer to install it. */
const appleStub = "/usr/bin";

/** Where Git may be. */
export interface FindGitOptions {
  /** Programs from the user's settings and VS Code's Git extension. */
  readonly named: readonly unknown[];
  /** The folders of the workspace. Programs in them are not used. */
  readonly folders: readonly string[];
  /** By default, the environment's `PATH`. */
  readonly path?: string | undefined;
  readonly platform?: NodeJS.Platform;
}

/** The Git program to run, by its absolute path. */
export async function findGit({
  named,
  folders,
  path = process.env.PATH ?? "",
  platform = process.platform,
}: FindGitOptions): Promise<string | undefined> {
  for (const program of named) {
    if (typeof program === "string" && isAbsolute(program) && (await isProgram(program))) return program;
  }
  for (const folder of path.split(delimiter)) {
    // Relative folders may be in the workspace.
    if (!isAbsolute(folder) || (platform === "darwin" && folder === appleStub)) continue;
    const program = join(folder, platform === "win32" ? "git.exe" : "git");
    if ((await isProgram(program)) && !(await passesThrough(program, folders))) return program;
  }
  return undefined;
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

/** Whether a part of a path is in one of the folders, whose links then decide where the path leads. */
async function passesThrough(path: string, folders: readonly string[]): Promise<boolean> {
  if (await isReallyInside(path, folders)) return true;
  return dirname(path) !== path && (await passesThrough(dirname(path), folders));
}

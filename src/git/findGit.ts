import { access, constants, stat } from "node:fs/promises";
import { delimiter, dirname, isAbsolute, join } from "node:path";
import { isReallyInside } from "../text/realPath.ts";

/** Where Apple installs Git. `/usr/bin/git` only starts it, or offers to install it. */
const appleFolders = [
  "/Library/Developer/CommandLineTools/usr/bin",
  "/Applications/Xcode.app/Contents/Developer/usr/bin",
];
const appleStub = "/usr/bin";

/** Where to look for Git. */
export interface GitPlaces {
  /** Programs that the user's settings or VS Code's Git extension name. */
  readonly named: readonly unknown[];
  /** The folders of the workspace. A program in one is not Git. */
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
}: GitPlaces): Promise<string | undefined> {
  for (const program of named) {
    if (typeof program === "string" && isAbsolute(program) && (await isProgram(program))) return program;
  }
  const isMac = platform === "darwin";
  // Anything else in PATH is relative to a folder that may be the workspace.
  const absolute = path.split(delimiter).filter((folder) => isAbsolute(folder) && !(isMac && folder === appleStub));
  for (const folder of [...absolute, ...(isMac ? appleFolders : [])]) {
    const program = join(folder, platform === "win32" ? "git.exe" : "git");
    if ((await isProgram(program)) && !(await leadsThrough(program, folders))) return program;
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

/** Whether a path has a part that is in one of the folders, so that what is in these decides where it leads. */
async function leadsThrough(path: string, folders: readonly string[]): Promise<boolean> {
  if (await isReallyInside(path, folders)) return true;
  return dirname(path) !== path && (await leadsThrough(dirname(path), folders));
}

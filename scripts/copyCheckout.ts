import { cp, symlink } from "node:fs/promises";
import { basename, join } from "node:path";
import { root } from "./paths.ts";

/** What a copy does without: packages, which it links to, and what can be made again. */
const omitted = new Set(["node_modules", "dist", ".git", ".vscode-test"]);

/** Copies the files of the repository as they are now into a new folder, with a link to the packages. */
export async function copyCheckout(folder: string): Promise<void> {
  const filter = (path: string): boolean => !omitted.has(basename(path)) && !path.endsWith(".vsix");
  await cp(root, folder, { recursive: true, filter });
  await symlink(join(root, "node_modules"), join(folder, "node_modules"), "junction");
}

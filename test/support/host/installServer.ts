import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { cacheFolder } from "../../../scripts/paths.ts";
import { runProgram } from "../../../scripts/runProgram.ts";
import { serverVersion } from "./vscodeVersion.ts";

/** Installs the VS Code server from npm unless it is cached, and returns the folder to start it in. */
export async function installServer(): Promise<string> {
  const version = serverVersion();
  const home = join(cacheFolder, `server-${version}`);
  if (!existsSync(home)) await installOnce(home, version);
  return vscodeFolder(home);
}

/** Installs to a temporary folder and renames it at the end, so that an interrupted install is never used. */
async function installOnce(home: string, version: string): Promise<void> {
  console.log(`Installing the VS Code server ${version} into ${cacheFolder} (once, about 600 MB) …`);
  await mkdir(cacheFolder, { recursive: true });
  const partial = await mkdtemp(`${home}-partial-`);
  try {
    const manifest = { private: true, dependencies: { "code-server": version } };
    await writeFile(join(partial, "package.json"), JSON.stringify(manifest));
    await npmInstall(partial);
    await npmInstall(vscodeFolder(partial), "--omit=dev");
    await npmInstall(join(vscodeFolder(partial), "extensions"), "--omit=dev");
    await rename(partial, home).catch((cause: unknown) => {
      if (!existsSync(home)) throw cause;
    });
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
}

/** Without install scripts, which would compile native modules that the server does not need (code-server 4.139). */
async function npmInstall(folder: string, ...options: readonly string[]): Promise<void> {
  await runProgram("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", ...options], { cwd: folder });
}

function vscodeFolder(home: string): string {
  return join(home, "node_modules", "code-server", "lib", "vscode");
}

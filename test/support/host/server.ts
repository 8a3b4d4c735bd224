import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { downloadFolder } from "../../../scripts/paths.ts";
import { runProgram } from "../../../scripts/runProgram.ts";
import type { Profile } from "./profile.ts";
import { serverVersion } from "./vscodeVersion.ts";

/** Options of a VS Code server. */
export interface ServerOptions {
  readonly profile: Profile;
  /** The packaged extensions to install at the start. */
  readonly extensions?: readonly string[];
  /** A port, or a range of which the first free one is taken; a free one by default. */
  readonly port?: string;
  /** Additional environment variables of the extension host; `undefined` removes one. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Opens folders in Restricted Mode until the user trusts them. */
  readonly asksForTrust?: boolean;
  /**
   * Lets a page run an extension test suite. This hides notifications (`--enable-smoke-test-driver`, VS Code 1.139.1),
   * so it is off for tests that read them.
   */
  readonly runsSuites?: boolean;
}

/** A VS Code server that listens on loopback. */
export interface Server {
  readonly port: number;
  /** The page that opens a folder or a `.code-workspace` file of this machine, or nothing. */
  url(target: string | undefined, payload?: readonly (readonly [string, string])[]): string;
  /** The URI of a file of this machine in the page. */
  uri(path: string): string;
  stop(): Promise<void>;
}

/** Starts the VS Code server and waits until it listens. */
export async function startServer(options: ServerOptions): Promise<Server> {
  const cwd = await installServer();
  const env = { ...process.env, ...options.env };
  // In a process group of its own, so that extension hosts, which outlive the server by seconds, end with it.
  const child = spawn(process.execPath, serverArguments(options), {
    cwd,
    env,
    stdio: ["ignore", "pipe", "ignore"],
    detached: process.platform !== "win32",
  });
  const endNow = (): void => {
    endGroup(child);
  };
  process.once("exit", endNow);
  const port = await listeningPort(child);
  const authority = `127.0.0.1:${port}`;
  return {
    port,
    url: (target, payload) => {
      const more = payload ? `&payload=${encodeURIComponent(JSON.stringify(payload))}` : "";
      return `http://${authority}/?${targetQuery(target)}${more}`;
    },
    uri: (path) => `vscode-remote://${authority}${uriPath(path)}`,
    stop: async () => {
      process.off("exit", endNow);
      if (!child.stdout.closed) await stop(child);
    },
  };
}

/** The URL query for a folder, a workspace file, or an empty window. */
function targetQuery(target: string | undefined): string {
  if (target === undefined) return "ew=true";
  const path = encodeURIComponent(uriPath(target)).replaceAll("%2F", "/");
  return `${target.endsWith(".code-workspace") ? "workspace" : "folder"}=${path}`;
}

function serverArguments({ profile, extensions = [], port, asksForTrust, runsSuites }: ServerOptions): string[] {
  const args = ["out/server-main.js", "--host", "127.0.0.1", "--port", port ?? "0", "--without-connection-token"];
  args.push("--accept-server-license-terms", "--telemetry-level", "off");
  // Extension hosts get the environment given here, without what the developer's shell would add to it at each start.
  args.push("--force-disable-user-env");
  args.push("--server-data-dir", profile.folder, "--extensions-dir", profile.extensions);
  args.push("--start-server", ...extensions.flatMap((path) => ["--install-extension", path]));
  if (!asksForTrust) args.push("--disable-workspace-trust");
  if (runsSuites) args.push("--enable-smoke-test-driver");
  return args;
}

async function listeningPort(child: ChildProcess): Promise<number> {
  if (!child.stdout) throw new Error("The VS Code server has no output to read its port from.");
  for await (const line of createInterface({ input: child.stdout })) {
    const port = /^Extension host agent listening on (\d+)/.exec(line)?.[1];
    if (port === undefined) continue;
    child.stdout.resume();
    return Number(port);
  }
  throw new Error("The VS Code server ended before it listened.");
}

async function stop(child: ChildProcess): Promise<void> {
  const closed = once(child, "close");
  endGroup(child);
  await closed;
}

/** Kills the group at once, because a temporary profile has nothing worth saving. */
function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  if (process.platform === "win32") {
    spawnSync("taskkill", ["/pid", String(pid), "/t", "/f"]);
    return;
  }
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended already.
  }
}

/** Converts `C:\a` to `/C:/a`, as in VS Code's URIs. */
function uriPath(path: string): string {
  const slashes = path.replaceAll("\\", "/");
  return slashes.startsWith("/") ? slashes : `/${slashes}`;
}

/** Installs the VS Code server from npm unless it is there, and returns the folder to start it in. */
export async function installServer(): Promise<string> {
  const version = serverVersion();
  const home = join(downloadFolder, `server-${version}`);
  if (!existsSync(home)) await installOnce(home, version);
  return vscodeFolder(home);
}

/** Installs to a temporary folder and renames it at the end, so that an interrupted install is never used. */
async function installOnce(home: string, version: string): Promise<void> {
  console.log(`Installing the VS Code server ${version} into ${downloadFolder} (once, about 600 MB) …`);
  await mkdir(downloadFolder, { recursive: true });
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

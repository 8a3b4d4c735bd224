import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { installServer } from "./installServer.ts";
import type { Profile } from "./profile.ts";
import { runProgram } from "./runProgram.ts";

/** How a VS Code server is started. */
export interface ServerOptions {
  readonly profile: Profile;
  /** A port, or a range of which the first free one is taken; a free one by default. */
  readonly port?: string;
  /** Added to the environment of the extension host. `undefined` takes a variable away. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Opens folders in Restricted Mode until the user trusts them. */
  readonly asksForTrust?: boolean;
  /** Modules to load into the server and its extension hosts before anything else. */
  readonly preloads?: readonly URL[];
  /** Lets a page run an extension test suite. It hides notifications, so it is off for tests that read them. */
  readonly runsSuites?: boolean;
}

/** A VS Code server that listens on loopback. */
export interface Server {
  readonly port: number;
  /** The page that opens a folder or a `.code-workspace` file of this machine, or nothing. */
  url(target: string | undefined, payload?: readonly (readonly [string, string])[]): string;
  /** How the page names a file of this machine. */
  uri(path: string): string;
  stop(): Promise<void>;
}

/** Installs packaged extensions into a profile. */
export async function installExtensions({ folder, extensions }: Profile, vsixPaths: readonly string[]): Promise<void> {
  const cwd = await installServer();
  const chosen = vsixPaths.flatMap((path) => ["--install-extension", path]);
  const args = ["out/server-main.js", ...chosen, "--extensions-dir", extensions, "--server-data-dir", folder];
  await runProgram(process.execPath, args, { cwd });
}

/** Starts the VS Code server and waits until it listens. */
export async function startServer(options: ServerOptions): Promise<Server> {
  const cwd = await installServer();
  const env = { ...process.env, ...options.env };
  // A group of its own, so that the extension hosts, which outlive the server for seconds, can be ended with it.
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

/** How the page is asked for a folder, a workspace file, or an empty window. */
function targetQuery(target: string | undefined): string {
  if (target === undefined) return "ew=true";
  const path = encodeURIComponent(uriPath(target)).replaceAll("%2F", "/");
  return `${target.endsWith(".code-workspace") ? "workspace" : "folder"}=${path}`;
}

function serverArguments({ profile, port, asksForTrust, preloads = [], runsSuites }: ServerOptions): string[] {
  // Node's own options go on to the extension hosts, unlike NODE_OPTIONS, which VS Code takes out of their environment.
  const args = [...preloads.flatMap(({ href }) => ["--import", href]), "out/server-main.js"];
  args.push("--host", "127.0.0.1", "--port", port ?? "0", "--without-connection-token");
  args.push("--accept-server-license-terms", "--telemetry-level", "off");
  args.push("--server-data-dir", profile.folder, "--extensions-dir", profile.extensions);
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

/** Without asking first: nothing in a throwaway profile is worth saving. */
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

/** `C:\a` becomes `/C:/a`, as VS Code writes paths in URIs. */
function uriPath(path: string): string {
  const slashes = path.replaceAll("\\", "/");
  return slashes.startsWith("/") ? slashes : `/${slashes}`;
}

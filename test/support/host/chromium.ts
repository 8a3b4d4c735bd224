import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium, type Browser } from "playwright-core";
import { root } from "../../../scripts/paths.ts";
import { runProgram } from "../../../scripts/runProgram.ts";

const flags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** The path of an installed Chrome, Chromium or Edge. Installs Debian's Chromium if there is none. */
export async function installBrowser(): Promise<string> {
  return findBrowser() ?? installDebianChromium();
}

/** Starts a browser headless. */
export async function launchBrowser(): Promise<Browser> {
  const executablePath = await installBrowser();
  // The caller handles Ctrl+C and closes the browser together with its server.
  return chromium.launch({ executablePath, args: flags, handleSIGINT: false, handleSIGTERM: false });
}

/** The path of an installed browser. */
export function findBrowser(): string | undefined {
  return candidates().find((path) => existsSync(path));
}

function candidates(): string[] {
  if (process.platform === "darwin") {
    const apps = ["Google Chrome", "Chromium", "Microsoft Edge"];
    return apps.map((app) => `/Applications/${app}.app/Contents/MacOS/${app}`);
  }
  if (process.platform === "win32") {
    const folders = [process.env.PROGRAMFILES, process.env["PROGRAMFILES(X86)"], process.env.LOCALAPPDATA];
    const programs = ["Google\\Chrome\\Application\\chrome.exe", "Microsoft\\Edge\\Application\\msedge.exe"];
    return folders.flatMap((folder) => (folder ? programs.map((program) => join(folder, program)) : []));
  }
  const names = ["google-chrome-stable", "google-chrome", "chromium", "chromium-browser", "microsoft-edge-stable"];
  const folders = (process.env.PATH ?? "").split(delimiter);
  return names.flatMap((name) => folders.map((folder) => join(folder, name)));
}

async function installDebianChromium(): Promise<string> {
  const isRoot = process.getuid?.() === 0;
  if (!isRoot || !existsSync("/usr/bin/apt-get")) {
    throw new Error("No browser found: install Google Chrome, Chromium or Microsoft Edge, then run this again.");
  }
  console.log("Installing Debian's Chromium (once) …");
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  await runProgram("apt-get", ["update"], { cwd: root, env });
  await runProgram("apt-get", ["install", "-y", "--no-install-recommends", "chromium"], { cwd: root, env });
  const installed = findBrowser();
  if (installed === undefined) throw new Error("Debian's chromium package is installed, but has no browser.");
  return installed;
}

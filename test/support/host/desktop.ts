import { downloadAndUnzipVSCode, runTests, runVSCodeCommand, SilentReporter } from "@vscode/test-electron";
import { type ChildProcess, spawn } from "node:child_process";
import { downloadFolder } from "../../../scripts/paths.ts";
import type { Profile } from "./profile.ts";
import { desktopVersion } from "./vscodeVersion.ts";

type Environment = Readonly<Record<string, string | undefined>>;

const download = { version: desktopVersion(), cachePath: downloadFolder, reporter: new SilentReporter() };

/** Downloads desktop VS Code unless it is cached, and returns the path of its executable. */
async function installDesktop(): Promise<string> {
  return downloadAndUnzipVSCode(download);
}

/** Opens a folder in desktop VS Code with packaged extensions; the process ends when the window closes. */
export async function openDesktop(
  profile: Profile,
  { workspace, vsixPath, env }: { workspace: string; vsixPath: string; env: Environment },
): Promise<ChildProcess> {
  await runVSCodeCommand(["--install-extension", vsixPath, ...profileArguments(profile)], download);
  const program = await installDesktop();
  const args = [workspace, "--new-window", "--disable-workspace-trust", ...profileArguments(profile)];
  return spawn(program, args, { env: { ...process.env, ...env }, stdio: "ignore" });
}

/** Runs an extension test suite in desktop VS Code and forwards its console. */
export async function runSuiteOnDesktop(
  profile: Profile,
  { workspace, extension, suite, env }: { workspace: string; extension: string; suite: string; env: Environment },
): Promise<void> {
  await runTests({
    vscodeExecutablePath: await installDesktop(),
    extensionDevelopmentPath: extension,
    extensionTestsPath: suite,
    extensionTestsEnv: { ...env },
    launchArgs: [workspace, "--disable-workspace-trust", ...profileArguments(profile)],
  });
}

function profileArguments({ userData, extensions }: Profile): string[] {
  const args = [`--user-data-dir=${userData}`, `--extensions-dir=${extensions}`];
  return process.getuid?.() === 0 ? [...args, "--no-sandbox"] : args;
}

/** Desktop VS Code, or the VS Code server with a browser. */
type Host = "desktop" | "server";

/** Environment variable that forces a host. */
const variable = "CODEX_GATEWAY_TEST_HOST";

/** Uses desktop VS Code if there is a display and it can be downloaded, else the server from npm. */
export async function chooseHost(): Promise<Host> {
  const forced = process.env[variable];
  if (forced === "desktop" || forced === "server") return forced;
  if (forced) throw new Error(`${variable} is "${forced}"; it can be "desktop" or "server".`);
  if (!hasDisplay()) return "server";
  try {
    await installDesktop();
    return "desktop";
  } catch (cause) {
    console.log(`Desktop VS Code could not be downloaded (${String(cause)}); the VS Code server serves instead.`);
    return "server";
  }
}

function hasDisplay(): boolean {
  if (process.platform !== "linux") return true;
  return Boolean(process.env.DISPLAY ?? process.env.WAYLAND_DISPLAY);
}

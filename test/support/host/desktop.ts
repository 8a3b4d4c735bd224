import { downloadAndUnzipVSCode, runTests, runVSCodeCommand, SilentReporter } from "@vscode/test-electron";
import { spawn, type ChildProcess } from "node:child_process";
import { cacheFolder } from "../../../scripts/paths.ts";
import type { Profile } from "./profile.ts";
import { desktopVersion } from "./vscodeVersion.ts";

type Environment = Readonly<Record<string, string | undefined>>;

const download = { version: desktopVersion(), cachePath: cacheFolder, reporter: new SilentReporter() };

/** Downloads desktop VS Code unless it is cached, and returns the path of its executable. */
export async function installDesktop(): Promise<string> {
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

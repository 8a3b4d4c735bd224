import { cp } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Browser } from "playwright-core";
import { launchBrowser } from "./chromium.ts";
import { chooseHost, runSuiteOnDesktop } from "./desktop.ts";
import { root } from "../../../scripts/paths.ts";
import { createProfile, type Profile, type Settings } from "./profile.ts";
import { type Server, startServer } from "./server.ts";

/** Options of a suite in the extension host. */
export interface SuiteOptions {
  /** The module that exports `run`. */
  readonly suite: string;
  readonly workspace: string;
  /** The folder of another extension, which is installed. */
  readonly neighbor?: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly settings?: Settings;
  /** Number of windows to run it in, one after the other. Default 1. */
  readonly windows?: number;
}

/** Maximum duration of the suite, in milliseconds. */
const timeout = 10 * 60_000;

/** Runs an extension test suite in the extension host of the chosen VS Code. */
export async function runSuite(options: SuiteOptions): Promise<void> {
  const profile = await createProfile(options.settings);
  try {
    const { neighbor } = options;
    if (neighbor !== undefined) await cp(neighbor, join(profile.extensions, basename(neighbor)), { recursive: true });
    const host = await chooseHost();
    const { windows = 1 } = options;
    if (host === "server") await runOnServer(profile, options);
    else
      for (let count = 0; count < windows; count += 1)
        await runSuiteOnDesktop(profile, { extension: root, ...options });
  } finally {
    await profile.remove();
  }
}

async function runOnServer(profile: Profile, { windows = 1, env, ...options }: SuiteOptions): Promise<void> {
  await using cleanup = new AsyncDisposableStack();
  const server = await startServer({ profile, env, runsSuites: true });
  cleanup.defer(() => server.stop());
  const browser = await launchBrowser();
  cleanup.defer(() => browser.close());
  for (let count = 0; count < windows; count += 1) await runInPage(browser, server, options);
}

async function runInPage(
  browser: Browser,
  server: Server,
  { suite, workspace }: Omit<SuiteOptions, "env">,
): Promise<void> {
  await using cleanup = new AsyncDisposableStack();
  const page = await browser.newPage();
  cleanup.defer(() => page.close());

  const hostLog: string[] = [];
  await page.exposeFunction("codeAutomationLog", (_type: string, args: readonly unknown[]) => {
    hostLog.push(args.map(String).join(" "));
  });
  const ended = new Promise<number>((resolve, reject) => {
    const giveUp = setTimeout(reject, timeout, new Error("The suite did not end."));
    cleanup.defer(() => {
      clearTimeout(giveUp);
    });
    page.once("crash", () => {
      reject(new Error("The page of the suite crashed."));
    });
    const exposed = page.exposeFunction("codeAutomationExit", resolve);
    const payload = [
      ["extensionDevelopmentPath", server.uri(root)],
      ["extensionTestsPath", server.uri(suite)],
    ] as const;
    exposed.then(() => page.goto(server.url(workspace, payload))).catch(reject);
  });
  const code = await ended.catch((cause: unknown) => {
    throw new Error(`${String(cause)} Its host said:\n${hostLog.join("\n")}`, { cause });
  });
  if (code !== 0) throw new Error(`The extension host ended with ${code}:\n${hostLog.join("\n")}`);
}

import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import manifest from "../../../package.json" with { type: "json" };
import { sampleWorkspace } from "../../../scripts/paths.ts";
import type { LocalGateway } from "../gateway/gateway.ts";

/** User settings, by full name. */
export type Settings = Readonly<Record<string, unknown>>;

/** A throwaway VS Code profile. */
export interface Profile {
  readonly folder: string;
  readonly extensions: string;
  /** VS Code's user data: settings, state, logs. */
  readonly userData: string;
  remove(): Promise<void>;
}

/** Settings that keep a fresh VS Code quiet: no welcome, updates, telemetry, tips, ports, or packages of types from npm. */
const quiet: Settings = {
  "extensions.autoCheckUpdates": false,
  "extensions.autoUpdate": false,
  "extensions.ignoreRecommendations": true,
  "files.simpleDialog.enable": true,
  "git.openRepositoryInParentFolders": "never",
  "js/ts.tsserver.automaticTypeAcquisition.enabled": false,
  // One language server for a folder of a few files, in place of two.
  "js/ts.tsserver.useSyntaxServer": "never",
  // Notifications about the ports that tests open would cover what they read.
  "remote.autoForwardPorts": false,
  "telemetry.telemetryLevel": "off",
  "update.mode": "none",
  "workbench.enableExperiments": false,
  "workbench.startupEditor": "none",
  "workbench.tips.enabled": false,
};

/** Creates a profile in a temporary folder. */
export async function createProfile(settings: Settings = {}): Promise<Profile> {
  const folder = await mkdtemp(join(tmpdir(), "codex-gateway-"));
  const extensions = join(folder, "extensions");
  const userData = join(folder, "data");
  await mkdir(extensions);
  await writeSettings(join(userData, "User"), { ...quiet, ...settings });
  await writeSettings(join(userData, "Machine"), ofMachineScope(settings));
  const remove = async (): Promise<void> => rm(folder, { recursive: true, force: true, maxRetries: 10 });
  return { folder, extensions, userData, remove };
}

async function writeSettings(folder: string, settings: Settings): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "settings.json"), JSON.stringify(settings, undefined, 2));
}

/** The settings of scope `machine`, which a remote window reads from the remote machine's settings. */
function ofMachineScope(settings: Settings): Settings {
  const declared = new Map(Object.entries<{ scope: string }>(manifest.contributes.configuration.properties));
  return Object.fromEntries(Object.entries(settings).filter(([name]) => declared.get(name)?.scope === "machine"));
}

/** Makes a writable copy of a sample workspace in a temporary folder; disposing removes the copy. */
export async function copyWorkspace(sample = sampleWorkspace): Promise<AsyncDisposable & { readonly folder: string }> {
  const parent = await mkdtemp(join(tmpdir(), "codex-gateway-workspace-"));
  const folder = join(parent, basename(sample));
  await cp(sample, folder, { recursive: true });
  const remove = async (): Promise<void> => rm(parent, { recursive: true, force: true, maxRetries: 10 });
  return { folder, [Symbol.asyncDispose]: remove };
}

/** Settings, merged with `more`, and an environment that connect the extension to a local gateway with both keys. */
export function connectedTo(
  { primary, backup, keys }: LocalGateway,
  more: Settings = {},
): { settings: Settings; env: Record<string, string> } {
  return {
    settings: { "codexGateway.baseUrl": primary.url, "codexGateway.backupBaseUrl": backup.url, ...more },
    env: {
      CODEX_GATEWAY_API_KEY: keys.codex,
      CODEX_GATEWAY_IMAGE_API_KEY: keys.image,
      CODEX_GATEWAY_ORIGINS: `${primary.url} ${backup.url}`,
    },
  };
}

import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** What a user has set, by the settings' full names. */
export type Settings = Readonly<Record<string, unknown>>;

/** A throwaway VS Code profile. */
export interface Profile {
  readonly folder: string;
  readonly extensions: string;
  /** Where VS Code keeps what the user does: settings, state, logs. */
  readonly userData: string;
  remove(): Promise<void>;
}

/** What keeps a fresh VS Code quiet: no welcome, no updates, no telemetry, no tips over the page under test. */
const quiet: Settings = {
  "extensions.autoCheckUpdates": false,
  "extensions.autoUpdate": false,
  "extensions.ignoreRecommendations": true,
  "files.simpleDialog.enable": true,
  "git.openRepositoryInParentFolders": "never",
  "telemetry.telemetryLevel": "off",
  "update.mode": "none",
  "workbench.enableExperiments": false,
  "workbench.startupEditor": "none",
  "workbench.tips.enabled": false,
};

/** Makes a profile in the system's folder for temporary files. */
export async function createProfile(settings: Settings = {}): Promise<Profile> {
  const folder = await mkdtemp(join(tmpdir(), "codex-gateway-"));
  const extensions = join(folder, "extensions");
  const userData = join(folder, "data");
  await mkdir(extensions);
  await mkdir(join(userData, "User"), { recursive: true });
  await writeFile(join(userData, "User", "settings.json"), JSON.stringify({ ...quiet, ...settings }, undefined, 2));
  const remove = async (): Promise<void> => rm(folder, { recursive: true, force: true, maxRetries: 10 });
  return { folder, extensions, userData, remove };
}

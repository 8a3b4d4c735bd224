import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The top folder of the repository. */
export const root = join(import.meta.dirname, "..", "..", "..");

/** What is downloaded or made for tests: hosts, screenshots, bundled suites. Safe to delete. */
export const cacheFolder = join(root, ".vscode-test");

/** The small workspace that `npm start` and the end-to-end tests open a copy of. */
export const sampleWorkspace = join(root, "test", "samples", "greetings");

/** The packaged extension; `npm run package` writes it. */
export const vsixPath = join(root, `codex-gateway-${version()}.vsix`);

function version(): string {
  const manifest: unknown = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const isManifest = typeof manifest === "object" && manifest !== null && "version" in manifest;
  if (!isManifest || typeof manifest.version !== "string") throw new Error("package.json has no version.");
  return manifest.version;
}

import { join } from "node:path";
import manifest from "../package.json" with { type: "json" };

/** The top folder of the repository. */
export const root = join(import.meta.dirname, "..");

/** Downloads and build results for tests: hosts, screenshots, bundled suites. Safe to delete. */
export const cacheFolder = join(root, ".vscode-test");

/** Environment variable that makes end-to-end tests that pass leave screenshots in `screenshots` there. */
export const screenshotsVariable = "CODEX_GATEWAY_SCREENSHOTS";

/** The small workspace that `npm start` and the end-to-end tests open a copy of. */
export const sampleWorkspace = join(root, "test", "samples", "greetings");

/** The packaged extension, written by `npm run package`. */
export const vsixPath = join(root, `codex-gateway-${manifest.version}.vsix`);

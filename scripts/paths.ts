import { homedir } from "node:os";
import { join } from "node:path";
import manifest from "../package.json" with { type: "json" };

/** The top folder of the repository. */
export const root = join(import.meta.dirname, "..");

/** What tests write: screenshots, the bundled suite. Safe to delete. */
export const outputFolder = join(root, ".vscode-test");

/** Downloads of VS Code, which all checkouts share. Safe to delete. */
export const downloadFolder = join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "codex-gateway");

/** Environment variable that makes end-to-end tests that pass leave screenshots in `screenshots` there. */
export const screenshotsVariable = "CODEX_GATEWAY_SCREENSHOTS";

/** The small workspace that `npm start` and the end-to-end tests open a copy of. */
export const sampleWorkspace = join(root, "test", "samples", "greetings");

/** The packaged extension, written by `npm run package`. */
export const vsixPath = join(root, `codex-gateway-${manifest.version}.vsix`);

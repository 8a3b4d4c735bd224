import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { packageStub } from "../../support/host/packageStub.ts";

const manifest = {
  publisher: "GitHub",
  name: "copilot-chat",
  version: "99.0.0",
  activationEvents: ["onStartupFinished"],
};

/**
 * Packages an extension that takes the place of GitHub Copilot, which VS Code contains, by a higher version. It suggests
 * nothing.
 */
export async function packageCopilotStub(cleanup: AsyncDisposableStack): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "codex-gateway-copilot-"));
  cleanup.defer(async () => rm(folder, { recursive: true }));
  return packageStub(folder, manifest, "exports.activate = () => {};");
}

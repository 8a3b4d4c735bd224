import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { root } from "../../scripts/paths.ts";
import { visitWorkbench } from "./support/workbench.ts";

describe("npm start", () => {
  it("opens a VS Code in which the main job works, and leaves nothing behind", async function () {
    // Windows has no way to send Ctrl+C to another process.
    if (process.platform === "win32") this.skip();
    const start = spawn(process.execPath, ["scripts/start.ts"], {
      cwd: root,
      env: { ...process.env, CODEX_GATEWAY_TEST_HOST: "server" },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const exited = once(start, "exit");
    let url = "";
    let workspace = "";
    try {
      url = await vscodeUrl(start.stdout);
      workspace = fileURLToPath(`file://${new URL(url).searchParams.get("folder") ?? ""}`);
      await using workbench = await visitWorkbench({ url, workspace });
      await workbench.waitUntilActive();
      assert.match(await workbench.chat.ask("@codex What does greetAll do?"), /greetAll/);
    } finally {
      start.kill("SIGINT");
      await exited;
    }
    assert.equal(start.exitCode, 0);
    assert.equal(existsSync(workspace), false);
    await assert.rejects(fetch(url));
  });
});

async function vscodeUrl(output: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: output })) {
    const url = /^VS Code: (\S+)$/.exec(line)?.[1];
    if (url === undefined) continue;
    output.resume();
    return url;
  }
  throw new Error("npm start ended without a VS Code.");
}

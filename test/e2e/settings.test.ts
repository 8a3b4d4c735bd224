import assert from "node:assert/strict";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Session, sharedSession } from "./support/session.ts";
import { hasFailed } from "./support/testState.ts";

describe("settings changed in a running VS Code", () => {
  afterEach(async function () {
    // A failed test ends the session, and its workspace with it.
    if (hasFailed(this.currentTest)) return;
    const { workbench } = await sharedSession();
    await rm(join(workbench.workspace, ".vscode"), { recursive: true });
    await workbench.statusBarItem("GPT-5.3 Codex").waitFor();
  });

  it("ask through the other operation, with documented fields only", async () => {
    const session = await sharedSession();
    await change(session, { "codexGateway.chat.api": "responses", "codexGateway.streaming": "off" });
    const { workbench, gateway } = session;
    // Any other field would be refused, and the question asked again without it.
    gateway.mode({ strict: true });
    assert.match(await workbench.chat.ask("@codex What is a weir?"), /Answered by gpt-5\.5\./);
    assert.deepEqual(
      gateway.asked.map(({ path, status }) => [path, status]),
      [["/v1/responses", 200]],
    );
  });

  it("ask with the model's reasoning effort, and without it where the gateway refuses it, which is said once", async () => {
    const session = await sharedSession();
    await change(session, { "codexGateway.models": { "gpt-5.5": { reasoningEffort: "high" } } });
    const { workbench, gateway } = session;
    await workbench.chat.ask("@codex What is a groyne?");
    gateway.mode({ refuses: ["reasoning_effort"] });
    assert.match(await workbench.chat.ask("@codex What is a mole?"), /Answered by gpt-5\.5\./);
    const text = /^For GPT-5\.5, the gateway answers only without the reasoning effort you chose\./;
    const { severity, buttons } = await workbench.notifications.waitFor(text);
    assert.deepEqual([severity, buttons], ["info", ["Open Settings"]]);
    await workbench.notifications.dismissAll();
    assert.match(await workbench.chat.ask("@codex What is a pier?"), /Answered by gpt-5\.5\./);
    assert.deepEqual(await workbench.notifications.all(), []);
    assert.deepEqual(
      gateway.asked.map(({ body }) => (body as { readonly reasoning_effort?: unknown }).reasoning_effort),
      ["high", "high", undefined, undefined],
    );
  });

  it("bring a model that can be chosen", async () => {
    const session = await sharedSession();
    await change(session, { "codexGateway.models": { "gpt-7": { name: "GPT-7 Nautilus" } } });
    const { workbench } = session;
    await workbench.runCommand("Codex Gateway: Select Model");
    await workbench.quickInput.waitFor("Select the model for @codex");
    await workbench.quickInput.pick("GPT-7 Nautilus");
    await workbench.statusBarItem("GPT-7 Nautilus").waitFor();
  });
});

/** Writes the workspace's settings, and a model with them: once the status bar names it, all have been read. */
async function change({ workbench }: Session, settings: Readonly<Record<string, unknown>>): Promise<void> {
  const folder = join(workbench.workspace, ".vscode");
  await mkdir(folder);
  const all = { "codexGateway.chat.model": "gpt-5.5", ...settings };
  await writeFile(join(folder, "settings.json"), JSON.stringify(all));
  await workbench.statusBarItem("GPT-5.5").waitFor();
}

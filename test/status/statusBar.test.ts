import assert from "node:assert/strict";
import { type StatusBarItem, window, workspace } from "vscode";
import { KeyCommand } from "../../src/settings/keyCommand.ts";
import { Keys } from "../../src/settings/keys.ts";
import { SessionStats } from "../../src/status/sessionStats.ts";
import { showStatus } from "../../src/status/statusBar.ts";
import { memorySecrets } from "../support/memorySecrets.ts";
import { allPlainSettings } from "../support/plainSettings.ts";

describe("the status bar", () => {
  const item = { show: () => undefined } as StatusBarItem;
  let change: ((event: object) => void) | undefined;
  before(() => {
    Object.assign(window, { createStatusBarItem: () => item });
    Object.assign(workspace, { onDidChangeConfiguration: (listener: typeof change) => void (change = listener) });
  });
  after(() => {
    Reflect.deleteProperty(window, "createStatusBarItem");
    Reflect.deleteProperty(workspace, "onDidChangeConfiguration");
  });

  it("knows of a key command once it is set, and does not blame an entry that works", async () => {
    let command: readonly string[] = [];
    const print = (): Promise<string> => Promise.resolve("sk-printed");
    const codex = new KeyCommand({ command: () => command, lifetime: () => 1, now: Date.now, print });
    const keys = new Keys(memorySecrets(), {}, { codex });
    const entries = { baseUrl: "https://a.example", backupBaseUrl: "https://b.example" };
    const session = new SessionStats();
    showStatus({ keys, settings: () => ({ ...allPlainSettings, ...entries }) }, session);
    await new Promise(setImmediate);
    assert.match(item.text, /no key/);
    command = ["login"];
    change?.({ affectsConfiguration: (section: string) => section === "codexGateway" });
    await new Promise(setImmediate);
    assert.match(item.text, /primary/);
    session.onAnswer({ entry: "backup", what: "text" });
    assert.match(item.accessibilityInformation?.label ?? "", /backup entry because the primary entry did not answer\./);
  });
});

import assert from "node:assert/strict";
import { window } from "vscode";
import { KeyCommand } from "../../src/settings/keyCommand.ts";
import { Keys } from "../../src/settings/keys.ts";
import { removeApiKey } from "../../src/setup/apiKeyCommands.ts";
import { memorySecrets } from "../support/memorySecrets.ts";

describe("Remove API Key", () => {
  /** What the user sees until the end, where a key of the codex group is chosen, and what is stored then. */
  async function remove(
    secrets: ReturnType<typeof memorySecrets>,
    { command = [] as readonly string[], environment = {} } = {},
  ): Promise<{ readonly rows: readonly string[]; readonly texts: readonly string[]; readonly isStored: boolean }> {
    const [rows, texts]: [string[], string[]] = [[], []];
    const showRows = async (items: Promise<readonly { label: string; description: string }[]>): Promise<unknown> => {
      rows.push(...(await items).map(({ description }) => description));
      return (await items)[0];
    };
    const showQuestion = (question: string, _: unknown, button: string): Promise<string> => {
      texts.push(question);
      return Promise.resolve(button);
    };
    Object.assign(window, { showQuickPick: showRows, showWarningMessage: showQuestion });
    const print = (): Promise<string> => Promise.reject(new Error("runs"));
    const codex = new KeyCommand({ command: () => command, lifetime: () => 1, now: Date.now, print });
    const keys = new Keys(secrets, environment, { codex });
    const notifier = {
      inform: (text: string, ...actions: readonly { readonly title: string }[]) => {
        texts.push([text, ...actions.map(({ title }) => title)].join(" | "));
        return Promise.resolve();
      },
    };
    await removeApiKey({ keys, notifier } as unknown as Parameters<typeof removeApiKey>[0]);
    return { rows, texts, isStored: await keys.isStored("codex") };
  }

  const stored = { "apiKey.codex": "sk-stored" };
  const variable = { CODEX_GATEWAY_API_KEY: "sk-environment" };

  it("removes a stored key also where a command is set, and says that the command stays", async () => {
    const { rows, texts, isStored } = await remove(memorySecrets(stored), { command: ["login"] });
    assert.deepEqual(rows, ["from a command; the stored key is not used"]);
    assert.match(texts[0] ?? "", /^Remove the stored API key and the allowed addresses of the codex group\?$/);
    const removed = /^The stored API key and .* were removed\. The key command is still set\. \| Open Settings$/;
    assert.match(texts[1] ?? "", removed);
    assert.equal(isStored, false);
  });

  it("claims no stored key where only a command is set", async () => {
    const { rows, texts } = await remove(memorySecrets(), { command: ["login"] });
    assert.deepEqual(rows, ["from a command"]);
    assert.match(texts[0] ?? "", /^Remove the allowed addresses of the codex group\?$/);
    const removed = /^The allowed addresses of the codex group were removed\. The key command is still set\. \|/;
    assert.match(texts[1] ?? "", removed);
  });

  it("says what still provides a key, and names the variable where nothing can be removed", async () => {
    const both = await remove(memorySecrets(stored), { environment: variable });
    const provides = /were removed\. The environment variable CODEX_GATEWAY_API_KEY still provides a key/;
    assert.match(both.texts[1] ?? "", provides);
    const { texts } = await remove(memorySecrets(), { environment: variable });
    assert.deepEqual(texts, ["No API key is stored. Set in the environment: CODEX_GATEWAY_API_KEY."]);
    assert.deepEqual((await remove(memorySecrets())).texts, ["No API key is stored."]);
  });

  it("says so where the secret storage cannot be read, instead of that nothing is stored", async () => {
    const locked = { ...memorySecrets(), get: () => Promise.reject(new Error("The keyring is locked.")) };
    await assert.rejects(remove(locked), { kind: "keyNotRead" });
  });
});

import assert from "node:assert/strict";
import { window } from "vscode";
import { GatewayError } from "../../src/gateway/errors.ts";
import { KeyCommand } from "../../src/settings/keyCommand.ts";
import { KeyGuard } from "../../src/settings/keyGuard.ts";
import { Keys } from "../../src/settings/keys.ts";
import { allPlainSettings } from "../support/plainSettings.ts";
import { testConnection } from "../../src/setup/testConnection.ts";
import { memorySecrets } from "../support/memorySecrets.ts";

describe("Test Connection", () => {
  /** The list that was shown last. */
  let list: { placeholder?: string; items?: readonly { readonly description?: string }[] } = {};
  beforeEach(() => {
    const create = (): object => {
      let hide = (): void => undefined;
      list = {};
      return Object.assign(list, {
        onDidAccept: () => undefined,
        onDidHide: (listener: () => void) => void (hide = listener),
        show: () => {
          hide();
        },
        dispose: () => undefined,
      });
    };
    Object.assign(window, { createQuickPick: create });
  });

  it("runs a key command only once it is allowed for an entry, and then shows how long it took", async () => {
    const baseUrl = "https://gateway.example";
    let done: string[] = [];
    const print = (): Promise<string> => Promise.resolve(`sk-${String(done.push("runs"))}`);
    const codex = new KeyCommand({ command: () => ["login"], lifetime: () => 1_000, now: Date.now, print });
    const keys = new Keys(memorySecrets(), {}, { codex });
    const confirm = (): Promise<boolean> => Promise.resolve(done.push("asks") > 1);
    const guard = new KeyGuard({ keys, environment: {}, confirm });
    const probe = async (): Promise<readonly unknown[]> => {
      const failure: unknown = await guard.key("codex", baseUrl).then(
        () => undefined,
        (error: unknown) => error,
      );
      return [{ entry: "primary", group: "codex", baseUrl, duration: 1, failure }];
    };
    const settings = (): object => ({ ...allPlainSettings, baseUrl });
    const services = { keys, settings, gateway: { probe }, state: { get: () => undefined } };
    const test = (): Promise<void> => testConnection(services as unknown as Parameters<typeof testConnection>[0]);
    await test();
    assert.deepEqual(done, ["asks"]);
    await keys.bind("codex", [baseUrl]);
    done = [];
    await test();
    assert.deepEqual(done, ["runs"]);
    const [row] = list.items?.flatMap(({ description }) => description ?? []) ?? [];
    assert.match(row ?? "", /^printed · \d+ ms$/);
  });

  it("does not say that tests have passed where there was no key to test", async () => {
    const passed = { entry: "primary", group: "codex", baseUrl: "https://gateway.example", duration: 1 };
    const noKey = { ...passed, group: "image", failure: new GatewayError("noKey", "") };
    const shown = async (...probes: readonly object[]): Promise<string | undefined> => {
      const gateway = { probe: () => Promise.resolve(probes) };
      const services = { keys: new Keys(memorySecrets(), {}), settings: () => allPlainSettings, gateway };
      const state = { get: () => undefined };
      await testConnection({ ...services, state } as unknown as Parameters<typeof testConnection>[0]);
      return list.placeholder;
    };
    assert.equal(await shown(passed, noKey), "All tests with a key passed.");
    assert.equal(await shown(noKey, noKey), "No key is set. Select a row to set one.");
  });
});

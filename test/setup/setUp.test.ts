import assert from "node:assert/strict";
import { type InputBox, window } from "vscode";
import { KeyCommand } from "../../src/settings/keyCommand.ts";
import { Keys } from "../../src/settings/keys.ts";
import { setUp } from "../../src/setup/setUp.ts";
import { memorySecrets } from "../support/memorySecrets.ts";
import { allPlainSettings } from "../support/plainSettings.ts";

describe("Set Up", () => {
  it("takes no key that would not be used, because a command prints another", async () => {
    const answers = ["https://gateway.example", "", "sk-typed"];
    const messages: unknown[] = [];
    const box = (): object => {
      let [accept, hide] = [(): void => undefined, (): void => undefined];
      return {
        onDidChangeValue: () => undefined,
        onDidTriggerButton: () => undefined,
        onDidAccept: (listener: () => void) => void (accept = listener),
        onDidHide: (listener: () => void) => void (hide = listener),
        show(this: InputBox) {
          this.value = answers.shift() ?? "";
          accept();
          messages.push(this.validationMessage);
          hide();
        },
        dispose: () => undefined,
      };
    };
    const print = (): Promise<string> => Promise.resolve("sk-printed");
    const codex = new KeyCommand({ command: () => ["login"], lifetime: () => 1, now: Date.now, print });
    const secrets = memorySecrets();
    const services = { keys: new Keys(secrets, {}, { codex }), settings: () => allPlainSettings };
    Object.assign(window, { createInputBox: box });
    assert.equal(await setUp(services as unknown as Parameters<typeof setUp>[0]), false);
    assert.deepEqual(messages, [undefined, undefined, "A command provides the key. Leave this empty to use it."]);
    assert.equal(await secrets.get("apiKey.codex"), undefined);
  });
});

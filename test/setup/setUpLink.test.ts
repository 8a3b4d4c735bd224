import assert from "node:assert/strict";
import { Uri, window } from "vscode";
import { noticeOf } from "../../src/failures/notices.ts";
import { Keys } from "../../src/settings/keys.ts";
import { copySetUpLink, setUpLinks } from "../../src/setup/setUpLink.ts";
import { memorySecrets } from "../support/memorySecrets.ts";
import { allPlainSettings } from "../support/plainSettings.ts";

it("a set-up link asks once where it is opened twice, and again once that question is answered", async () => {
  const answers: (() => void)[] = [];
  Object.assign(window, { showWarningMessage: () => new Promise<void>((resolve) => answers.push(resolve)) });
  const services = { keys: new Keys(memorySecrets(), {}), settings: () => allPlainSettings };
  const open = setUpLinks(services as unknown as Parameters<typeof setUpLinks>[0]);
  const link = Uri.parse("vscode://codex-gateway.codex-gateway/setup?baseUrl=https%3A%2F%2Fgateway.example");
  const first = open(link);
  await open(link);
  await new Promise(setImmediate);
  assert.equal(answers.length, 1);
  answers[0]?.();
  await first;
  const second = open(link);
  await new Promise(setImmediate);
  assert.equal(answers.length, 2);
  answers[1]?.();
  await second;
});

it("a set-up link that nobody could use is not copied, and the notice says what to correct", async () => {
  const settings = (): typeof allPlainSettings => ({ ...allPlainSettings, baseUrl: "http://10.0.0.5:3000" });
  await assert.rejects(copySetUpLink({ settings }), (error: unknown) => {
    const { text, actions } = noticeOf(error, { name: "copySetUpLink", keyGroup: "codex" });
    assert.match(text, /^No set-up link was copied, .*: plain http .* unencrypted\. Correct the base URLs\.$/);
    return actions[0]?.title === "Open Settings";
  });
});

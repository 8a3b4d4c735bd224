import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { readSettings } from "../../src/settings/settings.ts";
import { Ledger } from "../../src/usage/ledger.ts";
import { type UsageWords, watchUsage } from "../../src/usage/watchUsage.ts";
import { testFolder } from "../support/testFolder.ts";
import { until } from "./editing.ts";

describe("the usage in the status bar", () => {
  const usageFolder = testFolder();

  it("says in a window without focus what another one has used", async () => {
    const folder = usageFolder();
    const plain = readSettings(() => ({ get: () => undefined }));
    const settings = { ...plain, budget: { ...plain.budget, dailyTokens: 1 } };
    const [here, elsewhere] = [new Ledger({ folder, now: Date.now }), new Ledger({ folder, now: Date.now })];
    const seen: UsageWords[] = [];
    const onProblem = assert.ifError;
    const watch = watchUsage({ ledger: here, folder, settings: () => settings, onProblem }, (words) =>
      seen.push(words),
    );
    await until(() => seen.length > 0);
    // VS Code begins to watch a folder some moments later.
    for (let tries = 0; seen.at(-1)?.budget === undefined && tries < 50; tries++) {
      elsewhere.add({ model: "gpt-5.4", feature: "chat", entry: "primary", requests: 1, inputTokens: 1 });
      elsewhere.flush();
      await sleep(1_000);
    }
    assert.ok(seen.at(-1)?.budget);
    watch.dispose();
    elsewhere.dispose();
    here.dispose();
  });
});

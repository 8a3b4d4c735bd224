import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Uri } from "vscode";
import { Ledger } from "../../src/usage/ledger.ts";
import { saveUsage } from "../../src/usage/page/usagePanel.ts";
import { type UsageTexts, followUsage } from "../../src/usage/followUsage.ts";
import { allPlainSettings } from "../support/plainSettings.ts";
import { testFolder } from "../support/testFolder.ts";
import { until } from "../support/until.ts";
import { disposing } from "./editing.ts";

describe("the usage", () => {
  const usageFolder = testFolder();

  it("shows in the status bar of a window without focus what another one has used", async () => {
    const folder = usageFolder();
    const settings = { ...allPlainSettings, budget: { ...allPlainSettings.budget, dailyTokens: 1 } };
    using ledger = disposing(new Ledger({ folder, now: Date.now }));
    using elsewhere = disposing(new Ledger({ folder, now: Date.now }));
    const seen: UsageTexts[] = [];
    const onProblem = assert.ifError;
    const notifier = { inform: () => Promise.resolve() };
    const options = { ledger, folder, settings: () => settings, onProblem, notifier };
    using watch = disposing(followUsage(options, (words) => seen.push(words)));
    await until(() => seen.length > 0);
    // VS Code begins to watch a folder some moments later.
    for (let tries = 0; seen.at(-1)?.budget === undefined && tries < 250; tries++) {
      elsewhere.add({ model: "gpt-5.4", feature: "chat", entry: "primary", requests: 1, inputTokens: 1 });
      elsewhere.flush();
      await sleep(200);
    }
    assert.ok(seen.at(-1)?.budget);
  });

  it("names the file it could not be exported to", async () => {
    await writeFile(join(usageFolder(), "file"), "");
    const { fsPath } = Uri.file(join(usageFolder(), "file", "usage.csv"));
    await assert.rejects(saveUsage(Uri.file(fsPath), "day"), { kind: "exportNotSaved", subject: fsPath });
  });
});

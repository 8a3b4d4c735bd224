import assert from "node:assert/strict";
import { createGateway } from "../../src/gateway/client.ts";
import { readPrices } from "../../src/settings/prices.ts";
import { Ledger } from "../../src/usage/ledger.ts";
import { usageCsv } from "../../src/usage/page/usageCsv.ts";
import { UsageRecorder, withRecorder } from "../../src/usage/usageRecorder.ts";
import { sumOf } from "../../src/usage/usageRow.ts";
import { type LocalGateway, startGateway } from "../support/gateway/gateway.ts";
import { partsOf, question, tools } from "../support/localClient.ts";
import { plainSettings } from "../support/plainSettings.ts";
import { testFolder } from "../support/testFolder.ts";
import { chatUsage, responsesUsage } from "../support/usage/cachedAnswers.ts";

describe("the usage of an Agent turn with a prompt cache", () => {
  let local: LocalGateway;
  before(async () => (local = await startGateway()));
  after(() => local.close());
  const folder = testFolder();

  it("is exact to the token and the cent in the ledger of two windows, and in the CSV", async () => {
    await using cleanup = new AsyncDisposableStack();
    const opened = () => {
      const ledger = new Ledger({ folder: folder(), now: Date.now, delay: 60_000 });
      const recorder = new UsageRecorder({ ledger, estimate: () => NaN });
      const settings = { ...plainSettings, baseUrl: local.primary.url, backupBaseUrl: "" };
      const key = (group: "codex" | "image"): Promise<string> => Promise.resolve(local.keys[group]);
      const client = createGateway(withRecorder({ settings: () => settings, key }, recorder));
      cleanup.defer(() => client.dispose());
      cleanup.defer(() => {
        ledger.dispose();
      });
      return { ledger, client };
    };
    const [one, other] = [opened(), opened()];
    const turn = [
      [one, "chatCompletions", { input: 18_000, cached: 0, output: 120 }],
      [one, "chatCompletions", { input: 18_400, cached: 17_920, output: 80 }],
      [other, "responses", { input: 19_000, cached: 18_304, output: 200 }],
      [one, "chatCompletions", { input: 19_500, cached: 18_944, output: 310 }],
      [other, "responses", { input: 21_300, cached: 19_456, output: 64 }],
    ] as const;
    for (const [{ client, ledger }, api, counts] of turn) {
      const body = api === "responses" ? responsesUsage(counts) : chatUsage(counts);
      local.entry("primary").next(1, { status: 200, body });
      const request = question("Go on", { api, tools, feature: "agent" });
      const parts = await partsOf(client.ask(request, new AbortController().signal));
      assert.equal(parts.find((part) => part.type === "usage")?.cachedTokens, counts.cached);
      ledger.flush();
    }
    const record = await opened().ledger.read();
    const { requests, inputTokens, cachedInputTokens, outputTokens } = sumOf(record.rows);
    assert.deepEqual([requests, inputTokens, cachedInputTokens, outputTokens], [5, 96_200, 74_624, 774]);
    const prices = readPrices({
      currency: "USD",
      models: { "gpt-5.4": { input: 1.25, cachedInput: 0.125, output: 10 } },
    });
    // 21,576 tokens at 1.25, 74,624 at 0.125, and 774 at 10.
    const line = ",gpt-5.4,agent,primary,5,0,0,0,96200,74624,774,0,0,0,0.044038,USD\r\n";
    assert.ok(usageCsv(record, prices).includes(line), usageCsv(record, prices));
  });
});

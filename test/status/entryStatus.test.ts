import assert from "node:assert/strict";
import type { EntryHealth, EntryName } from "../../src/gateway/types.ts";
import { type GatewayFacts, type EntryStatus, entryStatusOf } from "../../src/status/entryStatus.ts";

const fine: GatewayFacts = {
  baseUrl: "https://a",
  backupBaseUrl: "https://b",
  hasKey: true,
  health: [],
  servedBy: undefined,
};

function failing(...names: readonly EntryName[]): readonly EntryHealth[] {
  const unknown = { failingSince: undefined, nextTry: undefined, lastLatency: undefined };
  return (["primary", "backup"] as const).map((entry) => ({ entry, isHealthy: !names.includes(entry), ...unknown }));
}

describe("the standing of the gateway", () => {
  const cases: readonly (readonly [string, Partial<GatewayFacts>, EntryStatus])[] = [
    ["is primary while nothing is known", {}, "primary"],
    ["tells a missing URL first", { baseUrl: "", hasKey: false }, "notSetUp"],
    ["tells a missing key before failures", { hasKey: false, health: failing("primary", "backup") }, "noKey"],
    ["is backup once it served", { servedBy: "backup" }, "backup"],
    ["is backup while the primary fails", { health: failing("primary"), servedBy: "primary" }, "backup"],
    ["is primary while only the backup fails", { health: failing("backup"), servedBy: "primary" }, "primary"],
    ["is failing when both fail", { health: failing("primary", "backup") }, "failing"],
    ["is failing when the only entry fails", { backupBaseUrl: "", health: failing("primary") }, "failing"],
  ];
  for (const [behavior, facts, standing] of cases) {
    it(behavior, () => {
      assert.equal(entryStatusOf({ ...fine, ...facts }), standing);
    });
  }
});

import type { EntryHealth, EntryName } from "../../src/gateway/types.ts";
import { type GatewayFacts, type EntryStatus, entryStatusOf } from "../../src/status/entryStatus.ts";
import { each } from "../support/each.ts";

const entries = { baseUrl: "https://a", backupBaseUrl: "https://b" };
const fine: GatewayFacts = { ...entries, hasKey: true, health: [], servedBy: undefined };

function failing(...names: readonly EntryName[]): readonly EntryHealth[] {
  const unknown = { failingSince: undefined, nextTry: undefined, lastLatency: undefined };
  return (["primary", "backup"] as const).map((entry) => ({ entry, isHealthy: !names.includes(entry), ...unknown }));
}

/** Entries to which requests still go, although the last attempt failed. */
function justFailed(...names: readonly EntryName[]): readonly EntryHealth[] {
  return failing().map((health) => (names.includes(health.entry) ? { ...health, failingSince: 1 } : health));
}

describe("the status of the gateway", () => {
  const once = [...failing("primary").slice(0, 1), ...justFailed("backup").slice(1)];
  each<[Partial<GatewayFacts>], EntryStatus>([
    ["is primary while nothing is known", {}, "primary"],
    ["tells a missing URL first", { baseUrl: "", hasKey: false }, "notSetUp"],
    ["tells a missing key before failures", { hasKey: false, health: failing("primary", "backup") }, "noKey"],
    ["is backup once it served", { servedBy: "backup" }, "backup"],
    ["is backup while the primary fails", { health: failing("primary"), servedBy: "primary" }, "backup"],
    ["is primary while only the backup fails", { health: failing("backup"), servedBy: "primary" }, "primary"],
    ["is failing when both fail", { health: failing("primary", "backup") }, "failing"],
    ["is failing when the only entry fails", { backupBaseUrl: "", health: failing("primary") }, "failing"],
    ["is failing when the backup fails once while the primary fails", { health: once, servedBy: "backup" }, "failing"],
    ["stays primary when the last attempt there failed", { health: justFailed("primary") }, "primary"],
    ["forgets about a backup that is not there any more", { backupBaseUrl: "", servedBy: "backup" }, "primary"],
  ]).gives((facts) => entryStatusOf({ ...fine, ...facts }));
});

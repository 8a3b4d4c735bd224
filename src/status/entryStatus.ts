import type { EntryHealth, EntryName } from "../gateway/types.ts";

/** The known facts about the gateway. */
export interface GatewayFacts {
  readonly baseUrl: string;
  readonly backupBaseUrl: string;
  readonly hasKey: boolean;
  readonly health: readonly EntryHealth[];
  /** The entry of the last answer, if there was one. */
  readonly servedBy: EntryName | undefined;
}

/** The overall status of the gateway. */
export type EntryStatus = "notSetUp" | "noKey" | "failing" | "backup" | "primary";

/** The status to show: missing configuration first, then failures, then the serving entry. */
export function entryStatusOf({ baseUrl, backupBaseUrl, hasKey, health, servedBy }: GatewayFacts): EntryStatus {
  if (baseUrl === "") return "notSetUp";
  if (!hasKey) return "noKey";
  const hasBackup = backupBaseUrl !== "";
  const entries: readonly EntryName[] = hasBackup ? ["primary", "backup"] : ["primary"];
  const healthOf = (name: EntryName): EntryHealth | undefined => health.find(({ entry }) => entry === name);
  if (entries.every((name) => isFailing(healthOf(name)))) return "failing";
  const isOnBackup = healthOf("primary")?.isHealthy === false || servedBy === "backup";
  return hasBackup && isOnBackup ? "backup" : "primary";
}

/** Whether an entry last failed to respond. Requests may still be sent to it. */
export function isFailing(health: EntryHealth | undefined): boolean {
  return health?.isHealthy === false || health?.failingSince !== undefined;
}

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
  const isFailing = (name: EntryName): boolean => health.some(({ entry, isHealthy }) => entry === name && !isHealthy);
  const hasBackup = backupBaseUrl !== "";
  if (isFailing("primary")) return hasBackup && !isFailing("backup") ? "backup" : "failing";
  return servedBy === "backup" && hasBackup ? "backup" : "primary";
}

import type { EntryHealth, EntryName } from "../gateway/types.ts";

/** What is known about the gateway at a moment. */
export interface GatewayFacts {
  readonly baseUrl: string;
  readonly backupBaseUrl: string;
  readonly hasKey: boolean;
  readonly health: readonly EntryHealth[];
  /** The entry of the last answer, if there was one. */
  readonly servedBy: EntryName | undefined;
}

/** How it stands with the gateway, in a word. */
export type EntryStatus = "notSetUp" | "noKey" | "failing" | "backup" | "primary";

/** What a user needs to know first: what is missing, then what fails, then which entry serves. */
export function entryStatusOf({ baseUrl, backupBaseUrl, hasKey, health, servedBy }: GatewayFacts): EntryStatus {
  if (baseUrl === "") return "notSetUp";
  if (!hasKey) return "noKey";
  const isFailing = (name: EntryName): boolean => health.some(({ entry, isHealthy }) => entry === name && !isHealthy);
  const hasBackup = backupBaseUrl !== "";
  if (isFailing("primary")) return hasBackup && !isFailing("backup") ? "backup" : "failing";
  return servedBy === "backup" && hasBackup ? "backup" : "primary";
}

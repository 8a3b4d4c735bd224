import { sumOf, type UsageRow } from "../../src/usage/usageRow.ts";

/** A row with nothing but what is given. */
export function usageRow(given: Partial<UsageRow>): UsageRow {
  return { ...sumOf([]), day: "2026-11-21", model: "gpt-5.5", feature: "chat", entry: "primary", ...given };
}

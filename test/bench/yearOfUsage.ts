import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { addDays } from "../../src/usage/localDay.ts";
import { sumOf, type UsageFeature, type UsageRow } from "../../src/usage/usageRow.ts";
import { chance } from "../support/random.ts";

/** Models and what they are used for, with the usual number of requests on a working day. */
const habits: readonly (readonly [model: string, feature: UsageFeature, requests: number])[] = [
  ["gpt-5.3-codex", "agent", 120],
  ["gpt-5.3-codex", "chat", 12],
  ["gpt-5.3-codex", "inline", 18],
  ["gpt-5.3-codex-spark", "completion", 400],
  ["gpt-5.3-codex-spark", "inline", 9],
  ["gpt-5.4", "agent", 30],
  ["gpt-5.4", "review", 3],
  ["gpt-5.4-mini", "aiFeature", 25],
  ["gpt-5.4-mini", "commitMessage", 6],
  ["gpt-5.5", "chat", 4],
  ["gpt-5.5", "agent", 10],
  ["gpt-image-2", "image", 3],
];

/** A year of rows up to `today`, with weekends, a holiday, days on the backup, and a growing use. Always the same. */
function yearOfRows(today: string, days: number): readonly UsageRow[] {
  const random = chance(7);
  const amount = (usual: number): number => Math.round(usual * (0.3 + 1.4 * random()));
  return Array.from({ length: days }, (_, index) => addDays(today, index + 1 - days)).flatMap((day, index) => {
    const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
    const isFree = weekday === 0 || weekday === 6 || (index > 200 && index < 215);
    const growth = (0.5 + index / days) * (isFree ? 0.05 : 1);
    return habits.flatMap(([model, feature, usual]) =>
      (["primary", "backup"] as const).flatMap((entry) => {
        const isAway = index % 23 === 5;
        const share = entry === "primary" ? (isAway ? 0.3 : 1) : isAway ? 0.7 : 0;
        const requests = amount(usual * growth * share);
        if (requests === 0) return [];
        const estimates = feature === "completion" ? requests : 0;
        const inputTokens = (requests - estimates) * amount(feature === "agent" ? 24_000 : 3_000);
        const counts = {
          requests,
          failures: amount(requests * (isAway ? 0.1 : 0.01)),
          cancelled: amount(requests * 0.03),
          unsent: isAway && entry === "primary" ? amount(4) : 0,
          inputTokens,
          cachedInputTokens: feature === "agent" ? Math.round(0.8 * inputTokens) : 0,
          outputTokens: (requests - estimates) * amount(700),
          estimatedInputTokens: estimates * amount(1_200),
          estimatedOutputTokens: estimates * amount(25),
          images: feature === "image" ? requests : 0,
        };
        return [{ day, model, feature, entry, ...sumOf([counts]) }];
      }),
    );
  });
}

/** Writes a year of usage into an empty ledger's folder, as windows of version 1.1.0 did, each a file a day. */
export function writeYear(folder: string, today: string, { days = 365, windows = 1 } = {}): void {
  mkdirSync(folder, { recursive: true });
  for (const [day, rows] of Map.groupBy(yearOfRows(today, days), (row) => row.day)) {
    const text = JSON.stringify({ rows, away: [] }, (_, value: unknown) => (value === 0 ? undefined : value));
    for (let window = 0; window < windows; window += 1) writeFileSync(join(folder, `${day}.${window}.json`), text);
  }
}

import { contenders, type ContenderName } from "./contenders.ts";
import { type Group, row, timeToText } from "./rows.ts";

const rounds = 40;
const warmUps = 10;

/** What was promised of the first text, against raw undici. */
const limits = { warm: 2, cold: 1.3 };

/** Time to the first piece of text, on a kept connection and on a new one. */
export const firstText: Group = async (url) => {
  const names = Object.keys(contenders()) as ContenderName[];
  const times = { warm: emptyLists(names), cold: emptyLists(names) };
  const kept = contenders();
  for (let round = -warmUps; round < rounds; round += 1) {
    const fresh = contenders();
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const cold = await timeToText((onText) => fresh[name](`${url}/stream/1`, onText));
      const warm = await timeToText((onText) => kept[name](`${url}/stream/1`, onText));
      if (round < 0) continue;
      times.cold[name].push(cold);
      times.warm[name].push(warm);
    }
  }
  // Those two share the connections of Node's fetch, so they are never cold.
  const rivals = { warm: ["raw undici", "openai", "ai"], cold: ["raw undici"] } as const;
  return (["warm", "cold"] as const).flatMap((state) =>
    rivals[state].map((name) => {
      const limit = name === "raw undici" ? limits[state] : undefined;
      return row(`first text, ${state} connection, vs ${name}`, "ms", times[state].ours, times[state][name], limit);
    }),
  );
};

function emptyLists(names: readonly ContenderName[]): Record<ContenderName, number[]> {
  return Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<ContenderName, number[]>;
}

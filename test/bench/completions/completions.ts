import { readFileSync } from "node:fs";
import { type Group, limited, type Row } from "../rows.ts";
import { replay, type ReplayResult } from "./replay.ts";
import { typedSessions } from "./typedSessions.ts";

/** In milliseconds, until the first text. */
const latencies = [300, 800, 1_500];

/** What was promised, and of requests for each suggestion what was reached: a few more are already a regression. */
const limits = { perRead: 1.7, cpuTime: 2, requestsPerMinute: 2 };

const minute = 60_000;
const lineCount = 5_000;

/**
 * Ghost text: sessions of typing are replayed with the extension's rules, on a model that is simulated. The sessions are
 * modeled on published measurements and not recorded (`typedSessions.ts`), and nobody accepts a suggestion in them: compare
 * the figures with those of earlier versions, not with what a user would see.
 */
export const completions: Group = async () => [
  ...(await inOrder(latencies, atLatency)),
  await inStorm(),
  limited(`CPU time per key in a file of ${lineCount} lines`, "ms", await cpuTime(), limits.cpuTime),
];

/** Of all sessions: requests for each suggestion that stood, those of which nothing was shown included. */
async function atLatency(latency: number): Promise<Row> {
  const results = await inOrder(typedSessions(), (steps) => replay(steps, { latency }));
  const sum = (count: (result: ReplayResult) => number): number =>
    results.reduce((before, result) => before + count(result), 0);
  const perRead = sum(({ starts }) => starts.length) / sum(({ read }) => read);
  return limited(`Requests per suggestion that stood for 750 ms at ${latency} ms`, "×", perRead, limits.perRead);
}

/** Each request is answered with 429. */
async function inStorm(): Promise<Row> {
  const results = await inOrder(typedSessions(), (steps) => replay(steps, { latency: 300, isStorm: true }));
  const most = Math.max(...results.map(({ starts }) => mostInMinute(starts)));
  return limited("Most requests in a minute while each is answered with 429", "×", most, limits.requestsPerMinute);
}

function mostInMinute(starts: readonly number[]): number {
  return Math.max(0, ...starts.map((start) => starts.filter((one) => one >= start && one < start + minute).length));
}

/** Milliseconds of the processor for each key, with what types the session and simulates the model. */
async function cpuTime(): Promise<number> {
  const lines = readFileSync(import.meta.filename, "utf8").split("\n");
  const padding = Array.from({ length: lineCount }, (_, index) => `${lines[index % lines.length] ?? ""}\n`).join("");
  const sessions = typedSessions(padding);
  const start = process.cpuUsage();
  const results = await inOrder(sessions, (steps) => replay(steps, { latency: 300 }));
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000 / results.reduce((keys, result) => keys + result.keys, 0);
}

async function inOrder<T, R>(items: readonly T[], action: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const item of items) results.push(await action(item));
  return results;
}

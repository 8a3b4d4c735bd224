import { readFileSync } from "node:fs";
import { type Group, type Row, row } from "../rows.ts";
import { replay, type ReplayResult } from "./replay.ts";
import { typedSessions } from "./typedSessions.ts";

/**
 * Latencies in milliseconds, each with the part of requests that may be wasted, in percent: more where an answer takes
 * longer than the longest pause before a request.
 */
const latencies = [
  [300, 20],
  [800, 20],
  [1_500, 25],
] as const;

/** What was promised. */
const limits = { perRead: 2, cpuTime: 2, requestsPerMinute: 2 };

const minute = 60_000;
const lineCount = 5_000;

/**
 * Ghost text: sessions of typing are replayed with the extension's rules, on a model that is simulated. The sessions are
 * modeled on published measurements and not recorded (`typedSessions.ts`), and nobody accepts a suggestion in them: compare
 * the figures with those of earlier versions, not with what a user would see.
 */
export const completions: Group = async () => [
  ...(await inOrder(latencies, atLatency)).flat(),
  ...(await inStorm()),
  row(`CPU time per key in a file of ${lineCount} lines, vs the limit`, "ms", [await cpuTime()], [limits.cpuTime], 1),
];

/** Of all sessions: requests for each suggestion that stood, and the part of requests wasted in percent. */
async function atLatency([latency, mostWasted]: (typeof latencies)[number]): Promise<Row[]> {
  const results = await inOrder(typedSessions(), (steps) => replay(steps, { latency }));
  const sum = (count: (result: ReplayResult) => number): number =>
    results.reduce((before, result) => before + count(result), 0);
  const requests = sum(({ starts }) => starts.length);
  const perRead = requests / sum(({ read }) => read);
  const wasted = (100 * sum((result) => result.wasted)) / requests;
  const atLimit = `at ${latency} ms, vs the limit`;
  return [
    row(`Requests per suggestion that stood for 750 ms ${atLimit}`, "×", [perRead], [limits.perRead], 1),
    row(`Requests of which nothing was shown ${atLimit}`, "%", [wasted], [mostWasted], 1),
  ];
}

/** Each request is answered with 429. */
async function inStorm(): Promise<Row[]> {
  const results = await inOrder(typedSessions(), (steps) => replay(steps, { latency: 300, isStorm: true }));
  const most = Math.max(...results.map(({ starts }) => mostInMinute(starts)));
  const title = "Most requests in a minute while each is answered with 429, vs the limit";
  return [row(title, "×", [most], [limits.requestsPerMinute], 1)];
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

import { readFileSync } from "node:fs";
import { type Group, type Row, row } from "../rows.ts";
import { abortOnSocket } from "./abortOnSocket.ts";
import { continueRules } from "./continueRules.ts";
import { minuet } from "./minuet.ts";
import { ours } from "./ours.ts";
import { type Conditions, replay, type ReplayResult, type RulesFor } from "./replay.ts";
import { readTraces } from "./trace.ts";

const rivals: Readonly<Record<string, RulesFor>> = { "minuet-ai.nvim": minuet, Continue: continueRules };
const latencies = [300, 800, 1_500];

/** What was promised. */
const limits = { wastedPercent: 20, abortTime: 50, cpuTime: 2, requestsPerMinute: 2 };
/** Of requests per suggestion read, against the rivals: fewer. */
const fewer = 0.999;

const minute = 60_000;
const lineCount = 5_000;

/**
 * Ghost text: three sessions of typing are typed anew with the extension's rules and those of two others, on a model
 * that is simulated. The sessions are modeled on published measurements and not recorded (`makeTraces.ts`), and nobody
 * accepts a suggestion in them: compare the figures with each other, not with what a user would see.
 */
export const completions: Group = async () => [
  ...(await inOrder(latencies, atLatency)).flat(),
  ...(await inStorm()),
  row(
    "A key that an answer does not fit: until the socket is closed, vs the limit",
    "ms",
    await abortOnSocket(),
    [limits.abortTime],
    1,
  ),
  row(`CPU time per key in a file of ${lineCount} lines, vs the limit`, "ms", [await cpuTime()], [limits.cpuTime], 1),
];

async function atLatency(latency: number): Promise<Row[]> {
  const mine = await total(ours, { latency });
  const rows = await inOrder(Object.entries(rivals), async ([name, rules]) => {
    const theirs = await total(rules, { latency });
    const title = (what: string): string => `${what} at ${latency} ms, vs ${name}`;
    return [
      row(title("Requests in 1,000 keys"), "×", [mine.requests], [theirs.requests]),
      row(title("Suggestions that stood for 750 ms in 1,000 keys"), "×", [mine.read], [theirs.read]),
      row(title("Requests per suggestion that stood"), "×", [mine.perRead], [theirs.perRead], fewer),
      row(title("Requests of which nothing was shown"), "%", [mine.wasted], [theirs.wasted]),
    ];
  });
  const title = `Requests of which nothing was shown at ${latency} ms, vs the limit`;
  return [...rows.flat(), row(title, "%", [mine.wasted], [limits.wastedPercent], 1)];
}

interface Figures {
  readonly requests: number;
  readonly read: number;
  readonly perRead: number;
  readonly wasted: number;
}

/** The figures of all sessions: requests and suggestions for 1,000 keys, and the part of requests wasted in percent. */
async function total(rules: RulesFor, conditions: Conditions): Promise<Figures> {
  const results = await inOrder(readTraces(), (trace) => replay(trace, rules, conditions));
  const sum = (count: (result: ReplayResult) => number): number =>
    results.reduce((before, result) => before + count(result), 0);
  const [keys, requests] = [sum((result) => result.keys), sum(({ starts }) => starts.length)];
  const read = sum((result) => result.read);
  const wasted = (100 * sum((result) => result.wasted)) / requests;
  return { requests: (1_000 * requests) / keys, read: (1_000 * read) / keys, perRead: requests / read, wasted };
}

/** Each request is answered with 429. */
async function inStorm(): Promise<Row[]> {
  const most = async (rules: RulesFor): Promise<number> => {
    const results = await inOrder(readTraces(), (trace) => replay(trace, rules, { latency: 300, isStorm: true }));
    return Math.max(...results.map(({ starts }) => mostInMinute(starts)));
  };
  const mine = await most(ours);
  const title = "Most requests in a minute while each is answered with 429, vs";
  return [
    row(`${title} the limit`, "×", [mine], [limits.requestsPerMinute], 1),
    ...(await inOrder(Object.entries(rivals), async ([name, rules]) =>
      row(`${title} ${name}`, "×", [mine], [await most(rules)]),
    )),
  ];
}

function mostInMinute(starts: readonly number[]): number {
  return Math.max(0, ...starts.map((start) => starts.filter((one) => one >= start && one < start + minute).length));
}

/** Milliseconds of the processor for each key, with what types the session and simulates the model. */
async function cpuTime(): Promise<number> {
  const lines = readFileSync(import.meta.filename, "utf8").split("\n");
  const padding = Array.from({ length: lineCount }, (_, index) => `${lines[index % lines.length] ?? ""}\n`).join("");
  const conditions = { latency: 300, padding };
  const traces = readTraces();
  const start = process.cpuUsage();
  const results = await inOrder(traces, (trace) => replay(trace, ours, conditions));
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000 / results.reduce((keys, result) => keys + result.keys, 0);
}

async function inOrder<T, R>(items: readonly T[], action: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const item of items) results.push(await action(item));
  return results;
}

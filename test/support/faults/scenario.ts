import assert from "node:assert/strict";
import { it } from "mocha";
import { GatewayError } from "../../../src/gateway/errors.ts";
import type { AnswerPart, EntryName, Gateway, GatewaySettings } from "../../../src/gateway/types.ts";
import { textIn } from "../localClient.ts";
import { allAsked, ask, type Asked, right, rightText } from "./answers.ts";
import { type BenchOptions, startBench } from "./bench.ts";
import type { Fault, FaultServer, FaultServerOptions } from "./faultServer.ts";

/** What is wrong with an entry. */
export interface Trouble extends Pick<BenchOptions, "limits"> {
  /** What every request meets. */
  readonly fault?: Fault;
  /** The same, where it depends on the operation. */
  readonly faultFor?: (asked: Asked) => Fault;
  /** How the entry listens. */
  readonly listens?: FaultServerOptions;
  /** Done to the entry before anything is asked. */
  readonly prepare?: (entry: FaultServer) => Promise<void>;
  /** Its base URL, where that is part of the trouble. */
  readonly url?: (entry: FaultServer, name: EntryName) => string;
  readonly settings?: Partial<GatewaySettings>;
  /** What is counted at an entry. Default: orders. */
  readonly count?: (entry: FaultServer) => number;
}

/** How trouble ends: at the primary alone, and at both entries; an outcome and what each saw, as in `answer 1+1`. */
export type Ends = readonly [one: string, both: string];

/** A test of what trouble comes to, for each of the operations named. */
export type Expected = Partial<Readonly<Record<Asked, Ends>>>;

/** The same ends for several operations. */
export function each(names: readonly Asked[], ...ends: Ends): Expected {
  return Object.fromEntries(names.map((name) => [name, ends] as const));
}

/** The same end for all operations, whether one entry has the trouble or both. */
export function always(end: string): Expected {
  return each(allAsked, end, end);
}

/** Declares a test: all operations that are expected to come to something, one beside the other. */
export function itEnds(title: string, trouble: Trouble, expected: Expected): void {
  it(title, async () => {
    const names = allAsked.filter((name) => name in expected);
    const seen = await Promise.all(names.map(async (name) => [name, await endsOf(name, trouble)] as const));
    assert.deepEqual(Object.fromEntries(seen), expected);
  });
}

async function endsOf(asked: Asked, trouble: Trouble): Promise<Ends> {
  return Promise.all([endOf(asked, trouble, ["primary"]), endOf(asked, trouble, ["primary", "backup"])]);
}

async function endOf(asked: Asked, trouble: Trouble, names: readonly EntryName[]): Promise<string> {
  const { fault, faultFor, listens, limits, prepare, settings, url, count = orders } = trouble;
  const listening = Object.fromEntries(names.map((name) => [name, listens ?? {}] as const));
  await using bench = await startBench(right(asked), { ...listening, limits: limits ?? {}, settings: settings ?? {} });
  for (const name of names) {
    const entry = bench[name];
    const field = name === "primary" ? "baseUrl" : "backupBaseUrl";
    if (url) bench.settings = { ...bench.settings, [field]: url(entry, name) };
    const met = faultFor?.(asked) ?? fault;
    if (met) entry.always(met);
    await prepare?.(entry);
  }
  const { outcome } = await resultOf(bench.gateway, asked);
  return `${outcome} ${String(count(bench.primary))}+${String(count(bench.backup))}`;
}

function orders({ posts }: FaultServer): number {
  return posts;
}

/** What an operation came to. */
export interface Result {
  /** `answer`, `cancelled`, or the kind of the error. */
  readonly outcome: string;
  readonly error: GatewayError | undefined;
  /** What was handed on of the answer. */
  readonly text: string;
}

/** Runs an operation to its end. What was handed on is checked to be right as far as it goes. */
export async function resultOf(gateway: Gateway, asked: Asked, signal?: AbortSignal): Promise<Result> {
  const parts: AnswerPart[] = [];
  const result = await ask(gateway, asked, signal, parts).then(
    (text) => ({ outcome: text === rightText ? "answer" : `wrong answer: ${text}`, error: undefined }),
    (error: unknown) => failureOf(error, signal),
  );
  const text = textIn(parts);
  assert.ok(rightText.startsWith(text), `${text} is no beginning of the right answer.`);
  return { ...result, text };
}

/** What is known of a failed operation. Throws what no operation may throw. */
export function failureOf(error: unknown, signal?: AbortSignal): Omit<Result, "text"> {
  if (signal?.aborted && error === signal.reason) return { outcome: "cancelled", error: undefined };
  if (!(error instanceof GatewayError)) throw error;
  return { outcome: error.kind, error };
}

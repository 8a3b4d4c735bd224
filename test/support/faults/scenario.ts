import assert from "node:assert/strict";
import { GatewayError } from "../../../src/gateway/errors.ts";
import type { AnswerPart, EntryName, Gateway, GatewaySettings } from "../../../src/gateway/types.ts";
import { textIn } from "../localClient.ts";
import { allAsked, ask, type Asked, right, rightText, texts } from "./answers.ts";
import { type BenchOptions, startBench } from "./bench.ts";
import type { Fault, FaultServer, FaultServerOptions } from "./faultServer.ts";

/** The trouble with an entry. */
export interface Trouble extends Pick<BenchOptions, "limits"> {
  /** The fault for every request. */
  readonly fault?: Fault;
  /** The fault, if it depends on the operation. */
  readonly faultFor?: (asked: Asked) => Fault;
  /** How the entry listens. */
  readonly listens?: FaultServerOptions;
  /** Prepares the entry before the first request. */
  readonly prepare?: (entry: FaultServer) => Promise<void>;
  /** The entry's base URL, if that is part of the trouble. */
  readonly url?: (entry: FaultServer, name: EntryName) => string;
  readonly settings?: Partial<GatewaySettings>;
  /** The number to compare for an entry. Default: orders. */
  readonly count?: (entry: FaultServer) => number;
}

/** The result of trouble at the primary alone, and at both entries: an outcome and the counts, as in `answer 1+1`. */
export type Ends = readonly [one: string, both: string];

/** The expected results by operation. */
export type Expected = Partial<Readonly<Record<Asked, Ends>>>;

/** The same results for several operations. */
export function each(names: readonly Asked[], ...ends: Ends): Expected {
  return Object.fromEntries(names.map((name) => [name, ends] as const));
}

/** The same result for all operations, whether one or both entries have the trouble. */
export function always(end: string): Expected {
  return each(allAsked, end, end);
}

/** Nobody knows whether an ordered image was made. */
export const charged = each(["image"], "mayBeCharged 1+0", "mayBeCharged 1+0");

/** What came is of no use, so the other entry is asked once. */
export function useless(kind: string): Expected {
  return { ...each(texts, "answer 1+1", `${kind} 1+1`), ...charged };
}

/** Nothing came, so each entry is asked twice. */
export function nothing(kind = "connectionLost"): Expected {
  return { ...each(texts, "answer 2+1", `${kind} 2+2`), ...charged };
}

/** Declares a test that runs all expected operations concurrently. */
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

/** The result of an operation. */
export interface Result {
  /** `answer`, `cancelled`, or the kind of the error. */
  readonly outcome: string;
  readonly error: GatewayError | undefined;
  /** The delivered part of the answer. */
  readonly text: string;
}

/** Runs an operation to its end. Asserts that the delivered text is correct as far as it goes. */
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

/** Describes a failed operation. Throws for errors that no operation may throw. */
export function failureOf(error: unknown, signal?: AbortSignal): Omit<Result, "text"> {
  if (signal?.aborted && error === signal.reason) return { outcome: "cancelled", error: undefined };
  if (!(error instanceof GatewayError)) throw error;
  return { outcome: error.kind, error };
}

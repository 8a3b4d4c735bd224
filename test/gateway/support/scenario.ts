import assert from "node:assert/strict";
import type { EntryName } from "../../../src/gateway/types.ts";
import { type BenchOptions, shortLimits, startBench } from "./bench.ts";
import { allAsked, type Asked, close, drip, raw, reset, silence, streams, texts, unasked } from "./faults.ts";
import type { Fault, FaultServer, FaultServerOptions } from "./faultServer.ts";

/** The trouble with an entry. */
export interface Trouble extends Pick<BenchOptions, "limits" | "settings"> {
  readonly fault?: Fault;
  readonly listens?: FaultServerOptions;
  /** The entry's base URL, if that is part of the trouble. */
  readonly url?: (entry: FaultServer, name: EntryName) => string;
  /** What is counted of an entry. Default: orders. */
  readonly count?: "posts" | "connections";
}

/** The result of trouble at the primary alone, and at both entries: an outcome and the counts, as in `answer 1+1`. */
type Ends = readonly [one: string, both: string];

/** The expected results by operation. */
export type Expected = Partial<Readonly<Record<Asked, Ends>>>;

/** The same results for several operations; one stands for both. */
export function each(names: readonly Asked[], one: string, both = one): Expected {
  return Object.fromEntries(names.map((name) => [name, [one, both]] as const));
}

/** The same result for all operations, whether one or both entries have the trouble. */
export function always(end: string): Expected {
  return each(allAsked, end);
}

/** Nobody knows whether an ordered image was made. */
const charged = each(["image"], "mayBeCharged 1+0");

/** What came stays, and nobody is asked again. */
export const brokeOff = each(streams, "interrupted 1+0");

/** What came is of no use, so the other entry is asked once. */
export function useless(kind: string): Expected {
  return { ...each(texts, "answer 1+1", `${kind} 1+1`), ...charged };
}

/** Nothing came, so each entry is asked twice. */
export function nothing(kind = "connectionLost"): Expected {
  return { ...each(texts, "answer 2+1", `${kind} 2+2`), ...charged };
}

const noContent: Fault = ({ socket, done }) => {
  socket.write("HTTP/1.1 204 No Content\r\n\r\n");
  done();
};

/** What may come in place of the beginning of an answer, with the outcome through either transport. */
export const oddHeads: readonly (readonly [title: string, fault: Fault, expected: Expected])[] = [
  ["silence", silence, nothing("timeout")],
  ["closed before headers", close, nothing()],
  ["reset after the request", reset, nothing()],
  ["slow headers", drip("HTTP/1.1 200 OK\r\nx-slow: ", "x", 50), nothing("timeout")],
  ["garbage instead of a status line", raw("GARBAGE\r\n\r\n"), useless("badGateway")],
  [
    "headers over 16 KB",
    raw(`HTTP/1.1 200 OK\r\nx-long: ${"x".repeat(20_000)}`),
    { ...always("rejected 1+0"), ...charged },
  ],
  ["204", noContent, useless("empty")],
  ["nothing but 100", drip("", unasked.repeat(50), 1), nothing()],
  [
    "another protocol that nobody asked for",
    raw("HTTP/1.1 101 X\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n"),
    nothing(),
  ],
];

/** Limits for these: what is slow meets them. */
export function limitsFor(title: string): NonNullable<BenchOptions["limits"]> {
  return /silence|slow/.test(title) ? shortLimits : {};
}

/** Declares a test that runs all expected operations concurrently. */
export function itEnds(title: string, trouble: Trouble | Fault, expected: Expected): void {
  it(title, async () => {
    const names = allAsked.filter((name) => name in expected);
    const of = typeof trouble === "function" ? { fault: trouble } : trouble;
    const seen = names.map(async (name) => {
      return [name, await Promise.all([endOf(name, of, ["primary"]), endOf(name, of, ["primary", "backup"])])] as const;
    });
    assert.deepEqual(Object.fromEntries(await Promise.all(seen)), expected);
  });
}

async function endOf(asked: Asked, trouble: Trouble, names: readonly EntryName[]): Promise<string> {
  const { fault, listens = {}, limits = {}, settings = {}, url, count = "posts" } = trouble;
  const listening = Object.fromEntries(names.map((name) => [name, listens] as const));
  await using bench = await startBench(undefined, { ...listening, limits, settings });
  for (const name of names) {
    const field = name === "primary" ? "baseUrl" : "backupBaseUrl";
    if (url) bench.settings = { ...bench.settings, [field]: url(bench[name], name) };
    if (fault) bench[name].always(fault);
  }
  return `${await bench.outcome(asked)} ${bench.primary[count]}+${bench.backup[count]}`;
}

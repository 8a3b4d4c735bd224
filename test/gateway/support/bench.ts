import assert from "node:assert/strict";
import { createGateway, type Tuning } from "../../../src/gateway/client.ts";
import { GatewayError } from "../../../src/gateway/errors.ts";
import { userAgent } from "../../../src/gateway/network/network.ts";
import type { Clock } from "../../../src/gateway/policy/clock.ts";
import type {
  AnswerPart,
  AttemptReport,
  ChatRequest,
  EntryHealth,
  Gateway,
  GatewayOptions,
  GatewaySettings,
  KeyGroup,
  Observe,
  PreconnectReport,
} from "../../../src/gateway/types.ts";
import { tinyPng } from "../../support/gateway/png.ts";
import { until } from "../../support/until.ts";
import { partsOf, question, textIn } from "../../support/localClient.ts";
import { plainSettings } from "../../support/plainSettings.ts";
import { type Asked, right, rightLink, rightText } from "./faults.ts";
import { type Fault, FaultServer, type FaultServerOptions, type SeenRequest } from "./faultServer.ts";
import type { TimeLimits } from "../../../src/gateway/timeLimits.ts";

/** The keys of every test. */
export const keys: Readonly<Record<KeyGroup, string>> = { codex: "sk-codex-000", image: "sk-image-000" };

/** The default time limits, but shorter where tests wait for them. */
export const shortLimits: Partial<TimeLimits> = { connect: 1_000, connectWithStandby: 1_000, headers: 300, idle: 300 };

/** Options of a bench. */
export interface BenchOptions {
  readonly limits?: Partial<TimeLimits>;
  readonly settings?: Partial<GatewaySettings>;
  readonly primary?: FaultServerOptions;
  readonly backup?: FaultServerOptions;
  readonly hasBackup?: boolean;
  readonly tuning?: Pick<Tuning, "addresses" | "clock">;
}

/** A client with these settings and the test keys. */
export function clientFor(
  settings: () => GatewaySettings,
  tuning: Tuning,
  more: Partial<GatewayOptions> = {},
): Gateway {
  return createGateway({ settings, key: (group) => Promise.resolve(keys[group]), ...more }, tuning);
}

/** Two entries on loopback and a client for them. */
export type Bench = Awaited<ReturnType<typeof startBench>>;

/** Starts two entries that answer with `usual`, and a client. Disposing asserts that no connection is left and no key leaked. */
export async function startBench(usual: Fault = right, options: BenchOptions = {}) {
  const primary = await FaultServer.start(usual, options.primary);
  const backup = await FaultServer.start(usual, options.backup);
  const clock = fakeClock();
  const reports: AttemptReport[] = [];
  const preconnects: PreconnectReport[] = [];
  const urls = { baseUrl: primary.url, backupBaseUrl: options.hasBackup === false ? "" : backup.url };
  const bench = {
    ...{ primary, backup, clock, reports, preconnects },
    /** The client's settings, which tests may change at any time. */
    settings: { ...plainSettings, ...urls, ...options.settings },
    keysRead: 0,
    health: [] as readonly EntryHealth[],
    /** How many orders each entry has got, as in `1+0`. */
    get posts() {
      return `${primary.posts}+${backup.posts}`;
    },
  };
  const gateway = clientFor(
    () => bench.settings,
    { clock, random: () => 0.5, limits: options.limits ?? {}, ...options.tuning },
    {
      key: (group) => {
        bench.keysRead += 1;
        return Promise.resolve(keys[group]);
      },
      onEvent: ({ type, ...event }) => {
        if (type === "attempt") reports.push(event as AttemptReport);
        if (type === "preconnect") preconnects.push(event as PreconnectReport);
        if ("health" in event) bench.health = event.health;
      },
    },
  );
  const result = (asked?: Asked, signal?: AbortSignal): Promise<Result> => resultOf(gateway, asked, signal);
  return Object.assign(bench, {
    gateway,
    /** Runs an operation to its end, see `resultOf`. */
    result,
    /** How it ends: `answer`, `cancelled`, or the kind of the error. */
    outcome: async (asked?: Asked, signal?: AbortSignal) => (await result(asked, signal)).outcome,
    parts: (more: Partial<ChatRequest> = {}) =>
      partsOf(gateway.ask(question("Hi", more), new AbortController().signal)),
    always(fault: Fault) {
      for (const entry of [primary, backup]) entry.always(fault);
    },
    /** Asserts that each request is as it should be, see `assertUsual`, and forgets the requests so far. */
    checkRequests() {
      for (const entry of [primary, backup]) {
        for (const request of entry.requests) assertUsual(request);
        entry.forget();
      }
    },
    async [Symbol.asyncDispose]() {
      try {
        await until(() => primary.busy + backup.busy === 0, "no connection is in use");
        await gateway.dispose();
        await until(() => primary.open + backup.open === 0, "all connections are closed");
        this.checkRequests();
      } finally {
        await Promise.all([primary.stop(), backup.stop()]);
      }
    },
  });
}

/** Asserts that a request says who asks, wants nothing encoded, and has a key only as the bearer token of its operation. */
export function assertUsual({ method, path, head, body }: SeenRequest): void {
  const key = path.includes("/images/") ? keys.image : keys.codex;
  const isOurs = method === "POST" && /^\/v1\/(chat\/completions|responses|images\/generations)$/.test(path);
  const header = (name: string): string | undefined => new RegExp(`^${name}: (.*)$`, "im").exec(head)?.[1];
  assert.equal(header("authorization"), isOurs ? `Bearer ${key}` : undefined);
  assert.equal(header("user-agent"), userAgent);
  if (method !== "HEAD") assert.equal(header("accept-encoding"), "identity");
  assertNoKey(`${head}${body}`.replace(/^authorization: .*$/im, ""));
}

/** Asserts that a text contains no key. */
export function assertNoKey(seen: string): void {
  assert.doesNotMatch(seen, /sk-(codex|image)|authorization/i);
}

/** Makes a request of one kind, which names the form of its answer. `parts` grows as the answer arrives. */
export async function ask(
  gateway: Gateway,
  asked: Asked,
  signal: AbortSignal = new AbortController().signal,
  parts: AnswerPart[] = [],
  observe?: Observe,
): Promise<string> {
  if (asked === "image") {
    const { images } = await gateway.generateImage({ prompt: asked }, signal, observe);
    return images.map((image) => ("url" in image && image.url === rightLink ? rightText : "")).join();
  }
  const api = asked.startsWith("chat") ? "chatCompletions" : "responses";
  return textIn(await partsOf(gateway.ask(question(asked, { api }), signal, observe), parts));
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
export async function resultOf(gateway: Gateway, asked: Asked = "chatStream", signal?: AbortSignal): Promise<Result> {
  const parts: AnswerPart[] = [];
  const result = await ask(gateway, asked, signal, parts).then(
    (text) => ({ outcome: text === rightText ? "answer" : `wrong answer: ${text}`, error: undefined }),
    (error: unknown) => describeFailure(error, signal),
  );
  const text = textIn(parts);
  assert.ok(rightText.startsWith(text), `${text} is no beginning of the right answer.`);
  return { ...result, text };
}

/** Describes a failed operation. Throws for errors that no operation may throw. */
export function describeFailure(error: unknown, signal?: AbortSignal): Omit<Result, "text"> {
  if (signal?.aborted && error === signal.reason) return { outcome: "cancelled", error: undefined };
  if (!(error instanceof GatewayError)) throw error;
  return { outcome: error.kind, error };
}

/** Downloads an image: whether it is `tinyPng`, and its type, or how it fails. */
export async function download(
  { gateway }: Pick<Bench, "gateway">,
  url: string,
  signal = new AbortController().signal,
): Promise<string> {
  return await gateway.downloadImage(url, signal).then(
    ({ bytes, type }) => `${tinyPng.equals(bytes) ? "same" : "other"} ${type}`,
    (error: unknown) => describeFailure(error, signal).outcome,
  );
}

/** A clock whose waits take no time and are recorded. */
export interface FakeClock extends Clock {
  readonly waits: readonly number[];
  advance(milliseconds: number): void;
}

/** A clock that starts at `time`, in milliseconds since the epoch. */
export function fakeClock(time = Date.UTC(2030, 0, 1)): FakeClock {
  const waits: number[] = [];
  let now = time;
  return {
    waits,
    now: () => now,
    elapsed: () => now,
    advance: (milliseconds) => void (now += milliseconds),
    sleep: (delay, signal) => {
      signal.throwIfAborted();
      waits.push(delay);
      now += delay;
      return Promise.resolve();
    },
  };
}

/** Asserts after every test of the block that no socket or timer is open that was not open before. */
export function leavesNothing(): void {
  let before: readonly string[] = [];
  const left = async (): Promise<readonly string[]> => {
    const rest = [...before];
    return (await resources()).filter((name) => {
      const index = rest.indexOf(name);
      if (index >= 0) rest.splice(index, 1);
      return index < 0;
    });
  };
  beforeEach(async () => {
    before = await resources();
  });
  afterEach(async () => {
    await until(async () => (await left()).length === 0, "no socket or timer is left").catch(() => undefined);
    assert.deepEqual(await left(), []);
  });
}

/**
 * The active resources of this process, without look-ups of names, files, and child processes of other tests: nobody can
 * cancel what the system's resolver does, and all end by themselves. Asynchronous, because mocha's own timer starts with the first wait.
 */
async function resources(): Promise<readonly string[]> {
  await Promise.resolve();
  const others = new Set(["GetAddrInfoReqWrap", "FSReqCallback", "ProcessWrap", "PipeWrap"]);
  return process.getActiveResourcesInfo().filter((name) => !others.has(name));
}

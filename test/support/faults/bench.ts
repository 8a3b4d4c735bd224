import assert from "node:assert/strict";
import { createGateway, type Tuning } from "../../../src/gateway/client.ts";
import type { Limits } from "../../../src/gateway/limits.ts";
import { systemClock } from "../../../src/gateway/policy/clock.ts";
import type {
  AttemptReport,
  EntryHealth,
  Gateway,
  GatewayOptions,
  GatewaySettings,
  KeyGroup,
  PreconnectReport,
} from "../../../src/gateway/types.ts";
import { until } from "../gateway/until.ts";
import { plainSettings } from "../plainSettings.ts";
import { type FakeClock, fakeClock } from "./fakeClock.ts";
import { type Fault, FaultServer, type FaultServerOptions } from "./faultServer.ts";

/** The keys of every test. */
export const keys: Readonly<Record<KeyGroup, string>> = { codex: "sk-codex-000", image: "sk-image-000" };

/** The default time limits, but shorter where tests wait for them. */
export const shortLimits: Partial<Limits> = { connect: 500, connectWithStandby: 500, headers: 300, idle: 300 };

/** Options of a bench. */
export interface BenchOptions {
  readonly limits?: Partial<Limits>;
  readonly settings?: Partial<GatewaySettings>;
  readonly primary?: FaultServerOptions;
  readonly backup?: FaultServerOptions;
  readonly hasBackup?: boolean;
  /** Whether waits take real time. */
  readonly isClockReal?: boolean;
  readonly tuning?: Pick<Tuning, "addresses" | "clock">;
}

/** Two entries on loopback and a client for them. */
export interface Bench extends AsyncDisposable {
  readonly gateway: Gateway;
  readonly primary: FaultServer;
  readonly backup: FaultServer;
  readonly clock: FakeClock;
  readonly reports: AttemptReport[];
  readonly preconnects: readonly PreconnectReport[];
  /** How many keys the client asked for. */
  readonly keysRead: number;
  /** The health last reported by the client. */
  readonly health: readonly EntryHealth[];
  /** Asserts that no key is in the wrong place, and forgets the requests so far. */
  checkKeys(): void;
  /** The client's settings, which tests may change at any time. */
  settings: GatewaySettings;
}

/** A client with these settings and the test keys. */
export function clientFor(
  settings: () => GatewaySettings,
  tuning: Tuning,
  more: Partial<GatewayOptions> = {},
): Gateway {
  return createGateway({ settings, key: (group) => Promise.resolve(keys[group]), ...more }, tuning);
}

/**
 * Starts two entries that answer with `usual`, and a client. Disposing asserts that no connection is left and no key
 * leaked.
 */
export async function startBench(usual: Fault, options: BenchOptions = {}): Promise<Bench> {
  const primary = await FaultServer.start(usual, options.primary);
  const backup = await FaultServer.start(usual, options.backup);
  const clock = fakeClock();
  const reports: AttemptReport[] = [];
  const preconnects: PreconnectReport[] = [];
  const url = ({ port }: FaultServer, { certificate }: FaultServerOptions = {}): string =>
    `http${certificate ? "s" : ""}://localhost:${String(port)}`;
  const bench = {
    settings: {
      ...plainSettings,
      baseUrl: url(primary, options.primary),
      backupBaseUrl: options.hasBackup === false ? "" : url(backup, options.backup),
      ...options.settings,
    },
    ...{ primary, backup, clock, reports, preconnects },
    keysRead: 0,
    health: [] as readonly EntryHealth[],
  };
  const gateway = clientFor(
    () => bench.settings,
    {
      clock: options.isClockReal ? systemClock : clock,
      random: () => 0.5,
      limits: options.limits ?? {},
      ...options.tuning,
    },
    {
      key: (group) => {
        bench.keysRead += 1;
        return Promise.resolve(keys[group]);
      },
      onAttempt: (report) => reports.push(report),
      onHealth: (health) => (bench.health = health),
      onPreconnect: (report) => preconnects.push(report),
    },
  );
  return Object.assign(bench, {
    gateway,
    checkKeys() {
      for (const entry of [primary, backup]) {
        assertKeysAtHome(entry);
        entry.forget();
      }
    },
    async [Symbol.asyncDispose]() {
      try {
        await until(() => primary.busy + backup.busy === 0, 20_000, "no connection is in use");
        await gateway.dispose();
        await until(() => primary.open + backup.open === 0, 20_000, "all connections are closed");
        this.checkKeys();
      } finally {
        await Promise.all([primary.stop(), backup.stop()]);
      }
    },
  });
}

/** Asserts that an entry received keys only as bearer tokens of their own operations. */
function assertKeysAtHome(entry: FaultServer): void {
  for (const { method, path, head, body } of entry.requests) {
    const key = path.includes("/images/") ? keys.image : keys.codex;
    const isOurs = method === "POST" && /^\/v1\/(chat\/completions|responses|images\/generations)$/.test(path);
    assert.equal(/^authorization: (.*)$/im.exec(head)?.[1], isOurs ? `Bearer ${key}` : undefined);
    assertNoKey(`${head}${body}`.replace(/^authorization: .*$/im, ""));
  }
}

/** Asserts that a text contains no key. */
export function assertNoKey(seen: string): void {
  assert.doesNotMatch(seen, /sk-(codex|image)|authorization/i);
}

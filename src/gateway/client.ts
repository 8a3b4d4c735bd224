import { configuredEntries, type Entry } from "./entries.ts";
import { GatewayError } from "./errors.ts";
import { defaultLimits, type Limits } from "./limits.ts";
import { imageModel } from "./models.ts";
import { Network } from "./network/network.ts";
import { askModel } from "./operations/askModel.ts";
import { downloadImage } from "./operations/downloadImage.ts";
import { FieldMemory } from "./operations/fieldMemory.ts";
import { orderImages } from "./operations/orderImages.ts";
import { probe } from "./operations/probe.ts";
import { Slots } from "./operations/slots.ts";
import { Breaker } from "./policy/breaker.ts";
import { type Clock, fullClock, systemClock } from "./policy/clock.ts";
import { RateLimits } from "./policy/rateLimits.ts";
import type {
  AnswerPart,
  AttemptReport,
  ChatRequest,
  Finding,
  Gateway,
  GatewayOptions,
  GatewaySettings,
  ImageAnswer,
  ImageFile,
  ImageRequest,
  KeyGroup,
  WaitingEvent,
} from "./types.ts";
import { unlessAborted } from "./unlessAborted.ts";

/** What tests and benchmarks change: time and chance. */
export interface Tuning {
  readonly limits?: Partial<Limits>;
  readonly clock?: Clock;
  /** A number in [0, 1). */
  readonly random?: () => number;
}

/** Image files that are fetched at the same time. */
const maxDownloads = 2;

/** The client: sends what features ask for to the entries, under the policy of `policy.ts`. */
export function createGateway(options: GatewayOptions, tuning: Tuning = {}): Gateway {
  const { random = Math.random } = tuning;
  const clock = fullClock(tuning.clock ?? systemClock);
  const limits = { ...defaultLimits, ...tuning.limits };
  const closing = new AbortController();
  const network = new Network(
    () => options.settings(),
    () => clock.elapsed(),
  );
  const breaker = new Breaker({
    ...clock,
    isAlive: async (name) => {
      const entry = configuredEntries(options.settings()).find((known) => known.name === name);
      return entry !== undefined && (await isAlive(entry, closing.signal));
    },
    onChange: (health) => options.onHealth?.(health),
  });
  const onAttempt = (report: AttemptReport): void => options.onAttempt?.(report);
  const downloads = new Slots(maxDownloads);
  const rateLimits = new RateLimits();
  const lively = new Set<string>();
  const fieldMemories = new Map<string, FieldMemory>();
  let knownSettings = "";

  /** The settings as they are now. What was learned under others is forgotten. */
  function currentSettings(): GatewaySettings {
    const settings = options.settings();
    const text = JSON.stringify(settings);
    if (knownSettings !== "" && knownSettings !== text) {
      network.renew();
      breaker.reset();
      rateLimits.reset();
      lively.clear();
      fieldMemories.clear();
    }
    knownSettings = text;
    return settings;
  }

  /** Whether an entry answers anything at all. Asked on a connection of its own, without a key. */
  async function isAlive({ baseUrl }: Entry, signal: AbortSignal): Promise<boolean> {
    const request = { method: "HEAD", url: new URL(`${baseUrl}/v1`), headers: {} } as const;
    const quick = { connect: limits.connect, headers: limits.connect, idle: limits.connect };
    try {
      const answer = await network.send(request, {
        signal: AbortSignal.any([signal, closing.signal]),
        limits: quick,
        isFresh: true,
        hasHealthyBackup: true,
      });
      await answer.body.return();
      return true;
    } catch {
      return false;
    }
  }

  async function keyOf(group: KeyGroup, { baseUrl }: Entry, signal: AbortSignal): Promise<string> {
    const key = (await unlessAborted(options.key(group, new URL(baseUrl).origin), signal))?.trim();
    if (key === undefined || key === "") throw new GatewayError("noKey", "No key is set.", { group });
    if (/^[\x21-\x7e]+$/.test(key)) return key;
    throw new GatewayError("unauthorized", "The key has characters that no key has.", { group });
  }

  function context(group: KeyGroup, model: string, signal: AbortSignal, observe?: (event: WaitingEvent) => void) {
    signal.throwIfAborted();
    const settings = currentSettings();
    const entries = configuredEntries(settings);
    const either = AbortSignal.any([signal, closing.signal]);
    return {
      ...{ settings, entries, model, network, breaker, rateLimits, lively, limits, clock, random, isAlive },
      signal: either,
      keyFor: (entry: Entry) => keyOf(group, entry, either),
      observe: observe ?? (() => undefined),
      onAttempt,
    };
  }

  async function* ask(
    request: ChatRequest,
    signal: AbortSignal,
    observe?: (event: WaitingEvent) => void,
  ): AsyncGenerator<AnswerPart, undefined> {
    const operation = request.api === "responses" ? "responses" : "chat";
    const shared = context("codex", request.model, signal, observe);
    const switchedOff = switchedOffFields(shared.settings);
    const fieldMemory = (name: string): FieldMemory => {
      const key = `${name} ${operation} ${request.model}`;
      const memory = fieldMemories.get(key) ?? new FieldMemory();
      fieldMemories.set(key, memory);
      return memory;
    };
    const batches = askModel({ ...shared, operation, switchedOff, fieldMemory }, request);
    for await (const parts of batches) {
      for (const part of parts) {
        if (part.type === "start") options.onAnswer?.({ entry: part.entry, what: "text" });
        if (part.type === "usage") options.onUsage?.(part);
        yield part;
      }
    }
  }

  async function generateImage(
    request: ImageRequest,
    signal: AbortSignal,
    observe?: (event: WaitingEvent) => void,
  ): Promise<ImageAnswer> {
    const shared = context("image", imageModel, signal, observe);
    const answer = await orderImages({ ...shared, operation: "image" }, request);
    options.onAnswer?.({ entry: answer.entry, what: "image" });
    if (answer.usage) options.onUsage?.(answer.usage);
    return answer;
  }

  function fetchImage(url: string, signal: AbortSignal): Promise<ImageFile> {
    const shared = { network, limits, clock, random, signal, settings: currentSettings, onAttempt };
    return downloads.run(() => downloadImage(shared, url), signal);
  }

  async function testConnection(model: string, signal: AbortSignal): Promise<readonly Finding[]> {
    const settings = currentSettings();
    const shared = {
      ...{ network, breaker, rateLimits, lively, limits, clock, isAlive },
      ...{ onAttempt, settings, model, signal },
    };
    const groups = ["codex", "image"] as const;
    const tests = configuredEntries(settings).flatMap((entry) => groups.map((group) => ({ entry, group })));
    return await Promise.all(
      tests.map(async ({ entry, group }) =>
        probe({ ...shared, entry, group, key: await keyOf(group, entry, signal).catch(asGatewayError) }),
      ),
    );
  }

  return {
    ask,
    generateImage,
    downloadImage: (url, signal) => fetchImage(url, AbortSignal.any([signal, closing.signal])),
    probe: (model, signal) => testConnection(model, AbortSignal.any([signal, closing.signal])),
    dispose: async () => {
      closing.abort(new GatewayError("interrupted", "The client is closed."));
      await network.dispose();
    },
  };
}

function switchedOffFields({ streaming, toolCalling }: GatewaySettings): ReadonlySet<string> {
  return new Set([...(streaming === "off" ? ["stream"] : []), ...(toolCalling === "off" ? ["tools"] : [])]);
}

function asGatewayError(error: unknown): GatewayError {
  if (error instanceof GatewayError) return error;
  throw error;
}

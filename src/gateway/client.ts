import { isDeepStrictEqual } from "node:util";
import { asError, LinkedController, unlessAborted } from "./abort.ts";
import type { Entry } from "./baseUrl.ts";
import { GatewayError } from "./errors.ts";
import { imageModel } from "./models.ts";
import { askModel } from "./operations/askModel.ts";
import { downloadImage, orderImages } from "./operations/images.ts";
import { preconnect, probe } from "./operations/probe.ts";
import {
  createSharedContext,
  type OperationContext,
  type SharedContext,
  type Tuning,
} from "./operations/sharedContext.ts";
import { keyGroupOf } from "./policy/rules.ts";
import { defaultTimeLimits } from "./timeLimits.ts";
import type {
  AnswerPart,
  ChatRequest,
  Gateway,
  GatewayOptions,
  ImageAnswer,
  ImageFile,
  ImageRequest,
  KeyGroup,
  KeyUse,
  Observe,
  ProbeResult,
  TextApi,
} from "./types.ts";
import { withHashedConversation } from "./wire/requestBodies.ts";

export type { Tuning };

/**
 * Creates the client, whose retry and failover `policy/retryPolicy.ts` decides. Connects to nothing until the first operation.
 * `tuning.limits` are in milliseconds; missing ones come from `defaultTimeLimits`.
 */
export function createGateway(options: GatewayOptions, tuning: Tuning = {}): Gateway {
  return new Client(options, tuning);
}

/** The client. Reuses connections, the entries' health, rate limits and rejected fields between operations. */
class Client implements Gateway {
  readonly #options: GatewayOptions;
  readonly #tuning: Tuning;
  readonly #closing = new AbortController();
  readonly #limitDownload: ReturnType<typeof downloadLimit>;
  /** Context shared by all operations under the same settings. */
  #shared: SharedContext;

  constructor(options: GatewayOptions, tuning: Tuning) {
    this.#options = options;
    this.#tuning = tuning;
    this.#limitDownload = downloadLimit(tuning.limits?.downloadSlot ?? defaultTimeLimits.downloadSlot);
    this.#shared = createSharedContext(options, tuning, this.#closing.signal);
  }

  async *ask(request: ChatRequest, signal: AbortSignal, observe?: Observe): AsyncGenerator<AnswerPart, undefined> {
    signal.throwIfAborted();
    using untilClosed = this.#untilClosed(signal);
    const context = this.#context("chat", request, untilClosed.signal, observe);
    yield* askModel(context, withHashedConversation(request, this.#options.salt));
  }

  async generateImage(request: ImageRequest, signal: AbortSignal, observe?: Observe): Promise<ImageAnswer> {
    signal.throwIfAborted();
    const topic = { model: imageModel, feature: request.feature };
    using untilClosed = this.#untilClosed(signal);
    const context = this.#context("image", topic, untilClosed.signal, observe);
    const answer = await orderImages(context, request);
    this.#options.onEvent?.({ type: "answer", entry: answer.entry, what: "image" });
    return answer;
  }

  async downloadImage(url: string, signal: AbortSignal): Promise<ImageFile> {
    using untilClosed = this.#untilClosed(signal);
    return await this.#limitDownload(() => downloadImage(this.#current(), url, untilClosed.signal), untilClosed.signal);
  }

  async probe(
    model: string,
    signal: AbortSignal,
    api: TextApi | "auto" = "auto",
    feature?: string,
  ): Promise<readonly ProbeResult[]> {
    const shared = this.#current();
    using untilClosed = this.#untilClosed(signal);
    const groups = ["codex", "image"] as const;
    const tests = shared.entries().flatMap((entry) => groups.map((group) => ({ entry, group })));
    return await Promise.all(
      tests.map(async ({ entry, group }) => {
        const key = await readKey(this.#options, group, entry, untilClosed.signal).catch(asError);
        return await probe(shared, { entry, group, key, model, api, feature, signal: untilClosed.signal });
      }),
    );
  }

  preconnect(model = ""): void {
    if (this.#closing.signal.aborted) return;
    void preconnect(this.#current(), model);
  }

  async dispose(): Promise<void> {
    this.#closing.abort(new GatewayError("interrupted", "The client is closed."));
    await this.#shared.network.dispose();
  }

  /** The context for the current settings, once per operation. A change of settings discards what was learned. */
  #current(): SharedContext {
    if (!isDeepStrictEqual(this.#options.settings(), this.#shared.settings)) {
      const { network } = this.#shared;
      network.renew();
      this.#shared = createSharedContext(this.#options, this.#tuning, this.#closing.signal, network);
      this.#options.onEvent?.({ type: "health", health: this.#shared.breaker.health() });
    }
    return this.#shared;
  }

  /** The context of an operation at the entries. */
  #context(
    operation: OperationContext["operation"],
    { model, feature, attempts = "several", isAutomatic }: Omit<ChatRequest, "messages">,
    signal: AbortSignal,
    observe: Observe = () => undefined,
  ): OperationContext {
    const shared = this.#current();
    const group = keyGroupOf(operation);
    return {
      shared,
      operation,
      model,
      feature,
      attempts,
      isAutomatic: isAutomatic === true,
      entries: shared.entries(),
      keyFor: (entry, refused) => readKey(this.#options, group, entry, signal, { isAutomatic, refused }),
      signal,
      observe,
    };
  }

  #untilClosed(signal: AbortSignal): LinkedController {
    return new LinkedController(signal, this.#closing.signal);
  }
}

/** Reads a group's key for an entry. Throws `GatewayError` (`noKey`, or `unauthorized` if malformed), or the host's error. */
async function readKey(
  options: Pick<GatewayOptions, "key">,
  group: KeyGroup,
  { baseUrl }: Entry,
  signal: AbortSignal,
  use: KeyUse = {},
): Promise<string> {
  const pending = options.key(group, new URL(baseUrl).origin, { ...use, signal });
  const key = (await unlessAborted(pending, signal))?.trim();
  if (key === undefined || key === "") throw new GatewayError("noKey", "No key is set.", { group });
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new GatewayError("unauthorized", "The key has invalid characters.", { group });
}

/** Maximum number of concurrent image downloads, not counting those that take long. */
const maxDownloads = 2;

/**
 * Limits the number of concurrent downloads; the others queue. A slow download continues without holding up others: it no
 * longer counts after `slotTime` milliseconds. The function throws what the download throws, or the reason of `signal`
 * while waiting.
 */
function downloadLimit(slotTime: number): <T>(download: () => Promise<T>, signal: AbortSignal) => Promise<T> {
  const slots = new Set<Promise<undefined>>();
  return async (download, signal) => {
    signal.throwIfAborted();
    while (slots.size >= maxDownloads) await unlessAborted(Promise.race(slots), signal);
    const slot = Promise.withResolvers<undefined>();
    slots.add(slot.promise);
    const end = (): void => {
      slots.delete(slot.promise);
      slot.resolve(undefined);
    };
    const timer = setTimeout(end, slotTime);
    try {
      return await download();
    } finally {
      clearTimeout(timer);
      end();
    }
  };
}

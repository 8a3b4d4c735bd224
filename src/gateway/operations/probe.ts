import type { Entry } from "../baseUrl.ts";
import { GatewayError } from "../errors.ts";
import { TransportError } from "../network/exchange.ts";
import { proxyFor } from "../network/proxy.ts";
import { transportFailure } from "../network/transportErrors.ts";
import type { ChatRequest, KeyGroup, ProbeResult, TextApi } from "../types.ts";
import { readObject } from "../wire/answer.ts";
import { readUsage } from "../wire/ending.ts";
import { styles } from "./askModel.ts";
import { Attempt, type AttemptRequest } from "./attempt.ts";
import { isFormRefusal } from "./refusal.ts";
import type { SharedContext } from "./sharedContext.ts";

/** A test of one entry with one group's key. */
export interface ConnectionTest {
  readonly entry: Entry;
  readonly group: KeyGroup;
  /** The key, or the reason why there is none. */
  readonly key: string | GatewayError;
  /** The text model for one tiny completion. */
  readonly model: string;
  /** The API for it. `auto`: as for a question. */
  readonly api: TextApi | "auto";
  /** For reports. */
  readonly feature: string | undefined;
  readonly signal: AbortSignal;
}

/** Maximum duration of one test, in milliseconds. */
const testTimeout = 25_000;

/** Maximum length of the answer to a test, in characters. */
const maxAnswer = 1024 * 1024;

/** A non-existent image model: asking for it verifies path and key at no cost. */
const missingModel = "codex-gateway-connection-test";

/**
 * Tests one entry once, on a new connection, without retry or failover. Text costs one tiny completion, with `auto`
 * through responses if chat completions refuse it. For images, `model_not_found` for a non-existent model verifies path
 * and key. Throws only the signal's reason.
 */
export async function probe(context: SharedContext, test: ConnectionTest): Promise<ProbeResult> {
  const { clock, settings } = context;
  const { entry, group, key } = test;
  const signal = AbortSignal.any([test.signal, AbortSignal.timeout(testTimeout)]);
  const url = new URL(entry.baseUrl);
  const proxy = proxyFor(url, settings.proxy, process.env);
  const startedAt = clock.elapsed();
  const failure =
    key instanceof GatewayError
      ? await reach(context, entry, key, signal)
      : await ask(context, { ...test, key, signal });
  test.signal.throwIfAborted();
  return {
    entry: entry.name,
    group,
    baseUrl: entry.baseUrl,
    proxy: proxy && { address: proxy.url.host, source: proxy.source },
    duration: Math.round(clock.elapsed() - startedAt),
    failure,
  };
}

/** Tests an entry without a key, unless keys are not allowed there. Returns `noKey`, or the failure to reach the entry. */
async function reach(
  context: SharedContext,
  entry: Entry,
  noKey: GatewayError,
  signal: AbortSignal,
): Promise<GatewayError> {
  if (noKey.kind === "keyNotAllowed") return noKey;
  if (await context.isAlive(entry, context.limits.connect, signal)) return noKey;
  return new GatewayError("unreachable", "The entry does not answer.", { entry: entry.name });
}

/** A connection test with a key. */
type KeyTest = ConnectionTest & { readonly key: string };

async function ask(context: SharedContext, test: KeyTest): Promise<GatewayError | undefined> {
  const { group, model } = test;
  if (group === "image") {
    const body = { model: missingModel, prompt: "test" };
    const failure = await send(context, test, { operation: "image", path: "/images/generations", body });
    return failure?.kind === "modelNotFound" ? undefined : failure;
  }
  const api = test.api === "auto" ? "chatCompletions" : test.api;
  const failure = await send(context, test, textRequest(api, model));
  if (test.api !== "auto" || failure === undefined || !isFormRefusal(failure)) return failure;
  return (await send(context, test, textRequest("responses", model))) && failure;
}

function question(model: string): ChatRequest {
  return { model, messages: [{ role: "user", content: "Reply with OK." }] };
}

type ProbeRequest = Pick<AttemptRequest, "operation" | "path" | "body">;

/** A request for a tiny completion with documented fields only. */
function textRequest(api: TextApi, model: string): ProbeRequest {
  const { operation, path, body } = styles[api];
  return { operation, path, body: body(question(model), new Set(["stream"])) };
}

async function send(
  context: SharedContext,
  { entry, group, key, model, feature, signal }: KeyTest,
  request: ProbeRequest,
): Promise<GatewayError | undefined> {
  const turn = { entry, isFresh: true, hasHealthyBackup: false, standby: undefined, signal };
  const call = new Attempt(context, { ...request, key, turn, feature, observe: () => undefined });
  try {
    const answer = await call.send();
    const json = await readObject(answer, call.touch, maxAnswer);
    const usage = readUsage(json.usage);
    if (group === "codex")
      context.owner.onEvent?.({ type: "use", ...call.topic, usage, images: 0, sent: question(model) });
    call.succeed();
    return undefined;
  } catch (error) {
    const failure = call.fail(error);
    if (signal.aborted) return new GatewayError("timeout", "The test took too long.", { entry: entry.name, group });
    if (!(failure instanceof GatewayError)) throw failure;
    return failure;
  }
}

/** Opens a connection to the entry that would serve a question now. Never rejects; see `Gateway.preconnect`. */
export async function preconnect(
  { breaker, clock, entries, limits, network, owner }: SharedContext,
  model: string,
): Promise<void> {
  try {
    const { name, baseUrl } = breaker.peek(entries(), model);
    const startedAt = clock.elapsed();
    const report = (failure: string | undefined): void => {
      const duration = Math.round(clock.elapsed() - startedAt);
      owner.onEvent?.({ type: "preconnect", entry: name, duration, failure });
    };
    try {
      if (await network.preconnect(new URL(baseUrl), limits.connect)) report(undefined);
    } catch (error) {
      report((error instanceof GatewayError ? error : transportFailure(new TransportError("no", error))).kind);
    }
  } catch {
    // There is no usable entry: the next question reports it.
  }
}

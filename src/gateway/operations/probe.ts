import type { Entry } from "../baseUrl.ts";
import { GatewayError } from "../errors.ts";
import { TransportError } from "../network/exchange.ts";
import { proxyFor } from "../network/proxy.ts";
import { transportFailure } from "../network/transportErrors.ts";
import type { ChatRequest, KeyGroup, ProbeResult, TextApi } from "../types.ts";
import type { AnswerReader } from "../wire/answerReader.ts";
import { readImageSources } from "../wire/imageSources.ts";
import { readAnswer, readObject } from "../wire/readAnswer.ts";
import { styles } from "./askModel.ts";
import { Attempt, type AttemptRequest } from "./attempt.ts";
import { refusesShape, requiresStream } from "./refusal.ts";
import type { SharedContext } from "./sharedContext.ts";

/** A test of one entry with one group's key. */
export interface ConnectionTest {
  readonly entry: Entry;
  readonly group: KeyGroup;
  /** The key, or the reason why there is none. */
  readonly key: string | Error;
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

/** Maximum length of an image answer, in characters. */
const maxAnswer = 1024 * 1024;

/** A non-existent image model: asking for it verifies path and key at no cost. */
const missingModel = "codex-gateway-connection-test";

/** Tests one entry once, on a new connection, without retry or failover. Throws only the signal's reason. */
export async function probe(context: SharedContext, test: ConnectionTest): Promise<ProbeResult> {
  const { clock, settings } = context;
  const { entry, group } = test;
  const proxy = proxyFor(new URL(entry.baseUrl), settings.proxy, process.env);
  const startedAt = clock.elapsed();
  const signal = AbortSignal.any([test.signal, AbortSignal.timeout(testTimeout)]);
  const failure = await runTest(context, { ...test, signal });
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

/**
 * The text test sends one minimal completion, with `auto` also through the Responses API if Chat Completions refuses it; if
 * both fail, it returns the first failure. For images, a refusal of a non-existent model verifies path and key.
 * Without a key, it returns why there is none, or that the entry is unreachable.
 */
async function runTest(context: SharedContext, test: ConnectionTest): Promise<Error | undefined> {
  const { api, entry, group, key, model, signal } = test;
  if (key instanceof Error) {
    // Where keys are not allowed, nothing is sent.
    const isRefused = key instanceof GatewayError && key.kind === "keyNotAllowed";
    if (isRefused || (await context.isAlive(entry, context.limits.connect, signal))) return key;
    return new GatewayError("unreachable", "The entry does not answer.", { entry: entry.name });
  }
  if (group === "image") {
    const body = { model: missingModel, prompt: "test" };
    return await send(context, test, key, { operation: "image", path: "/images/generations", body });
  }
  const ask = async (style: (typeof styles)[TextApi]): Promise<GatewayError | undefined> => {
    const without = (field: string): Promise<GatewayError | undefined> => {
      const reader = style.reader({ entry: entry.name, model });
      return send(context, test, key, { ...style, body: style.body(question(model), new Set([field])), reader });
    };
    const refusal = await without("stream");
    // Some gateways lose the text of a whole answer.
    return refusal?.kind === "empty" || requiresStream(refusal) ? await without("stream_options") : refusal;
  };
  const failure = await ask(styles[api === "auto" ? "chatCompletions" : api]);
  if (api !== "auto" || failure === undefined || !refusesShape(failure)) return failure;
  const isServed = (await ask(styles.responses)) === undefined;
  return isServed ? undefined : failure;
}

function question(model: string): ChatRequest {
  return { model, messages: [{ role: "user", content: "Reply with OK." }] };
}

/** Sends one request. Its answer is read as that to a question, with `reader`, or to an image request. */
async function send(
  context: SharedContext,
  { entry, group, model, feature, signal }: ConnectionTest,
  key: string,
  { operation, path, body, reader }: Pick<AttemptRequest, "operation" | "path" | "body"> & { reader?: AnswerReader },
): Promise<GatewayError | undefined> {
  const target = { entry, isFresh: true, signal, isOtherReady: () => false, hedge: () => undefined };
  const call = new Attempt(context, { operation, path, body, key, target, feature, observe: () => undefined });
  try {
    const answer = await call.send();
    if (reader) {
      const { afterFinish } = context.limits;
      const parts = readAnswer(answer, reader, { afterFinish, onRead: call.touch });
      while (!(await parts.next()).done) continue;
      const { usage } = reader.state;
      context.host.onEvent?.({ type: "use", ...call.topic, usage, images: 0, sent: question(model) });
    } else await readImageSources((await readObject(answer, call.touch, maxAnswer)).data);
    call.succeed();
    return undefined;
  } catch (error) {
    const { kind, status, gatewayMessage } = error instanceof GatewayError ? error : {};
    // LiteLLM and one-api have no code for it, but name the model. A 401 or 403 is about the key.
    const isNamed = status !== 401 && status !== 403 && gatewayMessage?.includes(missingModel);
    if (operation === "image" && (kind === "modelNotFound" || isNamed)) {
      // As intended, so it does not count as a failed request.
      call.succeed();
      return undefined;
    }
    const failure = call.fail(error);
    if (signal.aborted) return new GatewayError("timeout", "The test took too long.", { entry: entry.name, group });
    if (!(failure instanceof GatewayError)) throw failure;
    return failure;
  }
}

/** Opens a connection to the entry that would serve a question now. Never rejects; see `Gateway.preconnect`. */
export async function preconnect(
  { breaker, clock, entries, limits, network, host }: SharedContext,
  model: string,
): Promise<void> {
  try {
    const configured = entries();
    const { name, baseUrl } = configured.find((entry) => breaker.isHealthy(entry.name, model)) ?? configured[0];
    const startedAt = clock.elapsed();
    const report = (failure: string | undefined): void => {
      const duration = Math.round(clock.elapsed() - startedAt);
      host.onEvent?.({ type: "preconnect", entry: name, duration, failure });
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

import type { JsonObject } from "../../base/json.ts";
import { withoutKeys } from "../../base/withoutKeys.ts";
import { unlessAborted } from "../abort.ts";
import { GatewayError, type GatewayErrorKind, withDetails } from "../errors.ts";
import { imageModel } from "../models.ts";
import type { AddressScope } from "../network/privateAddresses.ts";
import { type HttpAnswer, TransportError } from "../network/exchange.ts";
import { allowedScopes, ForbiddenAddressError, isOutside, lookupWithin } from "../network/privateAddresses.ts";
import { transportFailure } from "../network/transportErrors.ts";
import { decide } from "../policy/retryPolicy.ts";
import type { ImageAnswer, ImageFile, ImageRequest } from "../types.ts";
import { readObject } from "../wire/readAnswer.ts";
import { readUsage } from "../wire/answerState.ts";
import { errorAnswer, withoutKey } from "../wire/errorAnswer.ts";
import { errorDetails, errorLayers } from "../wire/errorDetails.ts";
import { header } from "../wire/headers.ts";
import { isImageLink, readImageSources } from "../wire/imageSources.ts";
import { imageType, isWhole } from "../wire/imageStructure.ts";
import { Attempt } from "./attempt.ts";
import { failOver, type Target } from "./failover.ts";
import type { OperationContext, SharedContext } from "./sharedContext.ts";

/** Orders images. Makes at most one POST that may have been processed; see `mayBeCharged`. */
export async function orderImages(context: OperationContext, { prompt, size }: ImageRequest): Promise<ImageAnswer> {
  const body = { model: imageModel, prompt, ...(size !== undefined && { size }) };
  return await failOver(context, () => ({ ask: (target, key) => order(context, target, key, body) }));
}

async function order(context: OperationContext, target: Target, key: string, body: JsonObject): Promise<ImageAnswer> {
  const { shared } = context;
  const call = new Attempt(shared, { ...context, path: "/images/generations", key, target, body });
  try {
    const answer = await call.send();
    const json = await readObject(answer, call.touch);
    const images = await readImageSources(json.data).catch((cause: unknown) => {
      // Some gateways answer 200 with `{code, message}`.
      if (answer.status !== 202)
        throw cause instanceof GatewayError ? withDetails(cause, errorDetails(errorLayers(json))) : cause;
      const message = "The gateway took the order, but sent no image.";
      throw new GatewayError("unreadable", message, { cause, status: answer.status, sent: "maybe" });
    });
    call.succeed();
    const usage = readUsage(json.usage);
    shared.host.onEvent?.({ type: "use", ...call.topic, usage, images: images.length });
    return { images, usage, entry: target.entry.name, requestId: call.requestId };
  } catch (error) {
    throw call.fail(error);
  }
}

const maxRedirects = 5;

/** State shared by the attempts of one download. */
interface Download {
  readonly shared: SharedContext;
  readonly signal: AbortSignal;
  readonly allowed: ReadonlySet<AddressScope>;
  readonly deadline: AbortSignal;
}

/**
 * Downloads the exact bytes of an image with a plain GET without any key, in up to three attempts. Throws
 * `GatewayError`: `linkForbidden`, `linkExpired`, `tooLarge` or `notAnImage`, else `downloadFailed` with its cause.
 */
export async function downloadImage(shared: SharedContext, link: string, cancel: AbortSignal): Promise<ImageFile> {
  const { clock, limits, host, random } = shared;
  const deadline = AbortSignal.timeout(limits.download);
  const signal = AbortSignal.any([cancel, deadline]);
  const startedAt = clock.elapsed();
  try {
    // The current entries, because a link outlives the settings it was received with.
    const { baseUrl, backupBaseUrl } = host.settings();
    const entries = [baseUrl, backupBaseUrl].map((url) => URL.parse(url.trim())).filter((url) => url !== null);
    const allowed = await unlessAborted(allowedScopes(entries), signal);
    for (let attempts = 1; ; attempts += 1) {
      const result = await attempt({ shared, signal, allowed, deadline }, link);
      if (!(result instanceof GatewayError)) return result;
      const tries = { attempts, attemptsHere: attempts, ofThisKind: attempts };
      const state = { ...tries, other: "none", isProven: false, elapsed: clock.elapsed() - startedAt } as const;
      const decision = decide("imageFile", result, state, random);
      if (decision.action !== "retry") throw downloadError(result);
      await clock.sleep(decision.delay, signal);
    }
  } catch (error) {
    if (cancel.aborted || !deadline.aborted) throw error;
    throw downloadError(new GatewayError("timeout", "The download took too long.", { sent: "maybe" }));
  }
}

/** Kinds that are thrown as they are; any other becomes the cause of `downloadFailed`. */
const finalKinds: ReadonlySet<GatewayErrorKind> = new Set(["linkForbidden", "linkExpired", "tooLarge", "notAnImage"]);

function downloadError(error: GatewayError): GatewayError {
  if (finalKinds.has(error.kind)) return error;
  const { status } = error;
  return new GatewayError("downloadFailed", "The image file could not be downloaded.", { cause: error, status });
}

/** Makes one attempt. Returns the image or a `GatewayError`, and throws any other error. */
async function attempt(download: Download, link: string): Promise<ImageFile | GatewayError> {
  const { deadline, shared, signal } = download;
  const { clock, host } = shared;
  const startedAt = clock.elapsed();
  let status: number | undefined;
  let failure: string | undefined;
  try {
    const answer = await follow(download, link);
    status = answer.status;
    if (status !== 200) throw await statusError(answer, clock.now());
    return await readImage(answer);
  } catch (error) {
    const known = error instanceof TransportError ? networkError(error) : error;
    failure = known instanceof GatewayError ? known.kind : "unknown";
    if (signal.aborted) failure = deadline.aborted ? "timeout" : "cancelled";
    signal.throwIfAborted();
    if (known instanceof GatewayError) return known;
    throw known;
  } finally {
    const duration = Math.round(clock.elapsed() - startedAt);
    const file = { operation: "imageFile", entry: undefined, requestId: undefined } as const;
    host.onEvent?.({ type: "attempt", ...file, status, duration, failure });
  }
}

/** Follows redirects, checking each hop before anything is sent to it. */
async function follow(download: Download, link: string): Promise<HttpAnswer> {
  const { shared, signal, allowed } = download;
  const { network, limits } = shared;
  let url = checkedUrl(link, undefined, allowed);
  for (let redirects = 0; ; redirects += 1) {
    const answer = await network.send(
      { method: "GET", url, headers: {} },
      { limits, signal, isFresh: true, lookup: lookupWithin(allowed) },
    );
    const location = header(answer.headers, "location");
    if (answer.status < 300 || answer.status >= 400 || location === undefined) return answer;
    answer.close();
    if (redirects === maxRedirects) throw new GatewayError("downloadFailed", "The link redirects too often.");
    url = checkedUrl(location, url, allowed);
  }
}

function checkedUrl(text: string, base: URL | undefined, allowed: ReadonlySet<AddressScope>): URL {
  const url = URL.parse(text, base?.href);
  if (url === null || !isImageLink(url.href)) throw new GatewayError("linkForbidden", "The link is unusable.");
  if (isOutside(url, allowed)) throw forbiddenAddress();
  url.username = "";
  url.password = "";
  return url;
}

function forbiddenAddress(cause?: unknown): GatewayError {
  return new GatewayError("linkForbidden", "The link leads into a private network.", { cause });
}

function networkError(error: TransportError): GatewayError {
  return error.cause instanceof ForbiddenAddressError ? forbiddenAddress(error) : transportFailure(error);
}

/** Statuses with which file hosts reject an expired link. */
const expired: ReadonlySet<number> = new Set([401, 403, 404, 410]);

async function statusError(answer: HttpAnswer, now: number): Promise<GatewayError> {
  const { status } = answer;
  if (!expired.has(status)) return withoutKey(await errorAnswer(answer, now), withoutKeys);
  answer.close();
  return new GatewayError("linkExpired", `The image host answered with status ${String(status)}.`, { status });
}

/** Maximum size of a file, in bytes. */
const maxSize = 64 * 1024 * 1024;

/**
 * Reads an image file from an answer's body. Throws `GatewayError`: `tooLarge`, `notAnImage`, or `connectionLost` for
 * an incomplete file; and what the body throws.
 */
async function readImage(answer: HttpAnswer): Promise<ImageFile> {
  const { status, headers, body } = answer;
  const declared = Number(header(headers, "content-length") ?? 0);
  if (declared > maxSize) {
    answer.close();
    throw tooLarge(status);
  }
  // A declared length allocates nothing before the data arrives.
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxSize) throw tooLarge(status);
    chunks.push(chunk);
  }
  const whole = Buffer.concat(chunks, size);
  const type = imageType(whole);
  if (type === undefined) throw new GatewayError("notAnImage", "The link leads to something else.", { status });
  if (isWhole(whole, type)) return { bytes: whole, type };
  throw new GatewayError("connectionLost", "The file is cut off or damaged.", { status, sent: "maybe" });
}

function tooLarge(status: number): GatewayError {
  return new GatewayError("tooLarge", "The image file is larger than 64 MB.", { status });
}

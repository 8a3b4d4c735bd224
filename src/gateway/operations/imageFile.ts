import { asError } from "../asError.ts";
import { isLoopback } from "../baseUrl.ts";
import { GatewayError, type GatewayErrorKind } from "../errors.ts";
import type { Limits } from "../limits.ts";
import { InnerAddressError, isInnerAddress, isInnerHost, outerLookup } from "../network/addresses.ts";
import { type HttpAnswer, TransportError } from "../network/exchange.ts";
import type { Network } from "../network/network.ts";
import { proxyFor } from "../network/proxy.ts";
import { transportFailure } from "../network/transportFailure.ts";
import type { Clock } from "../policy/clock.ts";
import { decide } from "../policy/policy.ts";
import type { AttemptReport, GatewaySettings, ImageFile } from "../types.ts";
import { statusFailure } from "../wire/answerFailure.ts";
import { header } from "../wire/headers.ts";
import { isWhole } from "../wire/imageStructure.ts";
import { imageType } from "../wire/imageType.ts";

/** What a download needs. */
export interface DownloadContext {
  readonly network: Network;
  readonly limits: Limits;
  readonly clock: Clock;
  readonly random: () => number;
  readonly signal: AbortSignal;
  settings(): GatewaySettings;
  onAttempt(report: AttemptReport): void;
}

/** The largest file that is taken, in bytes, and how many redirects are followed. */
const maxSize = 64 * 1024 * 1024;
const maxRedirects = 5;

/**
 * Fetches the exact bytes of an image file: a plain GET without any key, tried three times.
 * Throws `GatewayError`: `linkForbidden`, `linkExpired`, `tooLarge`, `notAnImage`, else `downloadFailed` with its cause.
 */
export async function downloadImage(context: DownloadContext, link: string): Promise<ImageFile> {
  const { clock, random, signal } = context;
  const allowsInner = await untilAborted(isInsideNetwork(context.settings()), signal);
  const startedAt = clock.now();
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await attempt(context, link, allowsInner);
    } catch (error) {
      if (signal.aborted || !(error instanceof GatewayError)) throw error;
      const elapsed = clock.now() - startedAt;
      const standing = { attempts, attemptsHere: attempts, hasOther: false, elapsed };
      const decision = decide("imageFile", error, standing, random);
      if (decision.action !== "again") throw told(error);
      await clock.sleep(decision.delay, signal);
    }
  }
}

/** Kinds that say all a user needs; anything else is the cause of a failed download. */
const telling: ReadonlySet<GatewayErrorKind> = new Set(["linkForbidden", "linkExpired", "tooLarge", "notAnImage"]);

function told(error: GatewayError): GatewayError {
  if (telling.has(error.kind)) return error;
  const { status } = error;
  return new GatewayError("downloadFailed", "The image file could not be downloaded.", { cause: error, status });
}

/** A resolver takes no signal; its answer is not waited for any longer. */
async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = (): void => {
    reject(asError(signal.reason));
  };
  signal.addEventListener("abort", stop, { once: true });
  try {
    signal.throwIfAborted();
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** A gateway inside a network may well have its image host there too. A link outlives the settings it came under. */
async function isInsideNetwork(settings: GatewaySettings): Promise<boolean> {
  const urls = [settings.baseUrl, settings.backupBaseUrl]
    .map((url) => URL.parse(url.trim()))
    .filter((url) => url !== null);
  return (await Promise.all(urls.map(async (url) => isLoopback(url.hostname) || (await isInnerHost(url))))).some(
    Boolean,
  );
}

async function attempt(context: DownloadContext, link: string, allowsInner: boolean): Promise<ImageFile> {
  const startedAt = context.clock.now();
  let status: number | undefined;
  let failure: string | undefined;
  try {
    const answer = await follow(context, link, allowsInner);
    status = answer.status;
    if (status !== 200) throw await statusError(answer, context.clock.now());
    return await readImage(answer);
  } catch (error) {
    const known = error instanceof TransportError ? networkError(error) : error;
    failure = known instanceof GatewayError ? known.kind : "unknown";
    if (context.signal.aborted) failure = "cancelled";
    context.signal.throwIfAborted();
    throw known;
  } finally {
    const duration = context.clock.now() - startedAt;
    context.onAttempt({ operation: "imageFile", entry: undefined, status, requestId: undefined, duration, failure });
  }
}

/** The answer at the end of the redirects. Every hop is checked before a byte is sent to it. */
async function follow(context: DownloadContext, link: string, allowsInner: boolean): Promise<HttpAnswer> {
  let url = checkedUrl(link, undefined, allowsInner);
  for (let redirects = 0; ; redirects += 1) {
    // A proxy resolves names itself, so `outerLookup` never sees them.
    const isProxied = proxyFor(url, context.settings().proxy, process.env) !== undefined;
    if (!allowsInner && isProxied && (await untilAborted(isInnerHost(url), context.signal))) throw innerAddress();
    const answer = await context.network.send(
      { method: "GET", url, headers: {} },
      {
        limits: context.limits,
        signal: context.signal,
        isFresh: true,
        hasStandby: false,
        ...(!allowsInner && { lookup: outerLookup }),
      },
    );
    const location = header(answer.headers, "location");
    if (answer.status < 300 || answer.status >= 400 || location === undefined) return answer;
    await answer.body.return();
    if (redirects === maxRedirects) throw new GatewayError("downloadFailed", "The link redirects too often.");
    url = checkedUrl(location, url, allowsInner);
  }
}

function checkedUrl(text: string, base: URL | undefined, allowsInner: boolean): URL {
  const url = URL.parse(text, base?.href);
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) {
    throw new GatewayError("linkForbidden", "The link is not an http(s) address.");
  }
  if (!allowsInner && (isLoopback(url.hostname) || isInnerAddress(url.hostname))) throw innerAddress();
  url.username = "";
  url.password = "";
  return url;
}

function innerAddress(cause?: unknown): GatewayError {
  return new GatewayError("linkForbidden", "The link leads into a private network.", { cause });
}

function networkError(error: TransportError): GatewayError {
  return error.cause instanceof InnerAddressError ? innerAddress(error) : transportFailure(error);
}

/** Statuses with which file hosts answer for a link that is over. */
const expired: ReadonlySet<number> = new Set([401, 403, 404, 410]);

async function statusError(answer: HttpAnswer, now: number): Promise<GatewayError> {
  const { status, body } = answer;
  if (!expired.has(status)) return await statusFailure(answer, now);
  await body.return();
  return new GatewayError("linkExpired", `The image host answered with status ${String(status)}.`, { status });
}

async function readImage({ status, headers, body }: HttpAnswer): Promise<ImageFile> {
  const declared = Number(header(headers, "content-length") ?? 0);
  if (declared > maxSize) {
    await body.return();
    throw tooLarge(status);
  }
  let bytes = new Uint8Array(declared);
  let size = 0;
  for await (const chunk of body) {
    if (size + chunk.length > maxSize) throw tooLarge(status);
    if (size + chunk.length > bytes.length) bytes = grown(bytes, size + chunk.length);
    bytes.set(chunk, size);
    size += chunk.length;
  }
  const whole = bytes.subarray(0, size);
  const type = imageType(whole);
  if (type === undefined) throw new GatewayError("notAnImage", "The link leads to something else.", { status });
  if (!isWhole(whole, type))
    throw new GatewayError("connectionLost", "The file is cut off.", { status, sent: "maybe" });
  return { bytes: whole, type };
}

function grown(bytes: Uint8Array<ArrayBuffer>, needed: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(Math.max(needed, bytes.length * 2, 1 << 20));
  larger.set(bytes);
  return larger;
}

function tooLarge(status: number): GatewayError {
  return new GatewayError("tooLarge", "The image file is larger than 64 MB.", { status });
}

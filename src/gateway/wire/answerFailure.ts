import { GatewayError, type GatewayErrorDetails, type GatewayErrorKind } from "../errors.ts";
import type { HttpAnswer } from "../network/exchange.ts";
import { retryAfter } from "../policy/retryAfter.ts";
import { readStart } from "./body.ts";
import { header } from "./headers.ts";
import { asArray, asObject, asText, parseJson } from "./json.ts";
import { bounded } from "./bounded.ts";
import { aboutPage, isPage } from "./page.ts";
import { type Clean, withoutKeys } from "./withoutKeys.ts";

/** How much of an error's body is read, in bytes and in milliseconds: it may never end. */
const bodyLimit = 64 * 1024;
const bodyTime = 5_000;

/** The error table of the interface. */
export const kindByStatus: Readonly<Record<number, GatewayErrorKind>> = {
  401: "unauthorized",
  403: "forbidden",
  404: "notFound",
  429: "rateLimited",
  500: "serverError",
  503: "overloaded",
  529: "overloaded",
  ...Object.fromEntries([502, 504, 520, 521, 522, 523, 524].map((status) => [status, "badGateway"] as const)),
};

/**
 * The interface names this code but neither its place nor its status, so it counts wherever an error's body has it as
 * a word of its own.
 */
export const unknownModel = /\bmodel_not_found\b/;

/** The error that an answer with a status other than 2xx is, at the time `now`. Reads the beginning of its body and closes it. */
export async function statusFailure(
  { status, headers, body }: HttpAnswer,
  now: number,
  clean: Clean = withoutKeys,
): Promise<GatewayError> {
  const details = { status, sent: "maybe" } as const;
  if (status >= 300 && status < 400) {
    await body.return();
    const target = URL.parse(header(headers, "location") ?? "");
    const said = target === null ? undefined : bounded(target.origin + target.pathname, clean);
    return new GatewayError("redirected", "The entry redirects.", { ...details, said });
  }
  const text = await readStart(body, bodyLimit, bodyTime);
  const json = parseJson(text);
  const kind = unknownModel.test(text) ? "modelNotFound" : (kindByStatus[status] ?? "rejected");
  return new GatewayError(kind, `The gateway answered with status ${status}.`, {
    ...details,
    ...spoken(json, text, clean),
    retryAfter: retryAfter(headers, now),
  });
}

/** What an error's body says, in the shapes gateways use; the interface shows none. */
export function spoken(
  json: unknown,
  text: string,
  clean: Clean = withoutKeys,
): Pick<GatewayErrorDetails, "said" | "field" | "page"> {
  const body = asObject(json);
  if (body === undefined) return isPage(text) ? aboutPage(text, clean) : { said: bounded(text, clean) };
  const error = asObject(body.error) ?? body;
  const detail = asObject(asArray(body.detail)[0]);
  const said = [error.message, error.detail, error.error, error.msg, detail?.msg].map(asText).find(Boolean);
  const field = asText(error.param) ?? asText(error.field) ?? asText(asArray(detail?.loc).at(-1));
  return {
    said: said === undefined ? undefined : bounded(said, clean),
    field: field === undefined ? undefined : bounded(field, clean),
  };
}

import { l10n } from "vscode";
import { GatewayError, type GatewayErrorKind } from "../gateway/errors.ts";
import { keyCommandOf } from "../settings/keyCommandSetting.ts";
import { originsVariable } from "../settings/keys.ts";
import { quote } from "../text/safeText.ts";
import {
  chooseModel,
  openSetting,
  openSettings,
  remedy,
  retryActions,
  setApiKey,
  setUp,
  showLog,
  testConnection,
} from "./actions.ts";
import { longPrompt } from "./longPrompt.ts";
import type { Action, Failure, Kind } from "./notice.ts";
import { baseUrlFlaws, asSentence, retryTime, withFacts } from "./sentences.ts";

/** Whether a web page arrived in place of an answer. One with an error status is described by its status. */
export function isWebPage({ page, status }: GatewayError): boolean {
  return page !== undefined && (status === undefined || status < 300);
}

/** A web page: a network that requires a sign-in, or a wrong base URL. */
export function webPage({ error, operation, nameAtStart, maxMessage }: Failure): Kind {
  const title = quoted(error.page, maxMessage / 2);
  return {
    label: l10n.t("web page instead of an answer"),
    cause:
      title === ""
        ? l10n.t("{0} returned a web page instead of an answer.", nameAtStart)
        : l10n.t("{0} returned a web page instead of an answer: “{1}”.", nameAtStart, title),
    advice: l10n.t(
      "If this is the sign-in page of a network or proxy, sign in with a browser; otherwise, check the base URL.",
    ),
    actions: [entrySetting(error), testConnection(), ...retryActions(error, operation)],
  };
}

/** The texts and actions for every kind. A kind missing here does not compile. */
export const kinds: Record<GatewayErrorKind, (failure: Failure) => Kind> = {
  noEntry: ({ operation }) => ({
    cause: l10n.t("No gateway is set up yet."),
    advice: l10n.t("Run Set Up to enter its base URL and key."),
    actions: [setUp(operation)],
  }),
  badUrl: ({ error, operation, name }) => {
    const isInsecure = error.flaw === "insecure";
    return {
      cause: l10n.t("The base URL of {0} cannot be used: {1}.", name, baseUrlFlaws[error.flaw ?? "notUrl"]()),
      advice: isInsecure ? l10n.t("Use https, or allow http in Set Up.") : l10n.t("Correct it in the settings."),
      actions: [...(isInsecure ? [setUp(operation)] : []), entrySetting(error)],
    };
  },
  noKey: ({ operation }) => ({
    cause: l10n.t("No API key of the {0} group is set.", operation.keyGroup),
    actions: [setApiKey(operation.keyGroup, operation)],
  }),
  keyNotAllowed: ({ error, operation, name }) => {
    const { keyGroup } = operation;
    const origin = error.refusal ? quote(error.refusal.origin) : name;
    const isByVariable = error.refusal?.by === "environment";
    return {
      label: l10n.t("API key not sent"),
      cause: isByVariable
        ? l10n.t(
            "The API key of the {0} group was not sent to {1} because the environment variable {2} does not list this address.",
            keyGroup,
            origin,
            originsVariable,
          )
        : l10n.t(
            "The API key of the {0} group was not sent to {1} because it is not allowed for this address.",
            keyGroup,
            origin,
          ),
      advice: isByVariable
        ? l10n.t("Add it there, or correct the base URL.")
        : l10n.t("Check the base URL, then confirm it with Set Up."),
      actions: [...(isByVariable ? [] : [setUp(operation)]), entrySetting(error)],
    };
  },
  certificateFile: () => ({
    cause: l10n.t("The certificate file cannot be read."),
    advice: l10n.t("Correct its path in the settings."),
    actions: [openSetting("certificateFile"), showLog()],
  }),
  offline: ({ error, operation }) => ({
    cause: l10n.t("The gateway's host name cannot be resolved."),
    advice: l10n.t("Check the network connection and the base URL."),
    actions: [...retryActions(error, operation), openSetting("baseUrl")],
  }),
  unreachable: ({ error, operation, nameAtStart }) => ({
    label: l10n.t("unreachable"),
    ...(error.proxy === undefined
      ? {
          cause: l10n.t("{0} cannot be reached.", nameAtStart),
          advice: l10n.t("Check the network connection and the base URL."),
          actions: [...retryActions(error, operation), entrySetting(error)],
        }
      : {
          cause: l10n.t("The proxy {0} cannot be reached.", quote(error.proxy)),
          advice: l10n.t("Check the proxy settings."),
          actions: [...retryActions(error, operation), openSettings("http.proxy")],
        }),
  }),
  untrusted: ({ error, name }) => ({
    label: l10n.t("certificate not trusted"),
    cause:
      error.proxy === undefined
        ? l10n.t("The certificate of {0} is not trusted.", name)
        : l10n.t("The certificate of the proxy {0} is not trusted.", quote(error.proxy)),
    advice: l10n.t("If your network inspects encrypted traffic, specify its certificate file in the settings."),
    actions: [openSetting("certificateFile"), showLog()],
  }),
  notHttps: ({ error, nameAtStart }) => ({
    label: l10n.t("https not supported"),
    cause:
      error.status === undefined
        ? l10n.t("{0} does not support https, but its base URL uses it.", nameAtStart)
        : l10n.t("{0} supports only https, but its base URL uses http.", nameAtStart),
    advice: l10n.t("Correct the base URL."),
    actions: [entrySetting(error)],
  }),
  proxyRefused: ({ error, name }) => ({
    label: l10n.t("refused by the proxy"),
    cause:
      error.proxy === undefined
        ? withFacts(l10n.t("The proxy refuses to connect to {0}.", name), error.status)
        : l10n.t("The proxy {0} does not connect to {1}.", quote(error.proxy), name),
    advice: l10n.t("Check the proxy settings."),
    actions: [openSettings("http.proxy"), showLog()],
  }),
  timeout: ({ nameAtStart }) => ({
    label: l10n.t("timed out"),
    cause: l10n.t("{0} did not answer in time.", nameAtStart),
  }),
  connectionLost: ({ name }) => ({
    label: l10n.t("connection lost"),
    cause: l10n.t("The connection to {0} was lost before an answer arrived.", name),
    advice: l10n.t("Try again."),
  }),
  interrupted: () => ({
    cause: l10n.t("The answer was interrupted."),
    advice: l10n.t("What you received so far is kept; ask again for a complete answer."),
  }),
  unauthorized: ({ operation, nameAtStart, ...failure }) => ({
    label: l10n.t("API key not accepted"),
    cause: withWords(l10n.t("{0} does not accept the API key.", nameAtStart), failure),
    advice:
      keyCommandOf(operation.keyGroup).length === 0
        ? l10n.t("Set a valid key: this one is wrong, expired, or not of the {0} group.", operation.keyGroup)
        : l10n.t(
            "Check the command that prints the key: this one is wrong, expired, or not of the {0} group.",
            operation.keyGroup,
          ),
    actions: [setApiKey(operation.keyGroup, operation), showLog()],
  }),
  forbidden: ({ operation, ...failure }) => {
    const isImage = operation.keyGroup === "image";
    const cause = isImage
      ? l10n.t("The group of the image key is not allowed to generate images.")
      : l10n.t("The codex key may not use this model, or the gateway blocked the request.");
    return {
      label: l10n.t("permission denied"),
      cause: withWords(cause, failure),
      advice: isImage
        ? l10n.t("Enable the permission in the gateway's console, or set another key.")
        : l10n.t("Check the permission in the gateway's console, or set another key."),
      actions: [setApiKey(operation.keyGroup, operation), showLog()],
    };
  },
  notFound: ({ error, nameAtStart, maxMessage }) => ({
    label: l10n.t("path not found"),
    cause: withWords(l10n.t("{0} cannot find this path.", nameAtStart), { error, maxMessage }),
    advice: l10n.t("Check its base URL: it is the part before /v1."),
    actions: [entrySetting(error), showLog()],
  }),
  modelNotFound: ({ error, operation, nameAtStart }) => {
    const isImage = operation.keyGroup === "image";
    const model = quote(error.model ?? "", 60);
    const ofText =
      model === ""
        ? l10n.t("{0} cannot find this model.", nameAtStart)
        : l10n.t("{0} cannot find the model “{1}”.", nameAtStart, model);
    return {
      label: l10n.t("model not found"),
      cause: withFacts(isImage ? l10n.t("{0} cannot find the image model.", nameAtStart) : ofText, error.status),
      advice: isImage
        ? l10n.t("Ask the gateway's administrator whether an image account is bound.")
        : l10n.t("Choose another model."),
      actions: [...(isImage ? [] : [chooseModel(operation)]), showLog()],
    };
  },
  contextTooLong: (failure) => ({ label: l10n.t("prompt too long"), ...longPrompt(failure) }),
  filtered: ({ error }) => ({
    label: l10n.t("refused by the content filter"),
    cause: withFacts(l10n.t("The gateway's content filter refused the request."), error.status),
    advice: l10n.t("Rephrase it, then try again."),
    actions: [showLog()],
  }),
  rateLimited: ({ error, nameAtStart, maxMessage }) => ({
    label: l10n.t("too many requests"),
    cause: withWords(l10n.t("{0} received too many requests.", nameAtStart), { error, maxMessage }),
    advice: whenToRetry(error, l10n.t("Wait a moment, then try again.")),
  }),
  serverError: ({ error, nameAtStart }) => ({
    label: l10n.t("internal error"),
    cause: withFacts(l10n.t("{0} has an internal error.", nameAtStart), error.status),
  }),
  overloaded: ({ error, nameAtStart }) => ({
    label: l10n.t("overloaded"),
    cause: withFacts(l10n.t("{0} is overloaded.", nameAtStart), error.status),
  }),
  badGateway: ({ error, name }) => ({
    label: l10n.t("proxy error"),
    cause: withFacts(l10n.t("A server in front of {0} failed.", name), error.status),
  }),
  redirected: ({ error, nameAtStart, maxMessage }) => ({
    label: l10n.t("redirected"),
    cause: withWords(l10n.t("{0} redirects to another address.", nameAtStart), { error, maxMessage }),
    advice: l10n.t("Keys never follow a redirect, so enter the final address as its base URL."),
    actions: [entrySetting(error), showLog()],
  }),
  rejected: ({ error, operation, nameAtStart, maxMessage }) => {
    const label = l10n.t("request rejected");
    if (error.field === "size" && operation.remedies?.square) {
      return {
        label,
        cause: withFacts(l10n.t("The gateway's upstream does not support this image size."), error.status),
        advice: l10n.t("The most reliable size is 1024x1024."),
        actions: [...remedy(operation, "square"), showLog()],
      };
    }
    const { field, gatewayMessage } = error;
    return {
      label,
      cause: withWords(l10n.t("{0} rejected the request", nameAtStart), { error, maxMessage }),
      advice: gatewayMessage === undefined ? l10n.t("See the log for details.") : "",
      // If no field is named, the size may be the rejected one.
      actions: [...(field === undefined ? remedy(operation, "square") : []), showLog()],
    };
  },
  empty: ({ nameAtStart }) => ({
    label: l10n.t("empty answer"),
    cause: l10n.t("{0} returned an empty answer.", nameAtStart),
    advice: l10n.t("Try again."),
  }),
  unreadable: ({ nameAtStart }) => ({
    label: l10n.t("unreadable answer"),
    cause: l10n.t("{0} returned an unreadable answer.", nameAtStart),
    advice: l10n.t("Try again."),
  }),
  noImage: ({ nameAtStart, ...failure }) => ({
    label: l10n.t("no image"),
    cause: withWords(l10n.t("{0} returned no image.", nameAtStart), failure),
    advice: l10n.t("Try again, or use another prompt."),
  }),
  mayBeCharged: ({ error, operation }) => ({
    cause: chargedCause(error),
    advice: operation.retry ? whenToRetry(error, l10n.t("Retry requests it again.")) : "",
  }),
  linkExpired: ({ error, operation }) => ({
    cause: withFacts(l10n.t("The image was generated, but its link has expired."), error.status),
    advice: l10n.t("“Recover Images” tries the link again; Generate Again requests a new image."),
    actions: [...remedy(operation, "orderAgain"), ...remedy(operation, "discard"), showLog()],
  }),
  linkForbidden: ({ operation }) => ({
    cause: l10n.t("The gateway returned an unsafe address for the image, so it was not downloaded."),
    advice: l10n.t("Contact the gateway's administrator."),
    actions: [...remedy(operation, "discard"), showLog()],
  }),
  downloadFailed: ({ error }) => ({
    cause: withFacts(l10n.t("The image was generated, but not downloaded."), error.status),
    advice: l10n.t("Retry or “Recover Images” downloads the same image."),
  }),
  notAnImage: ({ error, operation }) => ({
    cause: l10n.t("The image link leads to a file that is not an image."),
    advice: l10n.t("Retry downloads it again."),
    actions: [...retryActions(error, operation), ...remedy(operation, "discard"), showLog()],
  }),
  tooLarge: ({ operation }) => ({
    cause: l10n.t("The gateway's answer or image file is too large."),
    advice: l10n.t("See the log for details."),
    actions: [...remedy(operation, "discard"), showLog()],
  }),
};

/** Answers that arrived but are unusable. */
const unusable: ReadonlySet<GatewayErrorKind> = new Set(["empty", "unreadable", "rejected", "tooLarge"]);

/** Why an image may have been charged, with the status and the request id for the gateway's operator. */
function chargedCause(error: GatewayError): string {
  const failure = error.cause instanceof GatewayError ? error.cause : error;
  const cause = isWebPage(failure)
    ? l10n.t("The image may have been charged: its request returned a web page instead of an answer.")
    : unusable.has(failure.kind)
      ? l10n.t("The image may have been charged: the answer to its request cannot be read.")
      : l10n.t("The image may have been charged: the answer to its request did not arrive.");
  return withFacts(cause, error.status, error.requestId && quote(error.requestId, 60));
}

/** A cause with the status and, if there is room, what the gateway says itself, such as that no credit is left. */
function withWords(cause: string, { error, maxMessage }: Pick<Failure, "error" | "maxMessage">): string {
  const words = quoted(error.gatewayMessage, maxMessage);
  const known = withFacts(cause, error.status);
  return asSentence(words === "" ? known : l10n.t("{0}: {1}", known.replace(/[.。]$/u, ""), words));
}

/** The gateway's own message, if there is room. */
function quoted(words: string | undefined, maxMessage: number): string {
  return words === undefined || maxMessage === 0 ? "" : quote(words, maxMessage);
}

/** What to do about a transient failure: to wait until the time that the gateway names, or to try again. */
export function whenToRetry({ retryAfter }: GatewayError, otherwise = l10n.t("Try again later.")): string {
  return retryAfter === undefined
    ? otherwise
    : l10n.t("The gateway accepts requests again {0}.", retryTime(retryAfter, Date.now()));
}

function entrySetting({ entry }: GatewayError): Action {
  return openSetting(entry === "backup" ? "backupBaseUrl" : "baseUrl");
}

import { l10n } from "vscode";
import { GatewayError, type GatewayErrorKind } from "../gateway/errors.ts";
import { originsVariable } from "../settings/keys.ts";
import { quote } from "../text/safeText.ts";
import {
  chooseModel,
  openSetting,
  openSettings,
  remedy,
  repeat,
  setApiKey,
  setUp,
  showLog,
  testConnection,
} from "./actions.ts";
import { longPrompt } from "./longPrompt.ts";
import type { Action, Failure, FailedAction, Kind } from "./notice.ts";
import { retryTime } from "./retryTime.ts";
import { baseUrlFlawText, closed } from "./sentences.ts";

/** Whether the gateway refuses the size of an image that can be ordered at another one. */
export function isRefusedSize({ kind, field }: GatewayError, operation: FailedAction): boolean {
  return kind === "rejected" && field === "size" && operation.remedies?.square !== undefined;
}

/** Whether a web page arrived in place of an answer. One with an error status is described by its status. */
export function isWebPage({ page, status }: GatewayError): boolean {
  return page !== undefined && (status === undefined || status < 300);
}

/** A web page: a network that requires a sign-in, or a wrong base URL. */
export function webPage({ error, operation, subject, room }: Failure): Kind {
  const title = quoted(error.page, room / 2);
  return {
    label: l10n.t("web page instead of an answer"),
    cause:
      title === ""
        ? l10n.t("{0} returned a web page instead of an answer.", subject)
        : l10n.t("{0} returned a web page instead of an answer: “{1}”.", subject, title),
    advice: l10n.t(
      "This is often the sign-in page of a network or proxy. Sign in with a browser, or check the base URL.",
    ),
    actions: [entrySetting(error), testConnection(), ...repeat(error, operation)],
  };
}

/** What is said and done about every kind. One missing here does not compile. */
export const kinds: Record<GatewayErrorKind, (failure: Failure) => Kind> = {
  noEntry: ({ operation }) => ({
    cause: l10n.t("No gateway is set up yet."),
    advice: l10n.t("Run Set Up to enter its base URL and key."),
    actions: [setUp(operation)],
  }),
  badUrl: ({ error, object }) => ({
    cause: l10n.t("The base URL of {0} cannot be used: {1}.", object, baseUrlFlawText(error.flaw ?? "notUrl")),
    advice: l10n.t("Correct it in the settings."),
    actions: [entrySetting(error)],
  }),
  noKey: ({ operation }) => ({
    cause: l10n.t("No API key of the {0} group is set.", operation.keyGroup),
    actions: [setApiKey(operation.keyGroup, operation)],
  }),
  keyNotAllowed: ({ error, operation, object }) => {
    const { keyGroup } = operation;
    const { refusal } = error;
    const label = l10n.t("API key not sent");
    return refusal?.by === "environment"
      ? {
          label,
          cause: l10n.t(
            "The API key of the {0} group was not sent to {1} because the environment variable {2} does not list this address.",
            keyGroup,
            quote(refusal.origin),
            originsVariable,
          ),
          advice: l10n.t("Add it there, or correct the base URL."),
          actions: [entrySetting(error)],
        }
      : {
          label,
          cause: l10n.t(
            "The API key of the {0} group was not sent to {1} because it was entered for another address.",
            keyGroup,
            refusal ? quote(refusal.origin) : object,
          ),
          advice: l10n.t("Check the base URL, then confirm it with Set Up."),
          actions: [setUp(operation), entrySetting(error)],
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
    actions: [...repeat(error, operation), openSetting("baseUrl")],
  }),
  unreachable: ({ error, operation, subject }) => {
    const label = l10n.t("unreachable");
    if (error.proxy !== undefined) {
      return {
        label,
        cause: l10n.t("The proxy {0} cannot be reached.", quote(error.proxy)),
        advice: l10n.t("Check the proxy settings."),
        actions: [...repeat(error, operation), openSettings("http.proxy")],
      };
    }
    return {
      label,
      cause: l10n.t("{0} cannot be reached.", subject),
      advice:
        error.attempts.length > 0
          ? l10n.t("Check the network connection and the base URLs.")
          : l10n.t("Check the network connection and its base URL."),
      actions: [...repeat(error, operation), entrySetting(error)],
    };
  },
  untrusted: ({ error, object }) => ({
    label: l10n.t("certificate not trusted"),
    cause:
      error.proxy === undefined
        ? l10n.t("The certificate of {0} is not trusted.", object)
        : l10n.t("The certificate of the proxy {0} is not trusted.", quote(error.proxy)),
    advice: l10n.t("If your network inspects encrypted traffic, specify its certificate file in the settings."),
    actions: [openSetting("certificateFile"), showLog()],
  }),
  notHttps: ({ error, subject }) => ({
    label: l10n.t("https not supported"),
    cause:
      error.status === undefined
        ? l10n.t("{0} does not support https, but its base URL uses it.", subject)
        : l10n.t("{0} supports only https, but its base URL uses http.", subject),
    advice: l10n.t("Correct the base URL."),
    actions: [entrySetting(error)],
  }),
  proxyRefused: ({ error, object, status }) => ({
    label: l10n.t("refused by the proxy"),
    cause:
      error.proxy === undefined
        ? l10n.t("The proxy refuses to connect to {0}{1}.", object, status)
        : l10n.t("The proxy {0} does not connect to {1}.", quote(error.proxy), object),
    advice: l10n.t("Check the proxy settings."),
    actions: [openSettings("http.proxy"), showLog()],
  }),
  timeout: ({ error, subject }) => ({
    label: l10n.t("timed out"),
    cause: l10n.t("{0} did not answer in time.", subject),
    advice: whenToRetry(error, l10n.t("Try again later.")),
  }),
  connectionLost: ({ error, object }) => ({
    label: l10n.t("connection lost"),
    cause: l10n.t("The connection to {0} was lost before an answer arrived.", object),
    advice: whenToRetry(error, l10n.t("Try again.")),
  }),
  interrupted: () => ({
    cause: l10n.t("The answer was interrupted."),
    advice: l10n.t("What you received so far is kept. Ask again for a complete answer."),
  }),
  unauthorized: ({ operation, subject, status }) => ({
    label: l10n.t("API key not accepted"),
    cause: l10n.t("{0} does not accept the API key{1}.", subject, status),
    advice: l10n.t(
      "The key is wrong, expired, or not of the {0} group. Set a valid key of the {0} group.",
      operation.keyGroup,
    ),
    actions: [setApiKey(operation.keyGroup, operation), showLog()],
  }),
  forbidden: ({ operation, subject, isEntry, status }) => {
    const isImage = operation.keyGroup === "image";
    const ofGroup = isImage
      ? l10n.t("The group of the image key is not allowed to generate images{0}.", status)
      : l10n.t("The codex key has no permission for this model, or a risk control refused the request{0}.", status);
    return {
      label: l10n.t("permission denied"),
      cause: isEntry ? l10n.t("{0} denied permission{1}.", subject, status) : ofGroup,
      advice: isImage
        ? l10n.t("Enable the permission in the gateway's console, or set another key.")
        : l10n.t("Check the permission in the gateway's console, or set another key."),
      actions: [setApiKey(operation.keyGroup, operation), showLog()],
    };
  },
  notFound: ({ error, subject, status }) => ({
    label: l10n.t("path not found"),
    cause: l10n.t("{0} cannot find this path{1}.", subject, status),
    advice: l10n.t("Check its base URL: it is the part before /v1."),
    actions: [entrySetting(error), showLog()],
  }),
  modelNotFound: ({ error, operation, subject, status }) => {
    const label = l10n.t("model not found");
    if (operation.keyGroup === "image") {
      return {
        label,
        cause: l10n.t("{0} cannot find the image model{1}.", subject, status),
        advice: l10n.t("Its image account may not be bound. Contact the gateway's administrator."),
        actions: [showLog()],
      };
    }
    const model = quote(error.model ?? "", 60);
    return {
      label,
      cause:
        model === ""
          ? l10n.t("{0} cannot find this model{1}.", subject, status)
          : l10n.t("{0} cannot find the model “{1}”{2}.", subject, model, status),
      advice: l10n.t("Choose another model."),
      actions: [chooseModel(operation), showLog()],
    };
  },
  contextTooLong: (failure) => ({ label: l10n.t("prompt too long"), ...longPrompt(failure) }),
  filtered: ({ status }) => ({
    label: l10n.t("refused by the content filter"),
    cause: l10n.t("The gateway's content filter refused the request{0}.", status),
    advice: l10n.t("Rephrase it, then try again."),
    actions: [showLog()],
  }),
  rateLimited: ({ error, subject, isEntry, status }) => ({
    label: l10n.t("too many requests"),
    cause: isEntry
      ? l10n.t("{0} received too many requests{1}.", subject, status)
      : l10n.t("Too many requests{0}.", status),
    advice: whenToRetry(error, l10n.t("Wait a moment, then try again.")),
  }),
  serverError: ({ error, subject, status }) => ({
    label: l10n.t("internal error"),
    cause: l10n.t("{0} has an internal error{1}.", subject, status),
    advice: whenToRetry(error, l10n.t("Try again later.")),
  }),
  overloaded: ({ error, subject, status }) => ({
    label: l10n.t("overloaded"),
    cause: l10n.t("{0} is overloaded{1}.", subject, status),
    advice: whenToRetry(error, l10n.t("Try again later.")),
  }),
  badGateway: ({ error, object, status }) => ({
    label: l10n.t("server in front failed"),
    cause: l10n.t("A server in front of {0} failed{1}.", object, status),
    advice: whenToRetry(error, l10n.t("Try again later.")),
  }),
  redirected: ({ error, subject, status }) => ({
    label: l10n.t("redirected"),
    cause: l10n.t("{0} redirects to another address{1}, and keys never follow a redirect.", subject, status),
    advice: l10n.t("Enter the final address as its base URL."),
    actions: [entrySetting(error), showLog()],
  }),
  rejected: ({ error, operation, subject, status, room }) => {
    const label = l10n.t("request rejected");
    if (isRefusedSize(error, operation)) {
      return {
        label,
        cause: l10n.t("The gateway's upstream does not support this image size{0}.", status),
        advice: l10n.t("The most reliable size is 1024x1024."),
        actions: [...remedy(operation, "square"), showLog()],
      };
    }
    const said = quoted(error.gatewayMessage, room);
    return {
      label,
      cause:
        said === ""
          ? l10n.t("{0} rejected the request{1}.", subject, status)
          : closed(l10n.t("{0} rejected the request{1}: {2}", subject, status, said)),
      advice: error.gatewayMessage === undefined ? l10n.t("See the log for details.") : "",
      // If no field is named, the size may be the rejected one.
      actions: [...(error.field === undefined ? remedy(operation, "square") : []), showLog()],
    };
  },
  empty: ({ error, subject }) => ({
    label: l10n.t("empty answer"),
    cause: l10n.t("{0} returned an empty answer.", subject),
    advice: whenToRetry(error, l10n.t("Try again.")),
  }),
  unreadable: ({ error, subject }) => ({
    label: l10n.t("unreadable answer"),
    cause: l10n.t("{0} returned an unreadable answer.", subject),
    advice: whenToRetry(error, l10n.t("Try again.")),
  }),
  noImage: ({ subject }) => ({
    label: l10n.t("no image"),
    cause: l10n.t("{0} returned no image.", subject),
    advice: l10n.t("Try again, or use another prompt."),
  }),
  mayBeCharged: ({ error, operation }) => ({
    cause: chargedCause(error),
    advice: operation.retry ? l10n.t("Retry requests it again.") : "",
  }),
  linkExpired: ({ operation, status }) => ({
    cause: l10n.t("The image was generated, but its link has expired{0}.", status),
    advice: l10n.t("“Recover Images” tries the link again; Generate Again requests a new image."),
    actions: [...remedy(operation, "orderAgain"), ...remedy(operation, "forget"), showLog()],
  }),
  linkForbidden: ({ operation }) => ({
    cause: l10n.t("The gateway returned an unsafe address for the image, so it was not downloaded."),
    advice: l10n.t("Contact the gateway's administrator."),
    actions: [...remedy(operation, "forget"), showLog()],
  }),
  downloadFailed: ({ status }) => ({
    cause: l10n.t("The image was generated, but not downloaded{0}.", status),
    advice: l10n.t("Retry or “Recover Images” downloads the same image."),
  }),
  notAnImage: ({ error, operation }) => ({
    cause: l10n.t("The image link leads to a file that is not an image."),
    advice: l10n.t("Retry downloads it again."),
    actions: [...repeat(error, operation), ...remedy(operation, "forget"), showLog()],
  }),
  tooLarge: ({ operation }) => ({
    cause: l10n.t("The gateway's answer or image file is too large."),
    advice: l10n.t("See the log for details."),
    actions: [...remedy(operation, "forget"), showLog()],
  }),
};

/** Answers that arrived but are unusable. */
const unusable: ReadonlySet<GatewayErrorKind> = new Set(["empty", "unreadable", "rejected", "tooLarge"]);

/** Why an image may have been charged, with the status and the request id for the gateway's operator. */
function chargedCause(error: GatewayError): string {
  const { status, requestId } = error;
  const facts = [...(status === undefined ? [] : [String(status)]), ...(requestId ? [quote(requestId, 60)] : [])];
  const reference = facts.length === 0 ? "" : ` (${facts.join(", ")})`;
  const failure = error.cause instanceof GatewayError ? error.cause : error;
  if (isWebPage(failure)) {
    return l10n.t(
      "The image request returned a web page instead of an answer{0}, and the image may have been charged.",
      reference,
    );
  }
  return unusable.has(failure.kind)
    ? l10n.t("The answer to the image request cannot be read{0}, and the image may have been charged.", reference)
    : l10n.t("The answer to the image request did not arrive{0}, and the image may have been charged.", reference);
}

/** The gateway's own message, if there is room. */
function quoted(words: string | undefined, room: number): string {
  return words === undefined || room === 0 ? "" : quote(words, room);
}

function whenToRetry({ retryAfter }: GatewayError, otherwise: string): string {
  const time = retryAfter === undefined ? undefined : retryTime(retryAfter, Date.now());
  return time ? l10n.t("Try again {0}.", time) : otherwise;
}

function entrySetting({ entry }: GatewayError): Action {
  return openSetting(entry === "backup" ? "backupBaseUrl" : "baseUrl");
}

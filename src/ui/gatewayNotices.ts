import { l10n } from "vscode";
import type { GatewayError, GatewayErrorKind } from "../gateway/errors.ts";
import { originsVariable } from "../settings/keys.ts";
import { type Action, again, openSetting, openSettings, remedy, retry, setApiKey, setUp, showLog } from "./actions.ts";
import { baseUrlFlawText } from "./baseUrlFlawText.ts";
import type { Notice, Operation } from "./notices.ts";
import { quote } from "../text/safeText.ts";

/** What users read about each failure of the gateway's client. */
export const gatewayNotices: Record<GatewayErrorKind, (error: GatewayError, operation: Operation) => Notice> = {
  noEntry: (_, operation) => ({
    text: l10n.t("No gateway is set up yet. Set Up asks for its base URL and key."),
    actions: [setUp(operation)],
  }),
  badUrl: (error) => ({
    text: l10n.t(
      "The base URL of {0} cannot be used: {1}. Correct it in the settings.",
      of(error),
      baseUrlFlawText(error.flaw ?? "notUrl"),
    ),
    actions: [entrySetting(error)],
  }),
  noKey: (_, operation) => ({
    text: l10n.t("No API key of the {0} group is set.", operation.keyGroup),
    actions: [setApiKey(operation.keyGroup, operation)],
  }),
  keyNotAllowed: (error, operation) => ({
    text:
      error.refusal?.by === "environment"
        ? l10n.t(
            "The API key of the {0} group was not sent to {1}, because the environment variable {2} does not name this address. Add it there, or correct the base URL.",
            operation.keyGroup,
            error.refusal.origin,
            originsVariable,
          )
        : l10n.t(
            "The API key of the {0} group was not sent to {1}, because it was entered for another address. Check the base URL; Set Up confirms it.",
            operation.keyGroup,
            error.refusal?.origin ?? of(error),
          ),
    actions: error.refusal?.by === "environment" ? [entrySetting(error)] : [setUp(operation), entrySetting(error)],
  }),
  certificateFile: () => ({
    text: l10n.t("The certificate file cannot be read. Correct its path in the settings."),
    actions: [openSetting("certificateFile"), showLog()],
  }),
  offline: (_, operation) => ({
    text: l10n.t("The gateway's name cannot be resolved. Check the network connection and the base URL."),
    actions: [...retry(operation), openSetting("baseUrl")],
  }),
  unreachable: (error, operation) => ({
    text: triedBoth(error)
      ? l10n.t(
          "Neither the primary nor the backup entry can be reached. Check the network connection and the base URLs.",
        )
      : l10n.t("{0} cannot be reached. Check the network connection and its base URL.", subject(error)),
    actions: [...retry(operation), entrySetting(error)],
  }),
  untrusted: (error) => ({
    text: l10n.t(
      "The certificate of {0} is not trusted. If your network inspects encrypted traffic, name its certificate file in the settings.",
      of(error),
    ),
    actions: [openSetting("certificateFile"), showLog()],
  }),
  notHttps: (error) => ({
    text: l10n.t("{0} does not speak https, although its base URL says so. Correct the base URL.", subject(error)),
    actions: [entrySetting(error)],
  }),
  proxyRefused: (error) => ({
    text: l10n.t("The proxy refuses to connect to {0}{1}. Check the proxy settings.", of(error), code(error)),
    actions: [openSettings("http.proxy"), showLog()],
  }),
  timeout: (error, operation) => ({
    text: l10n.t("{0} did not answer in time. Try again later.", subject(error)),
    actions: again(operation),
  }),
  connectionLost: (error, operation) => ({
    text: l10n.t("The connection to {0} was lost before an answer came. Try again.", of(error)),
    actions: again(operation),
  }),
  interrupted: (_, operation) => ({
    text: l10n.t("The answer broke off. What came so far is kept; ask again for a whole answer."),
    actions: again(operation),
  }),
  unauthorized: (error, operation) => ({
    text: l10n.t(
      "The gateway does not accept the API key{0}: it is wrong, expired or not of the {1} group. Set a valid key of the {1} group.",
      code(error),
      operation.keyGroup,
    ),
    actions: [setApiKey(operation.keyGroup, operation), showLog()],
  }),
  forbidden: (error, operation) => ({
    text:
      operation.keyGroup === "image"
        ? l10n.t(
            "The group of the image key may not generate images{0}. Have the permission enabled in the gateway's console, or set another key.",
            code(error),
          )
        : l10n.t(
            "The codex key lacks the permission for this model, or a risk control refuses the request{0}. Have the permission checked in the gateway's console, or set another key.",
            code(error),
          ),
    actions: [setApiKey(operation.keyGroup, operation), showLog()],
  }),
  notFound: (error) => ({
    text: l10n.t(
      "{0} does not know this path{1}. Check its base URL: it is the part before /v1.",
      subject(error),
      code(error),
    ),
    actions: [entrySetting(error), showLog()],
  }),
  modelNotFound: (error, { keyGroup }) =>
    keyGroup === "image"
      ? {
          text: l10n.t(
            "The gateway does not find the image model{0}; its image account may not be bound. Ask whoever runs the gateway.",
            code(error),
          ),
          actions: [showLog()],
        }
      : {
          text: l10n.t("The gateway does not find this model{0}. Choose another model.", code(error)),
          actions: [openSetting("chat.model"), showLog()],
        },
  rateLimited: (error, operation) => ({
    text:
      error.retryAfter === undefined
        ? l10n.t("Too many requests{0}. Wait a moment, then try again.", code(error))
        : l10n.t("Too many requests{0}. Try again in {1} s.", code(error), Math.ceil(error.retryAfter / 1000)),
    actions: again(operation),
  }),
  serverError: (error, operation) => ({
    text: l10n.t("The gateway has an internal error{0}. Try again later.", code(error)),
    actions: again(operation),
  }),
  overloaded: (error, operation) => ({
    text: l10n.t("The gateway is overloaded{0}. Try again later.", code(error)),
    actions: again(operation),
  }),
  badGateway: (error, operation) => ({
    text: l10n.t("A server in front of {0} failed{1}. Try again later.", of(error), code(error)),
    actions: again(operation),
  }),
  redirected: (error) => ({
    text: l10n.t(
      "{0} redirects elsewhere{1}, and a key is never sent along. Enter the final address as its base URL.",
      subject(error),
      code(error),
    ),
    actions: [entrySetting(error), showLog()],
  }),
  rejected: (error, operation) => {
    const others = remedy(operation, "square");
    if (others.length > 0 && error.field === "size") {
      return {
        text: l10n.t(
          "The gateway's upstream does not support this image size{0}. The most reliable one is 1024x1024.",
          code(error),
        ),
        actions: [...others, showLog()],
      };
    }
    return {
      text:
        error.said === undefined
          ? l10n.t("The gateway rejects the request{0}. The log has the details.", code(error))
          : l10n.t("The gateway rejects the request{0}: {1}", code(error), quote(error.said)),
      // Where nothing says which field is refused, the size may well be the one.
      actions: [...(error.field === undefined ? others : []), showLog()],
    };
  },
  empty: (_, operation) => ({
    text: l10n.t("The gateway's answer is empty. Try again."),
    actions: again(operation),
  }),
  unreadable: (_, operation) => ({
    text: l10n.t("The gateway's answer cannot be read. Try again."),
    actions: again(operation),
  }),
  noImage: (_, operation) => ({
    text: l10n.t("The gateway returned no image. Try again, or with another prompt."),
    actions: again(operation),
  }),
  mayBeCharged: (error, operation) => ({
    text: l10n.t(
      "The answer to the image request did not arrive{0}, and the image may have been charged. Retry orders it once more.",
      reference(error),
    ),
    actions: again(operation),
  }),
  linkExpired: (error, operation) => ({
    text: l10n.t(
      "The image was made, but its link has expired{0}. “Recover Images” tries it again; Generate Again orders a new one.",
      code(error),
    ),
    actions: [...remedy(operation, "orderAgain"), ...remedy(operation, "forget"), showLog()],
  }),
  linkForbidden: (_, operation) => ({
    text: l10n.t("The gateway gave an address for the image that is not safe to fetch. Ask whoever runs the gateway."),
    actions: [...remedy(operation, "forget"), showLog()],
  }),
  downloadFailed: (error, operation) => ({
    text: l10n.t("The image was made, but not downloaded{0}. Retry fetches the same image.", code(error)),
    actions: again(operation),
  }),
  notAnImage: (_, operation) => ({
    text: l10n.t("The file behind the image's link is not an image. Retry fetches it once more."),
    actions: [...retry(operation), ...remedy(operation, "forget"), showLog()],
  }),
  tooLarge: (_, operation) => ({
    text: l10n.t("The gateway's answer or image file is too large. The log has the details."),
    actions: [...remedy(operation, "forget"), showLog()],
  }),
};

/** The status in parentheses, for those who look it up. */
function code(error: GatewayError): string {
  return error.status === undefined ? "" : ` (${error.status})`;
}

/** The status and the request id in parentheses, for those who ask the gateway's operator. */
function reference({ status, requestId }: GatewayError): string {
  const facts = [...(status === undefined ? [] : [String(status)]), ...(requestId ? [quote(requestId)] : [])];
  return facts.length === 0 ? "" : ` (${facts.join(", ")})`;
}

/** The entry at the beginning of a sentence. */
function subject({ entry }: GatewayError): string {
  if (entry === undefined) return l10n.t("The gateway");
  return entry === "primary" ? l10n.t("The primary entry") : l10n.t("The backup entry");
}

/** The entry in the middle of a sentence. */
function of({ entry }: GatewayError): string {
  if (entry === undefined) return l10n.t("the gateway");
  return entry === "primary" ? l10n.t("the primary entry") : l10n.t("the backup entry");
}

function entrySetting({ entry }: GatewayError): Action {
  return openSetting(entry === "backup" ? "backupBaseUrl" : "baseUrl");
}

function triedBoth(error: GatewayError): boolean {
  return new Set([error, ...error.attempts].map(({ entry }) => entry)).size > 1;
}

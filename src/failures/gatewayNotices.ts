import { l10n } from "vscode";
import type { GatewayError, GatewayErrorKind } from "../gateway/errors.ts";
import {
  again,
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
import { isWebPage } from "./causeLabels.ts";
import { briefCauseOf, causeOf } from "./gatewayCauses.ts";
import type { ImageErrorKind } from "./imageCauses.ts";
import { longPromptHelp } from "./longPrompt.ts";
import type { Action, FailedAction, Help, Notice } from "./notice.ts";
import { retryTime } from "./retryTime.ts";
import { code, sentences } from "./sentences.ts";

/** Remedies for failures specific to images. */
const imageHelps: Record<ImageErrorKind, (error: GatewayError, operation: FailedAction) => Help> = {
  noImage: (error, operation) => ({
    advice: l10n.t("Try again, or use another prompt."),
    actions: again(error, operation),
  }),
  mayBeCharged: (error, operation) => ({
    advice: operation.retry ? l10n.t("Retry requests it again.") : "",
    actions: again(error, operation),
  }),
  linkExpired: (_, operation) => ({
    advice: l10n.t("“Recover Images” tries the link again; Generate Again requests a new image."),
    actions: [...remedy(operation, "orderAgain"), ...remedy(operation, "forget"), showLog()],
  }),
  linkForbidden: (_, operation) => ({
    advice: l10n.t("Contact the gateway's administrator."),
    actions: [...remedy(operation, "forget"), showLog()],
  }),
  downloadFailed: (error, operation) => ({
    advice: l10n.t("Retry or “Recover Images” downloads the same image."),
    actions: again(error, operation),
  }),
  notAnImage: (error, operation) => ({
    advice: l10n.t("Retry downloads it again."),
    actions: [...repeat(error, operation), ...remedy(operation, "forget"), showLog()],
  }),
  tooLarge: (_, operation) => ({
    advice: l10n.t("See the log for details."),
    actions: [...remedy(operation, "forget"), showLog()],
  }),
};

/** The notice for a client failure: what happened, then what to do. */
export function gatewayNotice(error: GatewayError, operation: FailedAction): Notice {
  const isSize = error.kind === "rejected" && error.field === "size" && remedy(operation, "square").length > 0;
  const size = isSize ? l10n.t("The gateway's upstream does not support this image size{0}.", code(error)) : undefined;
  const { advice, actions } = isWebPage(error) ? pageHelp(error, operation) : helps[error.kind](error, operation);
  // A button already says what to do, unless there is a wait.
  const isEnough = error.retryAfter === undefined && actions.some(({ isLog }) => !isLog);
  return {
    text: sentences(size ?? causeOf(error, operation.keyGroup), advice),
    brief: sentences(size ?? briefCauseOf(error, operation.keyGroup), isEnough ? "" : advice),
    actions,
  };
}

function adviceOnConnection({ attempts, proxy }: GatewayError): string {
  if (proxy !== undefined) return checkProxy();
  return attempts.length > 0
    ? l10n.t("Check the network connection and the base URLs.")
    : l10n.t("Check the network connection and its base URL.");
}

const checkProxy = (): string => l10n.t("Check the proxy settings.");

/** The remedy of each kind. */
const helps: Record<GatewayErrorKind, (error: GatewayError, operation: FailedAction) => Help> = {
  noEntry: (_, operation) => ({
    advice: l10n.t("Run Set Up to enter its base URL and key."),
    actions: [setUp(operation)],
  }),
  badUrl: (error) => ({ advice: l10n.t("Correct it in the settings."), actions: [entrySetting(error)] }),
  noKey: (_, operation) => ({ advice: "", actions: [setApiKey(operation.keyGroup, operation)] }),
  keyNotAllowed: (error, operation) =>
    error.refusal?.by === "environment"
      ? { advice: l10n.t("Add it there, or correct the base URL."), actions: [entrySetting(error)] }
      : {
          advice: l10n.t("Check the base URL, then confirm it with Set Up."),
          actions: [setUp(operation), entrySetting(error)],
        },
  certificateFile: () => ({
    advice: l10n.t("Correct its path in the settings."),
    actions: [openSetting("certificateFile"), showLog()],
  }),
  offline: (error, operation) => ({
    advice: l10n.t("Check the network connection and the base URL."),
    actions: [...repeat(error, operation), openSetting("baseUrl")],
  }),
  unreachable: (error, operation) => ({
    advice: adviceOnConnection(error),
    actions: [
      ...repeat(error, operation),
      error.proxy === undefined ? entrySetting(error) : openSettings("http.proxy"),
    ],
  }),
  untrusted: () => ({
    advice: l10n.t("If your network inspects encrypted traffic, specify its certificate file in the settings."),
    actions: [openSetting("certificateFile"), showLog()],
  }),
  notHttps: (error) => ({ advice: l10n.t("Correct the base URL."), actions: [entrySetting(error)] }),
  proxyRefused: () => ({
    advice: checkProxy(),
    actions: [openSettings("http.proxy"), showLog()],
  }),
  timeout: later,
  connectionLost: now,
  interrupted: (error, operation) => ({
    advice: l10n.t("What you received so far is kept. Ask again for a complete answer."),
    actions: again(error, operation),
  }),
  unauthorized: (_, operation) => ({
    advice: l10n.t(
      "The key is wrong, expired, or not of the {0} group. Set a valid key of the {0} group.",
      operation.keyGroup,
    ),
    actions: [setApiKey(operation.keyGroup, operation), showLog()],
  }),
  forbidden: (_, operation) => ({
    advice:
      operation.keyGroup === "image"
        ? l10n.t("Enable the permission in the gateway's console, or set another key.")
        : l10n.t("Check the permission in the gateway's console, or set another key."),
    actions: [setApiKey(operation.keyGroup, operation), showLog()],
  }),
  notFound: (error) => ({
    advice: l10n.t("Check its base URL: it is the part before /v1."),
    actions: [entrySetting(error), showLog()],
  }),
  modelNotFound: (_, operation) =>
    operation.keyGroup === "image"
      ? {
          advice: l10n.t("Its image account may not be bound. Contact the gateway's administrator."),
          actions: [showLog()],
        }
      : { advice: l10n.t("Choose another model."), actions: [chooseModel(operation), showLog()] },
  contextTooLong: longPromptHelp,
  filtered: () => ({ advice: l10n.t("Rephrase it, then try again."), actions: [showLog()] }),
  rateLimited: (error, operation) => ({
    advice: whenToRetry(error) ?? l10n.t("Wait a moment, then try again."),
    actions: again(error, operation),
  }),
  serverError: later,
  overloaded: later,
  badGateway: later,
  redirected: (error) => ({
    advice: l10n.t("Enter the final address as its base URL."),
    actions: [entrySetting(error), showLog()],
  }),
  rejected: (error, operation) => {
    // If no field is named, the size may be the rejected one.
    const others = error.field === undefined || error.field === "size" ? remedy(operation, "square") : [];
    const isSize = error.field === "size" && others.length > 0;
    const isExplained = error.gatewayMessage !== undefined && !isSize;
    const advice = isSize ? l10n.t("The most reliable size is 1024x1024.") : l10n.t("See the log for details.");
    return { advice: isExplained ? "" : advice, actions: [...others, showLog()] };
  },
  empty: now,
  unreadable: now,
  ...imageHelps,
};

/** Remedies for a web page: a network that requires a sign-in, or a wrong base URL. */
function pageHelp(error: GatewayError, operation: FailedAction): Help {
  if (error.kind === "mayBeCharged") return imageHelps.mayBeCharged(error, operation);
  return {
    advice: l10n.t(
      "This is often the sign-in page of a network or proxy. Sign in with a browser, or check the base URL.",
    ),
    actions: [entrySetting(error), testConnection(), ...repeat(error, operation)],
  };
}

/** Help for failures that resolve themselves. */
function later(error: GatewayError, operation: FailedAction): Help {
  return { advice: whenToRetry(error) ?? l10n.t("Try again later."), actions: again(error, operation) };
}

/** Help for failures that are probably over. */
function now(error: GatewayError, operation: FailedAction): Help {
  return { advice: whenToRetry(error) ?? l10n.t("Try again."), actions: again(error, operation) };
}

function whenToRetry({ retryAfter }: GatewayError): string | undefined {
  const time = retryAfter === undefined ? undefined : retryTime(retryAfter, Date.now());
  return time && l10n.t("Try again {0}.", time);
}

function entrySetting({ entry }: GatewayError): Action {
  return openSetting(entry === "backup" ? "backupBaseUrl" : "baseUrl");
}

import { l10n } from "vscode";
import type { GatewayError, GatewayErrorKind } from "../gateway/errors.ts";
import type { EntryName, KeyGroup } from "../gateway/types.ts";
import { originsVariable } from "../settings/keys.ts";
import { quote } from "../text/safeText.ts";
import { baseUrlFlawText } from "./baseUrlFlawText.ts";
import { isWebPage, labelOf } from "./causeLabels.ts";
import { imageCauses } from "./imageCauses.ts";
import { longPromptCause } from "./longPrompt.ts";
import type { Cause, Culprit } from "./notice.ts";
import { closed, code, sentences } from "./sentences.ts";

/** Describes a failure in one sentence or, if both entries failed, in three. */
export function causeOf(error: GatewayError, keyGroup: KeyGroup): string {
  const failures = failuresByEntry(error);
  if (failures.length < 2) return sentenceOf(error, culpritOf(entryOf(error), 160), keyGroup);
  const causes = failures.map((failure) => sentenceOf(failure, culpritOf(failure.entry, 60), keyGroup));
  return ofBoth(error, failures) ?? sentences(l10n.t("Both entries failed."), ...causes);
}

/** The same in brief, without the gateway's own message. */
export function briefCauseOf(error: GatewayError, keyGroup: KeyGroup): string {
  const failures = failuresByEntry(error);
  if (failures.length < 2) return sentenceOf(error, culpritOf(entryOf(error), 0), keyGroup);
  const labels = failures.map((failure) => labelOf(failure));
  const [first, second] = labels;
  if (first === undefined || second === undefined) return causeOf(error, keyGroup);
  const both = first === second ? first : l10n.t("{0}; {1}", first, second);
  return ofBoth(error, failures) ?? l10n.t("Both entries failed: {0}.", both);
}

/** The failure of each entry tried, primary first: the one reported, else the last. */
function failuresByEntry(error: GatewayError): readonly GatewayError[] {
  const ofEntry = new Map<EntryName, GatewayError>();
  for (const failure of [...error.attempts, error]) if (failure.entry) ofEntry.set(failure.entry, failure);
  return (["primary", "backup"] as const).map((entry) => ofEntry.get(entry)).filter((failure) => failure !== undefined);
}

/** A common description of both failures, if that is shorter. */
function ofBoth(error: GatewayError, failures: readonly GatewayError[]): string | undefined {
  if (error.kind === "offline") return l10n.t("The host names of both entries cannot be resolved.");
  if (failures.every((failure) => failure.kind === "contextTooLong")) {
    return sentenceOf(error, culpritOf(undefined, 160), "codex");
  }
  const isUnreachable = failures.every((failure) => failure.kind === "unreachable");
  const proxies = new Set(failures.map(({ proxy }) => proxy));
  const [proxy] = proxies;
  if (isUnreachable && proxies.size === 1 && proxy !== undefined) {
    return l10n.t("The proxy {0} cannot be reached.", quote(proxy));
  }
  return isUnreachable ? l10n.t("Neither the primary nor the backup entry can be reached.") : undefined;
}

function entryOf(error: GatewayError): EntryName | undefined {
  return concernsEntry.has(error.kind) || isWebPage(error) ? error.entry : undefined;
}

function culpritOf(entry: EntryName | undefined, room: number): Culprit {
  if (entry === undefined)
    return { subject: l10n.t("The gateway"), object: l10n.t("the gateway"), isEntry: false, room };
  return entry === "primary"
    ? { subject: l10n.t("The primary entry"), object: l10n.t("the primary entry"), isEntry: true, room }
    : { subject: l10n.t("The backup entry"), object: l10n.t("the backup entry"), isEntry: true, room };
}

function sentenceOf(error: GatewayError, culprit: Culprit, keyGroup: KeyGroup): string {
  if (!isWebPage(error) || error.kind === "mayBeCharged") return causes[error.kind](error, culprit, keyGroup);
  const title = quoted(error.page, culprit.room / 2);
  return title === ""
    ? l10n.t("{0} returned a web page instead of an answer.", culprit.subject)
    : l10n.t("{0} returned a web page instead of an answer: “{1}”.", culprit.subject, title);
}

/** The gateway's own message, if there is room. */
function quoted(words: string | undefined, room: number): string {
  return words === undefined || room === 0 ? "" : quote(words, room);
}

/** Failures that name their entry, because the user must fix that one. */
const concernsEntry: ReadonlySet<GatewayErrorKind> = new Set([
  "badUrl",
  "unreachable",
  "untrusted",
  "notHttps",
  "proxyRefused",
  "timeout",
  "connectionLost",
  "notFound",
  "badGateway",
  "redirected",
]);

const causes: Record<GatewayErrorKind, Cause> = {
  noEntry: () => l10n.t("No gateway is set up yet."),
  badUrl: ({ flaw }, { object }) =>
    l10n.t("The base URL of {0} cannot be used: {1}.", object, baseUrlFlawText(flaw ?? "notUrl")),
  noKey: (_error, _culprit, keyGroup) => l10n.t("No API key of the {0} group is set.", keyGroup),
  keyNotAllowed: ({ refusal }, { object }, keyGroup) =>
    refusal?.by === "environment"
      ? l10n.t(
          "The API key of the {0} group was not sent to {1} because the environment variable {2} does not list this address.",
          keyGroup,
          quote(refusal.origin),
          originsVariable,
        )
      : l10n.t(
          "The API key of the {0} group was not sent to {1} because it was entered for another address.",
          keyGroup,
          refusal ? quote(refusal.origin) : object,
        ),
  certificateFile: () => l10n.t("The certificate file cannot be read."),
  offline: () => l10n.t("The gateway's host name cannot be resolved."),
  unreachable: ({ proxy }, { subject }) =>
    proxy === undefined
      ? l10n.t("{0} cannot be reached.", subject)
      : l10n.t("The proxy {0} cannot be reached.", quote(proxy)),
  untrusted: ({ proxy }, { object }) =>
    proxy === undefined
      ? l10n.t("The certificate of {0} is not trusted.", object)
      : l10n.t("The certificate of the proxy {0} is not trusted.", quote(proxy)),
  notHttps: ({ status }, { subject }) =>
    status === undefined
      ? l10n.t("{0} does not support https, but its base URL uses it.", subject)
      : l10n.t("{0} supports only https, but its base URL uses http.", subject),
  proxyRefused: (error, { object }) =>
    error.proxy === undefined
      ? l10n.t("The proxy refuses to connect to {0}{1}.", object, code(error))
      : l10n.t("The proxy {0} does not connect to {1}.", quote(error.proxy), object),
  timeout: (_, { subject }) => l10n.t("{0} did not answer in time.", subject),
  connectionLost: (_, { object }) => l10n.t("The connection to {0} was lost before an answer arrived.", object),
  interrupted: () => l10n.t("The answer was interrupted."),
  unauthorized: (error, { subject }) => l10n.t("{0} does not accept the API key{1}.", subject, code(error)),
  forbidden: (error, { subject, isEntry }, keyGroup) => {
    if (isEntry) return l10n.t("{0} denied permission{1}.", subject, code(error));
    return keyGroup === "image"
      ? l10n.t("The group of the image key is not allowed to generate images{0}.", code(error))
      : l10n.t(
          "The codex key has no permission for this model, or a risk control refused the request{0}.",
          code(error),
        );
  },
  notFound: (error, { subject }) => l10n.t("{0} cannot find this path{1}.", subject, code(error)),
  modelNotFound: (error, { subject }, keyGroup) => {
    const model = quote(error.model ?? "", 60);
    if (keyGroup === "image") return l10n.t("{0} cannot find the image model{1}.", subject, code(error));
    return model === ""
      ? l10n.t("{0} cannot find this model{1}.", subject, code(error))
      : l10n.t("{0} cannot find the model “{1}”{2}.", subject, model, code(error));
  },
  contextTooLong: longPromptCause,
  filtered: (error) => l10n.t("The gateway's content filter refused the request{0}.", code(error)),
  rateLimited: (error, { subject, isEntry }) =>
    isEntry
      ? l10n.t("{0} received too many requests{1}.", subject, code(error))
      : l10n.t("Too many requests{0}.", code(error)),
  serverError: (error, { subject }) => l10n.t("{0} has an internal error{1}.", subject, code(error)),
  overloaded: (error, { subject }) => l10n.t("{0} is overloaded{1}.", subject, code(error)),
  badGateway: (error, { object }) => l10n.t("A server in front of {0} failed{1}.", object, code(error)),
  redirected: (error, { subject }) =>
    l10n.t("{0} redirects to another address{1}, and keys never follow a redirect.", subject, code(error)),
  rejected: (error, { subject, room }) => {
    const said = quoted(error.gatewayMessage, room);
    return said === ""
      ? l10n.t("{0} rejected the request{1}.", subject, code(error))
      : closed(l10n.t("{0} rejected the request{1}: {2}", subject, code(error), said));
  },
  empty: (_, { subject }) => l10n.t("{0} returned an empty answer.", subject),
  unreadable: (_, { subject }) => l10n.t("{0} returned an unreadable answer.", subject),
  ...imageCauses,
};

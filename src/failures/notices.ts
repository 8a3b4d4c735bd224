import { l10n } from "vscode";
import { GatewayError, type GatewayErrorKind } from "../gateway/errors.ts";
import type { EntryName } from "../gateway/types.ts";
import { quote } from "../text/safeText.ts";
import { isShowLog, retryOrLog, showLog } from "./actions.ts";
import { isWebPage, kinds, webPage, whenToRetry } from "./gatewayNotices.ts";
import type { FailedAction, Failure, Kind, Notice } from "./notice.ts";
import { sentences, withFacts } from "./sentences.ts";
import { UserError } from "./userError.ts";
import { type NoticeOf, userNotices } from "./userErrorNotices.ts";

/** Maximum length of what failed, such as files with reasons, in characters: VS Code shows about 1,000 in all (1.139). */
const maxSubject = 700;

/** Creates the notice for any thrown value: what happened, then what to do. */
export function noticeOf(error: unknown, operation: FailedAction): Notice {
  if (error instanceof GatewayError) return gatewayNotice(error, operation);
  if (error instanceof UserError) {
    const noticeOfKind: NoticeOf = userNotices[error.kind];
    const given = noticeOfKind(quote(error.subject, maxSubject), operation);
    const notice = typeof given === "string" ? { text: given } : given;
    return { brief: notice.text, actions: [], ...notice };
  }
  const text = l10n.t("An unexpected error occurred. See the log for details.");
  return { text, brief: text, actions: [showLog()] };
}

/** Maximum length of the gateway's own message where one entry failed, and where both did. */
const [maxMessageOfOne, maxMessageOfEach] = [160, 50];

function gatewayNotice(error: GatewayError, operation: FailedAction): Notice {
  const { advice, actions } = kindOf(error, operation, maxMessageOfOne);
  const { text, brief } = causesOf(error, operation);
  // A button says what to do, unless there is a time to wait.
  const saysButton = error.retryAfter === undefined && !actions.every(isShowLog);
  return { text: sentences(text, advice), brief: sentences(brief, saysButton ? "" : advice), actions };
}

/** The cause in one sentence, in brief without the gateway's message; in the chat, with a sentence for each entry. */
function causesOf(error: GatewayError, operation: FailedAction): Pick<Notice, "text" | "brief"> {
  const failures = failuresByEntry(error);
  const { cause } = kindOf(error, operation, 0);
  if (failures.length < 2) return { text: kindOf(error, operation, maxMessageOfOne).cause, brief: cause };
  const both = commonCause(error, failures);
  if (both !== undefined) return { text: both, brief: both };
  const kinds = failures.map((failure) => kindOf(failure, operation, maxMessageOfEach, failure.entry));
  const text = sentences(l10n.t("Both entries failed."), ...kinds.map(({ cause }) => cause));
  const [first, second] = kinds.map(({ label }) => label);
  // Without a label, the cause itself matters, such as that an image may have been charged.
  const brief =
    first === undefined || second === undefined
      ? cause
      : l10n.t("Both entries failed: {0}.", first === second ? first : l10n.t("{0}; {1}", first, second));
  return { text: operation.isInChat ? text : brief, brief };
}

/** The last failure of each entry, primary first. The reported one counts as the last. */
function failuresByEntry(error: GatewayError): readonly GatewayError[] {
  const failures = [...error.attempts, error];
  return (["primary", "backup"] as const).flatMap((name) => failures.findLast(({ entry }) => entry === name) ?? []);
}

/** One cause for both failures, if there is a shorter one. */
function commonCause(error: GatewayError, failures: readonly GatewayError[]): string | undefined {
  if (error.kind === "offline") return l10n.t("The host names of both entries cannot be resolved.");
  if (failures.some(({ kind }) => kind !== "unreachable")) return undefined;
  const [proxy, ...others] = new Set(failures.map((failure) => failure.proxy));
  return proxy === undefined || others.length > 0
    ? l10n.t("Neither the primary nor the backup entry can be reached.")
    : l10n.t("The proxy {0} cannot be reached.", quote(proxy));
}

/**
 * The texts and actions for a failure. `maxMessage`: the maximum length of the gateway's own message. `entry`: the entry to
 * name; by default the one that failed, if the user must fix it.
 */
export function kindOf(
  error: GatewayError,
  operation: FailedAction,
  maxMessage: number,
  entry = concernsEntry.has(error.kind) || isWebPage(error) ? error.entry : undefined,
): Required<Kind> {
  const failure = { error, operation, maxMessage, ...namesOf(entry) };
  const isPage = isWebPage(error) && error.kind !== "mayBeCharged";
  const describe = isPage ? webPage : kinds[error.kind];
  const { cause, label, actions, advice = actions ? "" : whenToRetry(error) } = describe(failure);
  return {
    cause,
    advice,
    label: label && withFacts(label, error.status),
    actions: actions ?? retryOrLog(error, operation),
  };
}

/** Failures that name their entry, because the user must fix it. */
const concernsEntry: ReadonlySet<GatewayErrorKind> = new Set([
  ...["badUrl", "unreachable", "untrusted", "notHttps", "proxyRefused"],
  ...["timeout", "connectionLost", "notFound", "badGateway", "redirected"],
] as const);

function namesOf(entry: EntryName | undefined): Pick<Failure, "nameAtStart" | "name"> {
  if (entry === undefined) return { nameAtStart: l10n.t("The gateway"), name: l10n.t("the gateway") };
  return entry === "primary"
    ? { nameAtStart: l10n.t("The primary entry"), name: l10n.t("the primary entry") }
    : { nameAtStart: l10n.t("The backup entry"), name: l10n.t("the backup entry") };
}

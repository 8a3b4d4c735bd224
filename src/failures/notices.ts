import { l10n } from "vscode";
import { GatewayError } from "../gateway/errors.ts";
import { showLog } from "./actions.ts";
import { gatewayNotice } from "./gatewayNotices.ts";
import type { Notice, FailedAction } from "./notice.ts";
import { UserError } from "./userError.ts";
import { userNotices } from "./userNotices.ts";

/** Creates the notice for any thrown value. */
export function noticeOf(error: unknown, operation: FailedAction): Notice {
  if (error instanceof GatewayError) return gatewayNotice(error, operation);
  const text = l10n.t("An unexpected error occurred. See the log for details.");
  const known = error instanceof UserError ? userNotices[error.kind](error, operation) : { text, actions: [showLog()] };
  return { brief: known.text, ...known };
}

import { l10n } from "vscode";
import { GatewayError } from "../gateway/errors.ts";
import type { KeyGroup } from "../gateway/types.ts";
import { type Action, showLog } from "./actions.ts";
import { gatewayNotices } from "./gatewayNotices.ts";
import { UserError } from "./userError.ts";
import { userNotices } from "./userNotices.ts";

/** Ways out that only the operation itself knows. */
export type Remedy =
  | "square" // orders the same image at the most reliable size
  | "saveElsewhere" // saves the image in another folder
  | "orderAgain" // orders the same image once more
  | "forget"; // gives up what was kept

/** What failed: whose key it used, and how to do it again where that makes sense. */
export interface Operation {
  /** For the log. */
  readonly name: string;
  readonly keyGroup: KeyGroup;
  readonly retry?: () => Promise<unknown>;
  readonly remedies?: Readonly<Partial<Record<Remedy, () => Promise<void>>>>;
}

/** What a notification says, and what the user can do about it. */
export interface Notice {
  readonly text: string;
  readonly actions: readonly Action[];
}

/** The notice of anything that was thrown. */
export function noticeOf(error: unknown, operation: Operation): Notice {
  if (error instanceof GatewayError) return gatewayNotices[error.kind](error, operation);
  if (error instanceof UserError) return userNotices[error.kind](error, operation);
  return { text: l10n.t("Something unexpected went wrong. The log has the details."), actions: [showLog()] };
}

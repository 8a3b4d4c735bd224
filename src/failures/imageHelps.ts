import { l10n } from "vscode";
import type { GatewayError } from "../gateway/errors.ts";
import { again, remedy, repeat, showLog } from "./actions.ts";
import type { ImageErrorKind } from "./imageCauses.ts";
import type { Help, FailedAction } from "./notice.ts";

/** Remedies for failures specific to images. */
export const imageHelps: Record<ImageErrorKind, (error: GatewayError, operation: FailedAction) => Help> = {
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

import { l10n } from "vscode";
import type { GatewayError } from "../gateway/errors.ts";
import { again, remedy, repeat, showLog } from "./actions.ts";
import type { ImageErrorKind } from "./imageCauses.ts";
import type { Help, FailedAction } from "./notice.ts";

/** The remedy of each failure that only images know. */
export const imageHelps: Record<ImageErrorKind, (error: GatewayError, operation: FailedAction) => Help> = {
  noImage: (error, operation) => ({
    advice: l10n.t("Try again, or with another prompt."),
    actions: again(error, operation),
  }),
  mayBeCharged: (error, operation) => ({
    advice: operation.retry ? l10n.t("Retry orders it once more.") : "",
    actions: again(error, operation),
  }),
  linkExpired: (_, operation) => ({
    advice: l10n.t("“Recover Images” tries it again; Generate Again orders a new one."),
    actions: [...remedy(operation, "orderAgain"), ...remedy(operation, "forget"), showLog()],
  }),
  linkForbidden: (_, operation) => ({
    advice: l10n.t("Ask whoever runs the gateway."),
    actions: [...remedy(operation, "forget"), showLog()],
  }),
  downloadFailed: (error, operation) => ({
    advice: l10n.t("Retry or “Recover Images” fetches the same image."),
    actions: again(error, operation),
  }),
  notAnImage: (error, operation) => ({
    advice: l10n.t("Retry fetches it once more."),
    actions: [...repeat(error, operation), ...remedy(operation, "forget"), showLog()],
  }),
  tooLarge: (_, operation) => ({
    advice: l10n.t("The log has the details."),
    actions: [...remedy(operation, "forget"), showLog()],
  }),
};

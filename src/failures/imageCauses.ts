import { l10n } from "vscode";
import { GatewayError, type GatewayErrorKind } from "../gateway/errors.ts";
import { quote } from "../text/safeText.ts";
import { isWebPage } from "./causeLabels.ts";
import type { Cause } from "./notice.ts";
import { code } from "./sentences.ts";

/** Failures specific to images. */
export type ImageErrorKind = Extract<
  GatewayErrorKind,
  "noImage" | "mayBeCharged" | "linkExpired" | "linkForbidden" | "downloadFailed" | "notAnImage" | "tooLarge"
>;

/** The cause of an image failure, in one short sentence. */
export const imageCauses: Record<ImageErrorKind, Cause> = {
  noImage: (_, { subject }) => l10n.t("{0} returned no image.", subject),
  mayBeCharged: (error) => {
    const { cause } = error;
    const failure = cause instanceof GatewayError ? cause : error;
    if (isWebPage(failure)) {
      return l10n.t(
        "The image request returned a web page instead of an answer{0}, and the image may have been charged.",
        reference(error),
      );
    }
    return unusable.has(failure.kind)
      ? l10n.t(
          "The answer to the image request cannot be read{0}, and the image may have been charged.",
          reference(error),
        )
      : l10n.t(
          "The answer to the image request did not arrive{0}, and the image may have been charged.",
          reference(error),
        );
  },
  linkExpired: (error) => l10n.t("The image was generated, but its link has expired{0}.", code(error)),
  linkForbidden: () => l10n.t("The gateway returned an unsafe address for the image, so it was not downloaded."),
  downloadFailed: (error) => l10n.t("The image was generated, but not downloaded{0}.", code(error)),
  notAnImage: () => l10n.t("The image link leads to a file that is not an image."),
  tooLarge: () => l10n.t("The gateway's answer or image file is too large."),
};

/** Answers that arrived but are unusable. */
const unusable: ReadonlySet<GatewayErrorKind> = new Set(["empty", "unreadable", "rejected", "tooLarge"]);

/** The status and the request id in parentheses, for the gateway's operator. */
function reference({ status, requestId }: GatewayError): string {
  const facts = [...(status === undefined ? [] : [String(status)]), ...(requestId ? [quote(requestId, 60)] : [])];
  return facts.length === 0 ? "" : ` (${facts.join(", ")})`;
}

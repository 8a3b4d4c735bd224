import type { userNotices } from "./userErrorNotices.ts";

/** Failures on the extension's side. */
export type UserErrorKind = keyof typeof userNotices;

/** A failure that the user can fix. Decide on `kind`, never on `message`. */
export class UserError extends Error {
  override readonly name = "UserError";
  readonly kind: UserErrorKind;
  readonly subject: string;

  constructor(kind: UserErrorKind, details: { readonly subject?: string; readonly cause?: unknown } = {}) {
    super(kind, details.cause === undefined ? undefined : { cause: details.cause });
    this.kind = kind;
    this.subject = details.subject ?? "";
  }
}

/** Changes settings, or what is stored about keys. Throws `UserError` of this kind. */
export async function saving<T>(change: () => Promise<T>, kind: UserErrorKind = "settingsNotSaved"): Promise<T> {
  try {
    return await change();
  } catch (cause) {
    throw cause instanceof UserError ? cause : new UserError(kind, { cause });
  }
}

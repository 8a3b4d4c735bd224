import { UserError, type UserErrorKind } from "./userError.ts";

/** Changes settings, or what is stored about keys. Throws `UserError` of this kind. */
export async function saving<T>(change: () => Promise<T>, kind: UserErrorKind = "settingsNotSaved"): Promise<T> {
  try {
    return await change();
  } catch (cause) {
    throw cause instanceof UserError ? cause : new UserError(kind, { cause });
  }
}

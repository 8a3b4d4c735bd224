/** What can go wrong on this side of the gateway. */
export type UserErrorKind =
  | "keyNotStored" // the secret storage did not take a key
  | "chatUnavailable" // VS Code's chat cannot be opened
  | "folderOutside" // the image folder leads out of the workspace; `subject` is the setting's value
  | "fileNotSaved"; // `subject` is the file's path

/** A failure that the user can do something about. Decide on `kind`, never on `message`. */
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

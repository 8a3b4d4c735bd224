/** What can go wrong on this side of the gateway. */
export type UserErrorKind =
  | "keyNotStored" // the secret storage did not take a key
  | "keyNotRead" // the secret storage cannot be read
  | "settingsNotSaved" // VS Code did not take a setting
  | "chatUnavailable" // VS Code's chat cannot be opened
  | "imageInput" // an image was attached to a question
  | "noTools" // the gateway takes no tools, and the request makes no sense without
  | "cutOff" // the answer reached the longest length of an answer
  | "filtered" // the gateway's content filter ended the answer
  | "folderOutside" // the image folder leads out of the workspace; `subject` is the setting's value
  | "folderLinked" // the image folder is, through a link, outside of the workspace; `subject` is the folder's path
  | "fileNotSaved" // `subject` is the file's path
  | "noDocument" // nothing is open that a link could be inserted into
  | "linkOutside" // an image is not in the document's workspace folder; `subject` is the document's name
  | "noEditor" // inline chat needs a text editor
  | "selectionTooLong" // code and question are more than the model takes; `subject` is the model's name
  | "notEditable" // the document cannot be changed
  | "codeChanged" // the code is no longer what the model read; `subject` is the answer's id
  | "editChanged" // the applied lines were edited since; `subject` is the answer's id
  | "documentReadOnly"; // a link cannot be inserted; `subject` is the document's name

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

/** Failures on the extension's side. */
export type UserErrorKind =
  | "keyNotStored" // the secret storage rejected a key
  | "keyNotRead" // the secret storage cannot be read
  | "keyCommandNotStarted" // the command for a key; `subject` is the program, and what it says
  | "keyCommandFailed"
  | "keyCommandTimeout" // it took longer than 30 s
  | "keyCommandEmpty" // it printed nothing
  | "keyCommandLines" // it printed several lines
  | "keyCommandTooLong" // it printed more than 16 KB
  | "keyCommandCharacters" // it printed what cannot be a key
  | "linkRefused" // `subject` is what is wrong with a set-up link
  | "settingsNotSaved" // VS Code could not save a setting
  | "chatUnavailable" // VS Code's chat cannot be opened
  | "chatRestricted" // VS Code's chat is off in Restricted Mode
  | "chatStaysOff" // VS Code did not turn its chat on
  | "aiFeaturesBarred" // a policy or the workspace turns AI features off
  | "imageInput" // an image was attached to a question
  | "noTools" // the gateway rejects tools, and the request is pointless without
  | "cutOff" // the model reached its output limit
  | "filtered" // the gateway's content filter ended the answer
  | "folderOutside" // the image folder is outside the workspace; `subject` is the setting's value
  | "folderLinked" // the image folder leads outside the workspace through a link; `subject` is the folder's path
  | "fileNotSaved" // `subject` is the file's path
  | "exportNotSaved" // `subject` is the file's path
  | "noDocument" // no document is open to insert a link into
  | "linkOutside" // an image is not in the document's workspace folder; `subject` is the document's name
  | "noEditor" // inline chat needs a text editor
  | "selectionTooLong" // code and question exceed the model's input; `subject` is the model's name
  | "notEditable" // the document is read-only
  | "codeChanged" // the code has changed since the model read it; `subject` is the answer's id
  | "editChanged" // the applied lines were edited since; `subject` is the answer's id
  | "editGone" // an edit of `@codex` is not stored any more
  | "editRestricted" // files are changed only in trusted workspaces
  | "editRefused" // a file must not be changed; `subject` is its path and the reason
  | "editNotWritten" // `subject` is the cause
  | "gitUnavailable" // VS Code's Git extension is off, or Git is not installed
  | "gitRestricted" // the Git extension is off in Restricted Mode
  | "noRepository" // no Git repository is open
  | "nothingChanged" // `subject` is the repository's name
  | "onlySecretFiles" // all changed files may hold secrets
  | "mergeInProgress" // Git has a message for the merge; `subject` is the repository's name
  | "changesTooLong" // not even the list of files fits; `subject` is the model
  | "nothingToReview" // no changed file has a diff; `subject` is the repository's name
  | "noReview" // the answer has no findings, and does not say that there are none
  | "noMessage" // the answer has no commit message
  | "documentReadOnly"; // a link cannot be inserted; `subject` is the document's name

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

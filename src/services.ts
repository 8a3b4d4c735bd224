import type { LogOutputChannel, Memento, Uri } from "vscode";
import type { Notifier } from "./failures/notifier.ts";
import type { Gateway } from "./gateway/types.ts";
import type { Images } from "./images/images.ts";
import type { FileGate } from "./reading/fileGate.ts";
import type { Keys } from "./settings/keys.ts";
import type { Settings } from "./settings/settings.ts";
import type { TokenCounter } from "./prompts/tokenCounter.ts";
import type { WindowSecrets } from "./text/secrets/windowSecrets.ts";
import type { Ledger } from "./usage/ledger.ts";

/** The services available to features. Each takes only what it needs: `Pick<Services, "gateway">`. */
export interface Services {
  readonly gateway: Gateway;
  readonly images: Images;
  readonly keys: Keys;
  readonly log: LogOutputChannel;
  readonly notifier: Notifier;
  /** Storage that persists across windows, per user. */
  readonly state: Memento;
  /** Storage that persists across windows, per workspace. */
  readonly workspaceState: Memento;
  /** The current settings, for a workspace folder if given. */
  readonly settings: (scope?: Uri) => Settings;
  readonly tokens: TokenCounter;
  /** The usage of all windows on this machine. */
  readonly ledger: Ledger;
  /** Whether a budget is used up, so that nothing runs by itself, such as completions while typing. */
  readonly isOverBudget: () => Promise<boolean>;
  /** Decides which files may be read for a prompt unless the user has attached them. */
  readonly gate: FileGate;
  /** The secrets found in this window in what is read for prompts. */
  readonly secrets: WindowSecrets;
}

/** The services available from activation on. The rest is created with the features. */
export interface EarlyServices extends Omit<
  Services,
  "images" | "notifier" | "tokens" | "ledger" | "isOverBudget" | "gate" | "secrets"
> {
  readonly images: Omit<Images, "pending">;
  /** The extension's folder for all windows of a user. */
  readonly storage: Uri;
  /** The folder for snapshots of edited files, of this workspace if there is one. */
  readonly editStorage: Uri;
}

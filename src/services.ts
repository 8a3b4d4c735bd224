import type { LogOutputChannel, Memento, Uri } from "vscode";
import type { Notifier } from "./failures/notifier.ts";
import type { Gateway } from "./gateway/types.ts";
import type { Images } from "./images/images.ts";
import type { FileGate } from "./reading/fileGate.ts";
import type { Keys } from "./settings/keys.ts";
import type { Settings } from "./settings/settings.ts";
import type { TokenCounter } from "./text/tokenCounter.ts";
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
  /** What was used on this machine, in all windows. */
  readonly ledger: Ledger;
  /** Whether a budget is used up, so that nothing runs that the user has not asked for, such as completions while typing. */
  readonly isOverBudget: () => Promise<boolean>;
  /** What every file passes that is read for a prompt without the user having attached it. */
  readonly gate: FileGate;
  /** The secrets of this window, which all that is read for a prompt adds to. */
  readonly secrets: WindowSecrets;
}

/** The services that are there from activation on. The rest is created with the features. */
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

import type { LogOutputChannel, Memento, Uri } from "vscode";
import type { Notifier } from "./failures/notifier.ts";
import type { Gateway } from "./gateway/types.ts";
import type { Images } from "./images/images.ts";
import type { Keys } from "./settings/keys.ts";
import type { Settings } from "./settings/settings.ts";

/** What features may ask for. They take the least they need: `Pick<Services, "gateway">`. */
export interface Services {
  readonly gateway: Gateway;
  readonly images: Images;
  readonly keys: Keys;
  readonly log: LogOutputChannel;
  readonly notifier: Notifier;
  /** What outlives the window, for this user. */
  readonly state: Memento;
  /** The settings as they are now, for a workspace folder where that matters. */
  readonly settings: (scope?: Uri) => Settings;
}

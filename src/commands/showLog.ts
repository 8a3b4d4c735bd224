import type { Services } from "../services.ts";

/** Shows the log channel. */
export function showLog({ log }: Pick<Services, "log">): void {
  log.show();
}

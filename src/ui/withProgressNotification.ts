import { l10n, ProgressLocation, window } from "vscode";
import type { Observe, WaitingEvent } from "../gateway/types.ts";
import { withSignal } from "./withSignal.ts";

/** Reports the progress of running work. */
export interface ProgressNotification {
  readonly signal: AbortSignal;
  /** Shows the current activity. */
  readonly now: (doing: string) => void;
  /** Shows what the work is waiting for. */
  readonly observe: Observe;
}

/** Runs work with a cancellable notification that shows the activity, its duration, and what it waits for. */
export async function withProgressNotification<T>(
  doing: string,
  work: (elapsed: ProgressNotification) => Promise<T>,
): Promise<T> {
  // Without a title, because `Progress.report` can change only the message (vscode.d.ts).
  const options = { location: ProgressLocation.Notification, cancellable: true };
  return await window.withProgress(options, (progress, token) =>
    withSignal(token, async (signal) => {
      const startedAt = performance.now();
      let [current, news] = [doing, ""];
      const report = (): void => {
        progress.report({ message: `${current}: ${news}${clock(performance.now() - startedAt)}` });
      };
      const now = (doing: string): void => {
        [current, news] = [doing, ""];
        report();
      };
      const observe: Observe = ({ type }) => {
        news = `${newsTexts[type]()} `;
        report();
      };
      const timer = setInterval(report, 1_000);
      try {
        report();
        return await work({ signal, now, observe });
      } finally {
        clearInterval(timer);
      }
    }),
  );
}

const newsTexts: Record<WaitingEvent["type"], () => string> = {
  thinking: () => l10n.t("The gateway is still working."),
  unresponsive: () => l10n.t("The gateway is not responding at the moment. The answer may still arrive."),
  retrying: () => l10n.t("Trying again."),
};

/** `0:07`, `12:34`. */
function clock(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

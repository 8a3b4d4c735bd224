import { l10n, ProgressLocation, window } from "vscode";
import type { WaitingEvent } from "../gateway/types.ts";
import { withSignal } from "../ui/withSignal.ts";

/** Tells a running operation's news to whoever watches. */
export type Observe = (event: WaitingEvent) => void;

/** Runs work behind a notification with Cancel that shows how long it has taken so far, and what it waits for. */
export async function withElapsed<T>(
  title: string,
  work: (signal: AbortSignal, observe: Observe) => Promise<T>,
): Promise<T> {
  const options = { location: ProgressLocation.Notification, cancellable: true, title };
  return await window.withProgress(options, (progress, token) =>
    withSignal(token, async (signal) => {
      const startedAt = Date.now();
      let news = "";
      const tell = (): void => {
        progress.report({ message: news + clock(Date.now() - startedAt) });
      };
      const timer = setInterval(tell, 1_000);
      try {
        tell();
        return await work(signal, (event) => {
          news = `${newsTexts[event.type]()} `;
          tell();
        });
      } finally {
        clearInterval(timer);
      }
    }),
  );
}

const newsTexts: Record<WaitingEvent["type"], () => string> = {
  thinking: () => l10n.t("The gateway is still working."),
  unresponsive: () => l10n.t("The gateway does not respond at the moment; the order may still arrive."),
  retrying: () => l10n.t("Trying once more."),
};

/** `0:07`, `12:34`. */
function clock(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

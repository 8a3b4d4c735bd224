import { type Command, ProgressLocation, window } from "vscode";
import { commandLink } from "./commandLink.ts";

/** Duration of a notification, in milliseconds, as of VS Code's own without buttons. */
const duration = 15_000;

/** A notification with links that an extension can close, as no other kind (VS Code 1.139). Texts must be safe Markdown. */
export class LinkNotification {
  #end: (() => void) | undefined;

  /** Shows a text and links instead of the current ones. Returns a function that closes only this notification. */
  show(text: string, commands: readonly Command[]): () => void {
    this.end();
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const end = (): void => {
      clearTimeout(timer);
      if (this.#end === end) this.#end = undefined;
      resolve(undefined);
    };
    const timer = setTimeout(end, duration);
    this.#end = end;
    const message = `${text} ${commands.map(commandLink).join(" · ")}`;
    void window.withProgress({ location: ProgressLocation.Notification }, (progress) => {
      progress.report({ message, increment: 100 });
      return promise;
    });
    return end;
  }

  /** Whether the notification that this function closes is still shown. */
  shows(end: (() => void) | undefined): boolean {
    return end !== undefined && this.#end === end;
  }

  end(): void {
    this.#end?.();
  }
}

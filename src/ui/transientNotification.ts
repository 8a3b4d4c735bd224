import { type Command, ProgressLocation, window } from "vscode";
import { commandLink } from "./commandLink.ts";

/** How long a notice stays, in milliseconds: as long as VS Code shows others that ask nothing. */
const shownFor = 15_000;

/** A notification with links that goes once its subject is over, as no other kind does (VS Code 1.139). Takes safe texts. */
export class TransientNotification {
  #end: (() => void) | undefined;

  /** Shows a text and links in place of what is shown. Returns what ends this, and nothing else. */
  show(text: string, commands: readonly Command[]): () => void {
    this.end();
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const end = (): void => {
      clearTimeout(timer);
      if (this.#end === end) this.#end = undefined;
      resolve(undefined);
    };
    const timer = setTimeout(end, shownFor);
    this.#end = end;
    const message = `${text} ${commands.map(commandLink).join(" · ")}`;
    void window.withProgress({ location: ProgressLocation.Notification }, (progress) => {
      progress.report({ message, increment: 100 });
      return promise;
    });
    return end;
  }

  /** Whether what has this end is still shown. */
  shows(end: (() => void) | undefined): boolean {
    return end !== undefined && this.#end === end;
  }

  end(): void {
    this.#end?.();
  }
}

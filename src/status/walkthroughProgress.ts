import { commands } from "vscode";
import { prefix } from "../manifest.ts";

/** What the walkthrough waits for, as context keys. */
type WalkthroughStep = "isSetUp" | "hasAnswered" | "hasGeneratedImage";

/** Sets the context keys of the walkthrough, each when it changes. */
export class WalkthroughProgress {
  readonly #reached = new Set<string>();

  reach(milestones: Readonly<Record<WalkthroughStep, boolean>>): void {
    for (const [name, isReached] of Object.entries(milestones)) {
      if (this.#reached.has(name) === isReached) continue;
      this.#reached[isReached ? "add" : "delete"](name);
      void commands.executeCommand("setContext", `${prefix}.${name}`, isReached);
    }
  }
}

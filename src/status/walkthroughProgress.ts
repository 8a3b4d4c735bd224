import { commands } from "vscode";
import { prefix } from "../manifest.ts";

/** Context keys of the walkthrough's steps. */
type WalkthroughStep = "isSetUp" | "hasAnswered" | "hasGeneratedImage";

/** Updates the walkthrough's context keys when they change. */
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

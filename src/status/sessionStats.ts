import { EventEmitter } from "vscode";
import type { AnswerOrigin, EntryHealth, EntryName } from "../gateway/types.ts";
import type { UsageWords } from "../usage/watchUsage.ts";
import { ResponsesModels } from "./responsesModels.ts";

/** What the status bar shows: what has happened since the window was opened, and today's usage of all windows. */
export class SessionStats {
  readonly #changed = new EventEmitter<void>();
  readonly onDidChange = this.#changed.event;
  /** The kinds of requests answered so far. */
  readonly answered = new Set<"text" | "image">();
  readonly responsesModels = new ResponsesModels();
  usage: UsageWords = { today: undefined, budget: undefined };
  servedBy: EntryName | undefined;
  health: readonly EntryHealth[] = [];

  /** Records an answer. Returns the result of `ResponsesModels.note`. */
  onAnswer(origin: AnswerOrigin): boolean {
    const isNew = this.responsesModels.note(origin);
    this.servedBy = origin.entry;
    this.answered.add(origin.what);
    this.#changed.fire();
    return isNew;
  }

  readonly onUsage = (usage: UsageWords): void => {
    this.usage = usage;
    this.#changed.fire();
  };

  readonly onHealth = (health: readonly EntryHealth[]): void => {
    this.health = health;
    this.#changed.fire();
  };

  /** Clears what belongs to the previous entries. */
  forgetEntries(): void {
    this.servedBy = undefined;
    this.health = [];
    this.responsesModels.clear();
  }

  dispose(): void {
    this.#changed.dispose();
  }
}

import { EventEmitter } from "vscode";
import type { AnswerOrigin, EntryHealth, EntryName, Usage } from "../gateway/types.ts";

/** Statistics since the window was opened. */
export class SessionStats {
  readonly #changed = new EventEmitter<void>();
  readonly onDidChange = this.#changed.event;
  /** The kinds of requests answered so far. */
  readonly answered = new Set<"text" | "image">();
  inputTokens = 0;
  outputTokens = 0;
  servedBy: EntryName | undefined;
  health: readonly EntryHealth[] = [];

  readonly onAnswer = ({ entry, what }: AnswerOrigin): void => {
    this.servedBy = entry;
    this.answered.add(what);
    this.#changed.fire();
  };

  readonly onUsage = ({ inputTokens, outputTokens }: Usage): void => {
    this.inputTokens += inputTokens;
    this.outputTokens += outputTokens;
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
  }

  dispose(): void {
    this.#changed.dispose();
  }
}

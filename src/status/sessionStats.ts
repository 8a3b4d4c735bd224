import { EventEmitter } from "vscode";
import type { AnswerOrigin, EntryHealth, EntryName } from "../gateway/types.ts";
import type { UsageTexts } from "../usage/followUsage.ts";

/** What the status bar shows: what has happened since the window was opened, and today's usage of all windows. */
export class SessionStats {
  readonly #changed = new EventEmitter<void>();
  readonly onDidChange = this.#changed.event;
  /** The kinds of requests answered so far. */
  readonly answered = new Set<"text" | "image">();
  usage: UsageTexts = { today: undefined, budget: undefined };
  servedBy: EntryName | undefined;
  health: readonly EntryHealth[] = [];
  /** The last answers of each entry and model, with tools and without, that came from `/v1/responses`. */
  readonly #fromResponses = new Map<string, AnswerOrigin>();

  /** Records an answer. Returns whether it is the first of its entry, model and use of tools from `/v1/responses`. */
  onAnswer(origin: AnswerOrigin): boolean {
    const { entry, api, model, hasTools = false, what } = origin;
    const key = JSON.stringify([entry, model, hasTools]);
    const isNew = api === "responses" && model !== undefined && !this.#fromResponses.has(key);
    if (isNew) this.#fromResponses.set(key, origin);
    else if (api === "chatCompletions") this.#fromResponses.delete(key);
    this.servedBy = entry;
    this.answered.add(what);
    this.#changed.fire();
    return isNew;
  }

  /** The models that an entry answers through `/v1/responses`, each once: those with `hasTools`, only with tools. */
  responsesModelsOf(entry: EntryName): readonly Pick<AnswerOrigin, "model" | "hasTools">[] {
    const answers = [...this.#fromResponses.values()].filter((answer) => answer.entry === entry);
    const isAlsoWithoutTools = (model?: string): boolean =>
      answers.some((answer) => answer.model === model && !answer.hasTools);
    return answers.filter(({ model, hasTools }) => !hasTools || !isAlsoWithoutTools(model));
  }

  readonly onUsage = (usage: UsageTexts): void => {
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
    this.forgetApis();
  }

  /** Clears which models are answered through `/v1/responses`. */
  forgetApis(): void {
    this.#fromResponses.clear();
  }

  dispose(): void {
    this.#changed.dispose();
  }
}

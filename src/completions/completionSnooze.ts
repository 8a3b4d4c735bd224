import { EventEmitter, type Memento } from "vscode";
import { ContextKeys } from "../ui/contextKeys.ts";

const stateKey = "completions.pausedUntil";
const hour = 3_600_000;

/** The hour without completions that the user asked for, which also applies to windows that open in the meantime. */
export class CompletionSnooze {
  readonly #state: Memento;
  readonly #keys = new ContextKeys();
  readonly #changed = new EventEmitter<void>();
  #timer: NodeJS.Timeout | undefined;

  constructor(state: Memento) {
    this.#state = state;
    this.#update();
  }

  readonly onDidChange = this.#changed.event;

  /** When it ends, in milliseconds since the epoch; `undefined` if there is none. */
  get until(): number | undefined {
    const until = this.#state.get<unknown>(stateKey);
    const remaining = typeof until === "number" ? until - Date.now() : 0;
    return remaining > 0 && remaining <= hour ? Number(until) : undefined;
  }

  /** Starts or restarts the hour. */
  async start(): Promise<void> {
    await this.#set(Date.now() + hour);
  }

  async end(): Promise<void> {
    await this.#set(undefined);
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#changed.dispose();
  }

  async #set(until: number | undefined): Promise<void> {
    await this.#state.update(stateKey, until);
    this.#update();
  }

  readonly #update = (): void => {
    const { until } = this;
    clearTimeout(this.#timer);
    this.#keys.set("completions.isPaused", until !== undefined);
    if (until !== undefined) this.#timer = setTimeout(this.#update, until - Date.now() + 1).unref();
    this.#changed.fire();
  };
}

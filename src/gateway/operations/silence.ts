/** What becomes of an operation whose entry is silent. */
export interface SilenceOptions {
  /** Milliseconds without a byte until the entry is asked whether it lives, again and again. */
  readonly limit: number;
  /** Whether the entry answers anything at all on another connection. Never rejects. */
  isAlive(signal: AbortSignal): Promise<boolean>;
  /** Whether no sign of life means anything: some gateways ignore the question, or serve one connection at a time. */
  mayBeDead(): boolean;
  /** The entry lives: the model is thinking. */
  onThinking(): void;
  /** The entry answers nothing any more, for the second time in a row. */
  onDead(): void;
}

/** Watches for silence from now on. `touch` tells of a byte; `stop` ends the watch. */
export function watchSilence(options: SilenceOptions): { touch(): void; stop(): void } {
  let round = 0;
  let unanswered = 0;
  const end = new AbortController();
  const timer = setTimeout(() => void check(), options.limit);

  async function check(): Promise<void> {
    const asked = round;
    const isAlive = await options.isAlive(end.signal);
    if (end.signal.aborted) return;
    timer.refresh();
    if (asked !== round) return;
    unanswered = isAlive ? 0 : unanswered + 1;
    if (isAlive) options.onThinking();
    else if (unanswered > 1 && options.mayBeDead()) options.onDead();
  }

  return {
    touch() {
      round += 1;
      unanswered = 0;
      if (!end.signal.aborted) timer.refresh();
    },
    stop() {
      end.abort();
      clearTimeout(timer);
    },
  };
}

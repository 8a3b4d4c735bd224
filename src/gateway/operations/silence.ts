/** Options for watching a silent entry. */
export interface SilenceOptions {
  /** Milliseconds without data before each liveness check. */
  readonly limit: number;
  /** Whether the entry responds on another connection. Never rejects. */
  isAlive(signal: AbortSignal): Promise<boolean>;
  /** Whether a failed check is meaningful. An entry may ignore the check, or serve only one connection at a time. */
  mayBeDead(): boolean;
  /** The entry is alive, so the model is still thinking. */
  onThinking(): void;
  /** The entry failed the check twice in a row. */
  onDead(): void;
}

/** Watches for silence. Call `touch` when data arrives, and `stop` at the end. */
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

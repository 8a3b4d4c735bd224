/** Watches the event loop. */
export interface TurnWatch extends Disposable {
  /** Longest processor time of this thread between two turns, in milliseconds, independent of other programs. */
  readonly longest: number;
}

/** Measures the longest turn of the event loop from now on. */
export function longestTurn(): TurnWatch {
  let longest = 0;
  let before = process.threadCpuUsage();
  const timer = setInterval(() => {
    const { user, system } = process.threadCpuUsage(before);
    longest = Math.max(longest, (user + system) / 1_000);
    before = process.threadCpuUsage();
  }, 1);
  return {
    get longest() {
      return longest;
    },
    [Symbol.dispose]() {
      clearInterval(timer);
    },
  };
}

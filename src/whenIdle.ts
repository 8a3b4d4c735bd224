/**
 * Runs steps one by one while the extension host is idle, with a pause before each. The host is busy if the timer ends late
 * by more than `lateness`; both are in milliseconds. Returns a disposable that prevents further steps. Failures are ignored:
 * what a step prepares is loaded again when it is needed.
 */
export function whenIdle(
  steps: readonly (() => Promise<unknown>)[],
  { pause, lateness } = { pause: 250, lateness: 50 },
): { dispose(): void } {
  const remaining = [...steps];
  let timer: NodeJS.Timeout | undefined;
  const schedule = (): void => {
    const due = performance.now() + pause;
    timer = setTimeout(() => {
      if (performance.now() - due > lateness) schedule();
      else void runNext();
    }, pause);
  };
  const runNext = async (): Promise<void> => {
    await remaining
      .shift()?.()
      .catch(() => undefined);
    if (remaining.length > 0) schedule();
  };
  schedule();
  return {
    dispose: () => {
      clearTimeout(timer);
      remaining.length = 0;
    },
  };
}

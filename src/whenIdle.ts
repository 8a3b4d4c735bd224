/**
 * Runs steps one after the other in an extension host that has nothing else to do, with a pause before each. A timer of a
 * busy host ends late: by more than `lateness`; both are in milliseconds. Returns a disposable that stops before the next
 * step. A step that fails is the problem of whoever needs it later.
 */
export function whenIdle(
  steps: readonly (() => Promise<unknown>)[],
  { pause, lateness } = { pause: 1_000, lateness: 50 },
): { dispose(): void } {
  const left = [...steps];
  let timer: NodeJS.Timeout | undefined;
  const wait = (): void => {
    const due = performance.now() + pause;
    timer = setTimeout(() => {
      if (performance.now() - due > lateness) wait();
      else void take();
    }, pause);
  };
  const take = async (): Promise<void> => {
    await left
      .shift()?.()
      .catch(() => undefined);
    if (left.length > 0) wait();
  };
  wait();
  return {
    dispose: () => {
      clearTimeout(timer);
      left.length = 0;
    },
  };
}

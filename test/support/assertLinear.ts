import assert from "node:assert/strict";

/**
 * Minimum processor time that counts as a measurement, in milliseconds. Shorter times are dominated by the clock and
 * the compiler.
 */
const least = 40;

/** Asserts linear time: twice the input takes about twice as long, never four times, in the best of three runs. */
export function assertLinear(work: (size: number) => void, size: number, name = "it"): void {
  let [once, twice] = [0, Infinity];
  for (let tries = 0; tries < 3 && twice >= 3 * Math.max(once, least); tries += 1) {
    once = processorTime(() => {
      work(size);
    });
    twice = processorTime(() => {
      work(2 * size);
    });
  }
  assert.ok(twice < 3 * Math.max(once, least), `${name}: ${once} ms became ${twice} ms`);
}

/** Processor time of some work, in milliseconds, independent of the machine's load. */
export function processorTime(work: () => void): number {
  const { user } = process.cpuUsage();
  work();
  return (process.cpuUsage().user - user) / 1000;
}

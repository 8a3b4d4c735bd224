import assert from "node:assert/strict";

/** Less than this, in milliseconds of processor time, is no measure: the clock and the compiler have their share. */
const least = 40;

/** Asserts that a work on input of twice the size takes about twice the time, never four times, in the best of three tries. */
export function assertLinear(work: (size: number) => void, size: number): void {
  let [once, twice] = [0, Infinity];
  for (let tries = 0; tries < 3 && twice >= 3 * Math.max(once, least); tries += 1) {
    once = processorTime(() => {
      work(size);
    });
    twice = processorTime(() => {
      work(2 * size);
    });
  }
  assert.ok(twice < 3 * Math.max(once, least), `${once} ms became ${twice} ms`);
}

/** The time that a processor works on something, in milliseconds, however much else the machine has to do meanwhile. */
export function processorTime(work: () => void): number {
  const { user } = process.cpuUsage();
  work();
  return (process.cpuUsage().user - user) / 1000;
}

/**
 * Hands out batches item by item. By hand, because an item takes longer through a chain of async generators than
 * through the parsers: long streams would arrive a third more slowly.
 */
export function eachPart<T>(batches: AsyncGenerator<readonly T[], void>): AsyncIterableIterator<T, undefined> {
  let batch: readonly T[] = [];
  let index = 0;

  async function nextBatch(): Promise<IteratorResult<T, undefined>> {
    for (;;) {
      const result = await batches.next();
      if (result.done) return { done: true, value: undefined };
      batch = result.value;
      index = 1;
      const [first] = batch;
      if (first !== undefined) return { done: false, value: first };
    }
  }

  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    next() {
      const value = batch[index++];
      return value === undefined ? nextBatch() : Promise.resolve({ done: false, value });
    },
    async return() {
      batch = [];
      await batches.return();
      return { done: true, value: undefined };
    },
  };
}

/**
 * Processes items two at a time and returns the results in order. Has no dependency on VS Code, so unit tests can load
 * it.
 */
export async function twoAtATime<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  const left = items.entries();
  const next = async (): Promise<void> => {
    for (const [index, item] of left) results[index] = await work(item);
  };
  await Promise.all([next(), next()]);
  return results;
}

/** Works on every item, two at a time, and gives the results in the order of the items. On its own to be tested without VS Code. */
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

/**
 * A name for each repository by its root: the folder's name, with as many parent folders as it takes to tell it from the
 * others. Worktrees and submodules often have the name of the repository itself.
 */
export function repositoryNames(roots: readonly string[]): ReadonlyMap<string, string> {
  const paths = [...new Set(roots)].map((root) => ({
    root,
    parts: root.split(/[\\/]+/).filter((part) => part !== ""),
  }));
  const suffix = (parts: readonly string[], count: number): string => parts.slice(-count).join("/");
  return new Map(
    paths.map(({ root, parts }) => {
      const others = paths.filter((path) => path.root !== root);
      const isTaken = (count: number): boolean =>
        others.some((other) => suffix(other.parts, count) === suffix(parts, count));
      let count = 1;
      while (count < parts.length && isTaken(count)) count += 1;
      return [root, suffix(parts, count)];
    }),
  );
}

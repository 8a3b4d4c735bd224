import { statSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../../scripts/paths.ts";

/** Test files in the order in which processes should take them: long files mostly have the tests that take long. */
export function longestFirst(files: readonly string[]): readonly string[] {
  const sizes = new Map(files.map((file) => [file, statSync(join(root, file)).size]));
  return files.toSorted((one, other) => (sizes.get(other) ?? 0) - (sizes.get(one) ?? 0));
}

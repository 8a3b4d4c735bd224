import { caseOf } from "../case.ts";
import type { Draft } from "../draft.ts";
import type { Random } from "../random.ts";
import { type Damage, damage, hunkFormats } from "./damage.ts";

const named = [...hunkFormats, "wholeFile"] as const;

/** Paths as models write them, and paths that lead out of the workspace. */
export const pathDamages: readonly Damage[] = [
  damage(
    "path with a/ or b/",
    named,
    withPath((path, random) => random.pick(["a/", "b/"]) + path),
  ),
  damage(
    "path with ./",
    named,
    withPath((path) => `./${path}`),
  ),
  damage(
    "path in quotes",
    named,
    withPath((path, random) => random.pick([`"${path}"`, `'${path}'`, `\`${path}\``])),
  ),
  damage(
    "path with backslashes",
    named,
    withPath((path) => path.replaceAll("/", "\\")),
  ),
  damage("no path, but lines in question", ["searchReplace", "diff"], (draft, random) => {
    const [start, end] = [draft.chunks[0]?.start ?? 0, draft.chunks.at(-1)?.end ?? 0];
    return caseOf({ ...draft, asked: { start, end }, manner: { pathForm: "none" } }, random);
  }),
  damage("only the name of the file", named, (draft, random) =>
    caseOf(pathed(draft, draft.path.slice(draft.path.lastIndexOf("/") + 1)), random, { expectation: "mayLand" }),
  ),
  damage("path outside the workspace", named, (draft, random) => {
    const path = draft.edit.path;
    const outside = [
      `../${path}`,
      `/${path}`,
      `C:\\${path}`,
      `C:/${path}`,
      `a/../../${path}`,
      `..\\${path}`,
      `\\\\server\\share\\${path}`,
      `//server/${path}`,
      `${path}\0`,
      `./../${path}`,
    ] as const;
    return caseOf(pathed(draft, random.pick(outside)), random, { expectation: "refused" });
  }),
];

function withPath(change: (path: string, random: Random) => string): Damage["harm"] {
  return (draft, random) => caseOf(pathed(draft, change(draft.path, random)), random);
}

function pathed(draft: Draft, path: string): Draft {
  return { ...draft, path, manner: { pathForm: "plain" } };
}

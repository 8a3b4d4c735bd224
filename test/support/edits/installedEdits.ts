import { globSync, readFileSync, statSync } from "node:fs";
import { extname, join } from "node:path";
import { root } from "../../../scripts/paths.ts";
import { readFileText, type RealEdit } from "./edit.ts";
import { inventHunks } from "./inventHunks.ts";
import { Random } from "./random.ts";

/** How many edits each language gives at most. */
const quotas: Readonly<Record<string, number>> = {
  ".ts": 70, ".js": 60, ".mjs": 24, ".cjs": 16, ".mts": 10, ".cts": 10, ".css": 12, ".md": 40, ".json": 20,
  ".h": 24, ".c": 6, ".cc": 6, ".py": 8, ".sh": 8, ".yml": 6, ".html": 4, ".go": 2,
}; // prettier-ignore

/** Edits made up for sources of installed packages. Nothing of these sources is kept in this repository. */
export function installedEdits(count: number): readonly RealEdit[] {
  const modules = join(root, "node_modules");
  const found = globSync("**/*.{ts,js,mjs,cjs,mts,cts,css,md,json,h,c,cc,py,sh,yml,html,go}", { cwd: modules });
  const paths = found
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => !path.startsWith("."))
    .sort();
  const random = new Random("installed");
  const languages: (readonly RealEdit[])[] = [];
  for (const [extension, quota] of Object.entries(quotas)) {
    const candidates = random.shuffle(paths.filter((path) => extname(path) === extension)).values();
    const tried = candidates.map((path) => editsOf(modules, path, extension)).filter(({ length }) => length > 0);
    const files = [...tried.take(quota)];
    // A second edit of the same file only where a language has few files.
    languages.push([0, 1, 2, 3].flatMap((version) => files.flatMap((edits) => edits[version] ?? [])).slice(0, quota));
  }
  // One of each language in turn, so that all are there however few are wanted.
  const rounds = Array.from({ length: Math.max(...Object.values(quotas)) }, (_, round) => round);
  return rounds.flatMap((round) => languages.flatMap((edits) => edits.slice(round, round + 1))).slice(0, count);
}

/** Several edits of the same file, each on its own, where a language has few files. */
function editsOf(modules: string, path: string, extension: string): readonly RealEdit[] {
  const { size } = statSync(join(modules, path));
  if (size < 300 || size > 120_000) return [];
  const file = readFileText(readFileSync(join(modules, path), "utf8"));
  if (!file || file.lines.length < 12) return [];
  return [1, 2, 3, 4].flatMap((version): RealEdit[] => {
    const hunks = inventHunks(file.lines, extension, new Random(`${path} ${version}`));
    return hunks.length > 0 ? [{ source: "installed", path: `vendor/${path}`, ...file, hunks }] : [];
  });
}

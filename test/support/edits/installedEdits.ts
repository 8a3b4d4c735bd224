import { globSync, readFileSync, statSync } from "node:fs";
import { extname, join } from "node:path";
import { root } from "../host/paths.ts";
import { readFileText, type RealEdit } from "./edit.ts";
import { inventHunks } from "./inventHunks.ts";
import { Random } from "./random.ts";

/** How many edits each language gives at most. */
const quotas: Readonly<Record<string, number>> = {
  ".ts": 40, ".js": 30, ".mjs": 14, ".cjs": 10, ".mts": 6, ".cts": 6, ".css": 12, ".md": 24, ".json": 12,
  ".h": 14, ".c": 6, ".cc": 6, ".py": 8, ".sh": 8, ".yml": 6, ".html": 4, ".go": 2,
}; // prettier-ignore

/** Edits made up for sources of installed packages. Nothing of these sources is kept in this repository. */
export function installedEdits(count: number): readonly RealEdit[] {
  const modules = join(root, "node_modules");
  const files = globSync("**/*.{ts,js,mjs,cjs,mts,cts,css,md,json,h,c,cc,py,sh,yml,html,go}", { cwd: modules });
  const paths = files
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => !path.startsWith("."))
    .sort();
  const random = new Random("installed");
  const edits: RealEdit[] = [];
  for (const [extension, quota] of Object.entries(quotas)) {
    const candidates = random.shuffle(paths.filter((path) => extname(path) === extension)).slice(0, quota * 6);
    const found = candidates.flatMap((path) => editsOf(modules, path, extension));
    const first = new Set(found.filter(({ path }, index) => found.findIndex((other) => other.path === path) === index));
    edits.push(...[...first, ...found.filter((edit) => !first.has(edit))].slice(0, quota));
  }
  return random.shuffle(edits).slice(0, count);
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

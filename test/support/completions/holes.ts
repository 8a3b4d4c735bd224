import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A piece cut from a real file: what a completion there should say. */
export interface Hole {
  readonly path: string;
  readonly languageId: string;
  readonly kind: "rest" | "closers" | "line" | "lines" | "column" | "body" | "word";
  readonly prefix: string;
  readonly text: string;
  readonly suffix: string;
}

const root = join(import.meta.dirname, "../../..");

/** Real files by language: of this project and of what it is developed with. */
const sources: readonly (readonly [languageId: string, pattern: string])[] = [
  ["typescript", "src/**/*.ts"],
  ["typescript", "node_modules/{zod,hono,eventsource-parser,openai}/src/**/*.ts"],
  ["javascript", "node_modules/{undici,mocha,braces,micromatch,commander,jszip}/lib/**/*.js"],
  ["css", "node_modules/mocha/*.css"],
  ["css", "node_modules/playwright-core/lib/vite/**/xtermModule*.css"],
  ["html", "node_modules/{playwright-core,argparse,mocha,@vscode,diff,marked,pako}/**/*.html"],
  ["python", "node_modules/**/*.py"],
  ["c", "node_modules/node/node_modules/*/include/node/{uv,zlib,zconf,node_api,js_native_api,uv/*}.h"],
  [
    "cpp",
    "node_modules/node/node_modules/*/include/node/{node,v8-array-buffer,v8-date,v8-function,v8-object,node_object_wrap}.h",
  ],
  ["json", "node_modules/{undici,openai,mocha,prettier,eslint,ajv}/package.json"],
  ["json", "node_modules/ajv/lib/refs/*.json"],
  ["yaml", "node_modules/**/.github/**/*.yml"],
  ["go", "node_modules/**/*.go"],
  ["php", "node_modules/**/*.php"],
  ["shellscript", "node_modules/**/*.sh"],
  ["markdown", "node_modules/{commander,diff,marked,undici,fast-check}/*.md"],
];

/**
 * Cuts a number of holes from the files of each language. The same lines are chosen as long as they stand in a file,
 * whatever else changes; another seed chooses others.
 */
export function cutHoles(
  perLanguage: number,
  isWanted: (path: string) => boolean = () => true,
  seed = 0,
): readonly Hole[] {
  const byLanguage = new Map<string, string[]>();
  for (const [languageId, pattern] of sources) {
    const found = globSync(pattern, { cwd: root, exclude: (path) => path.endsWith(".d.ts") }).toSorted();
    const paths = found.filter((path) => isWanted(path) && !path.includes(".min."));
    byLanguage.set(languageId, [...(byLanguage.get(languageId) ?? []), ...paths]);
  }
  return [...byLanguage].flatMap(([languageId, paths]) => holesIn(languageId, paths, perLanguage, seed));
}

/** Takes the lines whose hashes are the least, no more than a few of each file. */
function holesIn(languageId: string, paths: readonly string[], count: number, seed: number): readonly Hole[] {
  const places = paths.flatMap((path) => {
    const text = readFileSync(join(root, path), "utf8").replaceAll("\r\n", "\n");
    const lines = text.split("\n");
    return lines
      .map((line, at) => ({
        path,
        text,
        at,
        hash: hashOf(`${seed} ${line.slice(0, 300)} ${lines[at - 1]?.slice(0, 300) ?? ""}`),
      }))
      .slice(1, -2)
      .toSorted((one, other) => one.hash - other.hash)
      .slice(0, Math.max(40, Math.ceil((count * 10) / paths.length)));
  });
  const holes: Hole[] = [];
  for (const { path, text, at, hash } of places.toSorted((one, other) => one.hash - other.hash)) {
    if (holes.length === count) break;
    const hole = cut(path, languageId, text, at, numbers(hash));
    if (hole) holes.push(hole);
  }
  return holes;
}

function hashOf(text: string): number {
  let hash = 2_166_136_261;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 16_777_619);
  hash = Math.imul(hash ^ (hash >>> 15), 2_246_822_507);
  return (hash ^ (hash >>> 13)) >>> 0;
}

const kinds = ["rest", "closers", "line", "lines", "column", "body", "word"] as const;

function cut(
  path: string,
  languageId: string,
  text: string,
  at: number,
  random: (below: number) => number,
): Hole | undefined {
  const lines = text.split("\n");
  const line = lines[at] ?? "";
  const indent = /^[ \t]*/.exec(line)?.[0].length ?? 0;
  if (line.trim().length < 4 || line.length > 300) return undefined;
  const start = lines.slice(0, at).join("\n").length + 1;
  const make = (kind: Hole["kind"], from: number, to: number): Hole | undefined => {
    const hole = {
      path,
      languageId,
      kind,
      prefix: text.slice(0, from),
      text: text.slice(from, to),
      suffix: text.slice(to),
    };
    return /\w/.test(hole.text) && hole.text.trim().length > 2 ? hole : undefined;
  };
  const kind = kinds[random(kinds.length)] ?? "line";
  const count = 1 + random(8);
  const until = (first: number) => lines.slice(0, first + count).join("\n").length;
  const isEnd = (first: number) => (lines[first + count - 1] ?? "").trim() !== "";
  if (kind === "line") return make(kind, start + indent, start + line.length);
  if (kind === "lines") return isEnd(at) ? make(kind, start + indent, until(at)) : undefined;
  if (kind === "column")
    return isEnd(at) && (lines[at + count] ?? "").trim() !== "" ? make(kind, start, until(at) + 1) : undefined;
  if (kind === "body")
    return /[{:]$/.test(line) && lines[at + 1]?.trim() !== "" && isEnd(at + 1)
      ? make(kind, start + line.length, until(at + 1))
      : undefined;
  const places = [
    ...line.matchAll(kind === "word" ? /(?<=\w{2})\B(?=\w)/g : /(?<=[ .(=,])(?=\S)|(?<=\w)(?=[ .(])/g),
  ].map(({ index }) => index);
  const column = places.filter((one) => one > indent)[random(places.length)];
  if (column === undefined) return undefined;
  const end = kind === "closers" ? line.length - (/[)\]};,"'>]+$/.exec(line)?.[0].length ?? 0) : line.length;
  return column < end - 1 ? make(kind, start + column, start + end) : undefined;
}

/** Numbers that look random and are the same in each run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

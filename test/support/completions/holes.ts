import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../../scripts/paths.ts";
import { chance, seedOf } from "../random.ts";

/** A piece cut from a real file: what a completion there should say. */
export interface Hole {
  readonly path: string;
  readonly languageId: string;
  readonly prefix: string;
  readonly text: string;
  readonly suffix: string;
}

/** Real files by language, of packages whose versions are pinned, so that no commit changes the holes. */
const sources: Readonly<Record<string, readonly string[]>> = {
  typescript: ["node_modules/{zod,eventsource-parser,openai}/src/**/*.ts"],
  javascript: ["node_modules/{undici,mocha,braces,micromatch,commander,jszip}/lib/**/*.js"],
  css: ["node_modules/mocha/*.css", "node_modules/playwright-core/lib/vite/**/xtermModule*.css"],
  html: ["node_modules/{playwright-core,argparse,mocha,@vscode,diff,marked,pako}/**/*.html"],
  python: ["node_modules/**/*.py"],
  c: ["node_modules/node/node_modules/*/include/node/{uv,zlib,zconf,node_api,js_native_api,uv/*}.h"],
  cpp: ["node_modules/node/node_modules/*/include/node/{node,v8-date,v8-function,v8-object,node_object_wrap}.h"],
  json: ["node_modules/{undici,openai,mocha,prettier,eslint,ajv}/package.json", "node_modules/ajv/lib/refs/*.json"],
  yaml: ["node_modules/**/.github/**/*.yml"],
  go: ["node_modules/**/*.go"],
  php: ["node_modules/**/*.php"],
  shellscript: ["node_modules/**/*.sh"],
  markdown: ["node_modules/{commander,diff,marked,undici,fast-check}/*.md"],
};

/**
 * Cuts a number of holes from the files of each language. The same lines are chosen as long as they stand in a file,
 * whatever else changes; another seed chooses others.
 */
export function cutHoles(perLanguage: number, seed = 0): readonly Hole[] {
  return Object.entries(sources).flatMap(([languageId, patterns]) => {
    const paths = globSync(patterns, { cwd: root, exclude: (path) => /\.d\.ts$|\.min\./.test(path) });
    const fromEach = Math.max(40, Math.ceil((perLanguage * 10) / paths.length));
    const holes = paths.toSorted().flatMap((path) => holesIn(path, languageId, seed, fromEach));
    return inOrder(holes).slice(0, perLanguage);
  });
}

/** What is cut at some lines of a file. The order depends on the line alone. */
function holesIn(path: string, languageId: string, seed: number, most: number): readonly (Hole & Ordered)[] {
  const text = readFileSync(join(root, path), "utf8").replaceAll("\r\n", "\n");
  const lines = text.split("\n");
  const places = lines.map((line, at) => ({
    at,
    order: seedOf(`${seed} ${line.slice(0, 300)} ${lines[at - 1]?.slice(0, 300) ?? ""}`),
  }));
  const chosen = inOrder(places.slice(1, -2)).slice(0, most);
  return chosen.flatMap(({ at, order }) => {
    const [from, to] = cut(lines, at, chance(order));
    const hole = { path, languageId, prefix: text.slice(0, from), text: text.slice(from, to), suffix: text.slice(to) };
    return /\w/.test(hole.text) && hole.text.trim().length > 2 ? [{ ...hole, order }] : [];
  });
}

interface Ordered {
  readonly order: number;
}

function inOrder<T extends Ordered>(list: readonly T[]): readonly T[] {
  return list.toSorted((one, other) => one.order - other.order);
}

/** Where a piece starts and ends: the rest of a line, with or without its closers, whole lines, or the body of a block. */
function cut(lines: readonly string[], at: number, random: () => number): readonly [from: number, to: number] {
  const line = lines[at] ?? "";
  const start = lines.slice(0, at).join("\n").length + 1;
  const end = start + line.length;
  const indent = /^[ \t]*/.exec(line)?.[0].length ?? 0;
  const choose = (below: number) => Math.floor(random() * below);
  if (line.trim().length < 4 || line.length > 300) return [0, 0];
  const kind = choose(7);
  const count = 1 + choose(8);
  const hasText = (index: number) => (lines[index] ?? "").trim() !== "";
  const endOf = (last: number) => lines.slice(0, last + 1).join("\n").length;
  if (kind === 0) return [start + indent, end];
  if (kind === 1) return hasText(at + count - 1) ? [start + indent, endOf(at + count - 1)] : [0, 0];
  if (kind === 2) return hasText(at + count - 1) && hasText(at + count) ? [start, endOf(at + count - 1) + 1] : [0, 0];
  if (kind === 3) {
    const isBody = /[{:]$/.test(line) && hasText(at + 1) && hasText(at + count);
    return isBody ? [end, endOf(at + count)] : [0, 0];
  }
  const borders = kind === 4 ? /(?<=\w{2})\B(?=\w)/g : /(?<=[ .(=,])(?=\S)|(?<=\w)(?=[ .(])/g;
  const places = [...line.matchAll(borders)].map(({ index }) => index).filter((place) => place > indent);
  const place = places[choose(places.length)] ?? line.length;
  const closers = kind === 5 ? (/[)\]};,"'>]+$/.exec(line)?.[0].length ?? 0) : 0;
  return place < line.length - closers - 1 ? [start + place, end - closers] : [0, 0];
}

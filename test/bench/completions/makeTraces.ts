import { readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { root } from "../../../scripts/paths.ts";
import { randomNumbers } from "./random.ts";
import type { Step, Trace, TypedHole } from "./trace.ts";

/*
 * `node test/bench/completions/makeTraces.ts` makes the sessions of typing anew. They are modeled, not recorded: real
 * code, typed in a rhythm with these properties of published measurements:
 *
 * - The time between keys is skewed to the right, with a mean near 240 ms, and about 6 % of the keys are backspaces:
 *   Dhakal et al., "Observations on Typing from 136 Million Keystrokes", CHI 2018.
 * - Keys inside a word are faster than those at its borders, and Enter is slower than other keys of programmers:
 *   Thomas et al., "An investigation into keystroke latency metrics as an indicator of programming performance", ACE
 *   2005, and Frontiers in Computer Science 6:1412458, 2024.
 * - Programmers pause for 2 to 15 s to think about the next piece of code, and sometimes for 15 s to 3 min to plan:
 *   Shrestha et al., "Pausing While Programming", ICSE-SEET 2022.
 *
 * The constants below are chosen to agree with these, they are in none of the papers.
 */

const sources = [
  { path: "src/git/review/placeFindings.ts", languageId: "typescript", seed: 1 },
  { path: "src/edits/replaceWhole.ts", languageId: "typescript", seed: 2 },
  { path: "esbuild.mjs", languageId: "javascript", seed: 3 },
];
/** Keystrokes in a session, at least. */
const leastKeys = 1_000;
/** The holes are whole bodies of this length, in characters, filled from the top of the file. */
const [shortestHole, longestHole] = [60, 800];
const slipRate = 0.07;

type Border = "word" | "border" | "enter" | "line";

/** The median in milliseconds and the spread of the logarithm. */
const rhythm: Readonly<Record<Border, readonly [median: number, spread: number]>> = {
  word: [135, 0.4],
  border: [210, 0.6],
  enter: [330, 0.7],
  line: [450, 0.8],
};
/** How often a key comes after a hesitation of 0.6 to 2 s, after thinking for 2 to 15 s, and after planning. */
const pauses: Readonly<Record<Border, readonly [hesitates: number, thinks: number, plans: number]>> = {
  word: [0.004, 0.0005, 0],
  border: [0.06, 0.03, 0.001],
  enter: [0.06, 0.04, 0.002],
  line: [0.15, 0.25, 0.02],
};

for (const { path, languageId, seed } of sources) {
  const random = randomNumbers(seed);
  const { start, holes } = cut(readFileSync(join(root, path), "utf8"));
  const steps = holes.flatMap((hole, index) => [...typeHole(hole, index, random)]);
  const trace: Trace = { path, languageId, seed, start, holes, steps };
  const name = `${basename(path).replace(/\W/g, "-")}.json`;
  const lines = JSON.stringify({ ...trace, steps: [] }, undefined, 1).replace(
    '"steps": []',
    `"steps": [\n${steps.map((step) => JSON.stringify(step)).join(",\n")}\n]`,
  );
  writeFileSync(join(import.meta.dirname, "traces", name), `${lines}\n`);
  console.log(name, summary(steps));
}

/** Takes the bodies of functions and the like out of a file, until enough is to be typed. */
function cut(text: string): Pick<Trace, "start" | "holes"> {
  const holes: TypedHole[] = [];
  const pattern = /(?<=\n( {0,4})(?:\S.*)?[{([])\n(?:\1 +.*\n|\n)+(?=\1[}\])])/g;
  let [start, from, amount] = ["", 0, 0];
  while (amount < leastKeys) {
    const body = pattern.exec(text);
    if (!body) break;
    const typed = body[0].slice(0, -1);
    if (typed.length > longestHole) pattern.lastIndex = body.index + 1;
    if (typed.length < shortestHole || typed.length > longestHole) continue;
    start += text.slice(from, body.index);
    from = body.index + typed.length;
    holes.push({ at: body.index, text: typed });
    amount += typed.replace(/\n +/g, "\n").length;
  }
  return { start: start + text.slice(from), holes };
}

function* typeHole({ text }: TypedHole, index: number, random: () => number): Generator<Step> {
  yield { after: Math.round(2_000 + 6_000 * random()), hole: index };
  let last = "\n";
  for (const [key] of text.matchAll(/\n *|[^\n]/g)) {
    const border = borderOf(last, key);
    if (border === "word" && /[a-z]/.test(key) && random() < slipRate) yield* slip(key, random);
    yield { after: wait(border, random), insert: key };
    last = key;
  }
}

function borderOf(last: string, key: string): Border {
  if (key.startsWith("\n")) return "enter";
  if (last.startsWith("\n")) return "line";
  return /\w/.test(last) && /\w/.test(key) ? "word" : "border";
}

/** A wrong key, which is noticed at once or a few keys later, and taken back. */
function* slip(key: string, random: () => number): Generator<Step> {
  const wrong = String.fromCharCode(97 + Math.floor(random() * 26));
  const more = random() < 0.5 ? 0 : Math.floor(random() * 3);
  const keys = [wrong === key ? "q" : wrong, ...Array.from({ length: more }, () => "e")];
  for (const insert of keys) yield { after: wait("word", random), insert };
  yield { after: between(250, 1_200, random), backspace: true };
  for (let back = 1; back < keys.length; back += 1) yield { after: wait("word", random), backspace: true };
}

function wait(border: Border, random: () => number): number {
  const [hesitates, thinks, plans] = pauses[border];
  const choice = random();
  if (choice < plans) return between(15_000, 60_000, random);
  if (choice < plans + thinks) return between(2_000, 15_000, random);
  if (choice < plans + thinks + hesitates) return between(600, 2_000, random);
  const [median, spread] = rhythm[border];
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return Math.max(30, Math.round(median * Math.exp(spread * normal)));
}

/** Short pauses are more frequent than long ones. */
function between(least: number, most: number, random: () => number): number {
  return Math.round(least * (most / least) ** random());
}

function summary(steps: readonly Step[]): string {
  const keys = steps.filter((step) => !("hole" in step));
  const quick = keys.map(({ after }) => after).filter((after) => after < 2_000);
  const mean = quick.reduce((sum, after) => sum + after, 0) / quick.length;
  const backspaces = keys.filter((step) => "backspace" in step).length / keys.length;
  const long = keys.length - quick.length;
  return `${keys.length} keys, ${mean.toFixed(0)} ms apart, ${long} pauses, ${(100 * backspaces).toFixed(1)} % backspaces`;
}

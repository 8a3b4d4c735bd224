import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../../scripts/paths.ts";
import type { CursorContext } from "../../../src/completions/cleaning/context.ts";
import { chance } from "../../support/random.ts";

/*
 * Sessions of typing, modeled and not recorded: real code of dependencies, typed in a rhythm with these properties of
 * published measurements. The same for a seed and the versions of the dependencies.
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
  { path: "node_modules/openai/src/lib/AssistantStream.ts", languageId: "typescript", seed: 1 },
  { path: "node_modules/zod/src/v4/core/util.ts", languageId: "typescript", seed: 2 },
  { path: "node_modules/mocha/lib/runner.js", languageId: "javascript", seed: 3 },
];
/** Characters that are typed in a session, at least. */
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

/** One key: how long after the last one it comes, in milliseconds, and the file then. */
export interface Step {
  readonly after: number;
  readonly context: CursorContext;
  /** The text that will be typed from here; `undefined` while there is a typo. */
  readonly rest: string | undefined;
  /** Whether the cursor has moved elsewhere instead. */
  readonly isMove: boolean;
}

/** All sessions. `padding` comes before the text of the files, to make them longer. */
export function typedSessions(padding = ""): readonly Iterable<Step>[] {
  return sources.map(({ path, languageId, seed }) => {
    const text = padding + readFileSync(join(root, path), "utf8");
    return session(text, padding.length, languageId, chance(seed));
  });
}

/** Types the bodies of functions and the like, which the file does not have before, until enough is typed. */
function* session(text: string, from: number, languageId: string, random: () => number): Generator<Step> {
  const holes = bodiesIn(text, from);
  for (const [index, { start, end }] of holes.entries()) {
    const before = text.slice(0, start);
    const later = holes.slice(index + 1);
    const parts = [{ end }, ...later].map((hole, at) => text.slice(hole.end, later[at]?.start ?? text.length));
    const suffix = parts.join("");
    const body = text.slice(start, end);
    let typed = "";
    const stepTo = (now: string, after: number, isMove = false): Step => {
      typed = now;
      const rest = body.startsWith(typed) ? body.slice(typed.length) : undefined;
      return { after, context: { prefix: before + typed, suffix, languageId }, rest, isMove };
    };
    yield stepTo("", Math.round(2_000 + 6_000 * random()), true);
    let lastKey = "\n";
    for (const [key] of body.matchAll(/\n *|[^\n]/g)) {
      const border = borderOf(lastKey, key);
      if (border === "word" && /[a-z]/.test(key) && random() < slipRate) {
        // A wrong key, which is noticed at once or a few keys later, and taken back.
        const right = typed;
        const wrong = (key === "q" ? "x" : "q") + "e".repeat(random() < 0.5 ? 0 : Math.floor(random() * 3));
        for (const one of wrong) yield stepTo(typed + one, wait("word", random));
        yield stepTo(typed.slice(0, -1), between(250, 1_200, random));
        while (typed.length > right.length) yield stepTo(typed.slice(0, -1), wait("word", random));
      }
      yield stepTo(typed + key, wait(border, random));
      lastKey = key;
    }
  }
}

function bodiesIn(text: string, from: number): readonly { readonly start: number; readonly end: number }[] {
  const holes: { readonly start: number; readonly end: number }[] = [];
  const pattern = /(?<=\n( {0,4})(?:\S.*)?[{([])\n(?:\1 +.*\n|\n)+(?=\1[}\])])/g;
  pattern.lastIndex = from;
  for (let amount = 0; amount < leastKeys;) {
    const body = pattern.exec(text);
    if (!body) break;
    const typed = body[0].slice(0, -1);
    if (typed.length > longestHole) pattern.lastIndex = body.index + 1;
    if (typed.length < shortestHole || typed.length > longestHole) continue;
    holes.push({ start: body.index, end: body.index + typed.length });
    amount += typed.replace(/\n +/g, "\n").length;
  }
  return holes;
}

function borderOf(last: string, key: string): Border {
  if (key.startsWith("\n")) return "enter";
  if (last.startsWith("\n")) return "line";
  return /\w/.test(last) && /\w/.test(key) ? "word" : "border";
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

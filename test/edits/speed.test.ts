import assert from "node:assert/strict";
import { resolveEdits } from "../../src/edits/resolveEdits.ts";
import { assertLinear, processorTime } from "../support/assertLinear.ts";

type Input = Parameters<typeof resolveEdits>;

/** The longest processor time that an answer of 2,000 lines about a file of 20,000 may take, in milliseconds. */
const limit = 500;

const path = "src/long.ts";

describe("the time for an answer of 2,000 lines about a file of 20,000", () => {
  for (const [title, input] of Object.entries(largeInputs())) {
    it(`is short for ${title}`, () => {
      const { changes, problems } = resolveEdits(...input);
      assert.deepEqual(problems, []);
      assert.equal(changes.length, 1);
      let time = Infinity;
      for (let tries = 0; tries < 5 && time >= limit; tries += 1) time = processorTime(() => resolveEdits(...input));
      assert.ok(time < limit, `${time.toFixed(0)} ms`);
    });
  }
});

describe("the time for hostile answers and files", () => {
  for (const [title, input] of Object.entries(hostileInputs())) {
    it(`is linear for ${title}`, () => {
      assertLinear((size) => resolveEdits(...input(size)), 10_000);
    });
  }
});

function largeInputs(): Readonly<Record<string, Input>> {
  const lines = numbered(20_000, (line) => `  const value${line} = compute(${line % 7}, "${line % 13}");`);
  const changed = (line: number): string => `  const value${line} = computeOnce(${line});`;
  const starts = numbered(200, (index) => index * 97 + 11);
  const old = (start: number, count: number): readonly string[] => lines.slice(start, start + count);
  const blocks = starts.map((start) => searchReplace(old(start, 4), [lines[start] ?? "", changed(start + 1)]));
  const hunks = starts.flatMap((start) => [
    "@@",
    ...old(start, 3).map((line) => ` ${line}`),
    `-${lines[start + 3] ?? ""}`,
    ...numbered(3, (index) => `+${changed(start + index)}`),
    ...old(start + 4, 2).map((line) => ` ${line}`),
  ]);
  const files = new Map([[path, lines.join("\n")]]);
  const asked = { path, start: 8_000, end: 10_000 };
  const region = numbered(2_000, (index) => (index % 3 === 0 ? changed(index) : (lines[8_000 + index] ?? "")));
  return {
    "SEARCH/REPLACE": [fenced(`ts ${path}`, blocks.join("\n")), files],
    "a diff": [fenced("diff", [`--- a/${path}`, `+++ b/${path}`, ...hunks].join("\n")), files],
    "a replacement": [fenced("ts replace", region.join("\n")), files, asked],
  };
}

function hostileInputs(): Readonly<Record<string, (size: number) => Input>> {
  const about = (lines: readonly string[], answer: string): Input => [answer, new Map([[path, lines.join("\n")]])];
  const same = (size: number, line = "x"): readonly string[] => Array<string>(size).fill(line);
  const block = (old: readonly string[]): string => fenced(`ts ${path}`, searchReplace(old, ["y"]));
  const many = (size: number, old: readonly string[]): string =>
    fenced(`ts ${path}`, same(size / 10, searchReplace(old, ["y"])).join("\n"));
  const small = ["a", "b", "c"];
  return {
    "lines that repeat in pairs": (size) => about(same(size / 2, "a\nb"), block([...same(size / 4, "a\nb"), "b"])),
    "many hunks for many places": (size) => about(same(size), many(size, ["x", "x", "x"])),
    "many hunks for no place": (size) => about(same(size), many(size, ["x", "x", "nowhere"])),
    "a long comment": (size) => about(small, block([`/*${" *".repeat(size * 5)}`, `<!--${" -".repeat(size * 5)}`])),
    "comments that open": (size) => about(small, same(size, "<!-- a").join("\n")),
    "a whole file of few different lines": (size) => {
      const text = numbered(size, (index) => small[(index * index) % 3] ?? "").join("\n");
      return about(
        numbered(size, (index) => small[index % 3] ?? ""),
        fenced(`ts ${path}`, text),
      );
    },
    "many lines after @@": (size) => about(same(size, "class A {"), patch([...same(size, "@@ class A {"), "-x", "+y"])),
    "many lines of Python that are indented less": (size) => {
      const lines = numbered(size, (index) => `        x${index}`);
      const hunks = numbered(size / 10, (index) => `@@\n ${lines[index * 10] ?? ""}\n+    y`);
      return [patch(["*** Update File: a.py", ...hunks]), new Map([["a.py", lines.join("\n")]])];
    },
  };
}

function searchReplace(old: readonly string[], changed: readonly string[]): string {
  return ["<<<<<<< SEARCH", ...old, "=======", ...changed, ">>>>>>> REPLACE"].join("\n");
}

function patch(lines: readonly string[]): string {
  const head = lines[0]?.startsWith("*** ") ? [] : [`*** Update File: ${path}`];
  return ["*** Begin Patch", ...head, ...lines, "*** End Patch"].join("\n");
}

function fenced(info: string, content: string): string {
  return `\`\`\`\`${info}\n${content}\n\`\`\`\``;
}

function numbered<T>(count: number, make: (index: number) => T): readonly T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

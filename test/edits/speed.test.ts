import { resolveEdits } from "../../src/edits/resolveEdits.ts";
import { assertLinear } from "../support/assertLinear.ts";

type Input = Parameters<typeof resolveEdits>;

const path = "src/long.ts";

describe("the time for an answer", () => {
  for (const [title, input] of Object.entries(inputs())) {
    it(`is linear for ${title}`, () => {
      assertLinear((size) => resolveEdits(...input(size)), 10_000);
    });
  }
});

/** Answers with up to as many lines as the files that they are about. */
function inputs(): Readonly<Record<string, (size: number) => Input>> {
  const about = (lines: readonly string[], answer: string): Input => [answer, new Map([[path, lines.join("\n")]])];
  const same = (size: number, line = "x"): readonly string[] => Array<string>(size).fill(line);
  const block = (old: readonly string[]): string => fenced(`ts ${path}`, searchReplace(old, ["y"]));
  const many = (size: number, old: readonly string[]): string =>
    fenced(`ts ${path}`, same(size / 10, searchReplace(old, ["y"])).join("\n"));
  const calls = (size: number): readonly string[] => numbered(size, (line) => `  call${line}();`);
  const small = ["a", "b", "c"];
  return {
    "many hunks of SEARCH/REPLACE": (size) => {
      const lines = calls(size);
      const hunks = numbered(size / 40, (index) => searchReplace(lines.slice(40 * index, 40 * index + 4), ["y"]));
      return about(lines, fenced(`ts ${path}`, hunks.join("\n")));
    },
    "many hunks of a diff": (size) => {
      const lines = calls(size);
      const hunks = numbered(size / 40, (index) => {
        const [above, old, below] = lines.slice(40 * index, 40 * index + 3);
        return `@@\n ${above}\n-${old}\n+y\n ${below}`;
      });
      return about(lines, fenced("diff", [`--- a/${path}`, `+++ b/${path}`, ...hunks].join("\n")));
    },
    "a long replacement": (size) => {
      const lines = calls(size);
      const changed = lines.map((line, index) => (index % 3 === 0 ? "y" : line));
      const answer = fenced("ts replace", changed.slice(size / 4, size / 2).join("\n"));
      return [answer, new Map([[path, lines.join("\n")]]), { path, start: size / 4, end: size / 2 }];
    },
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

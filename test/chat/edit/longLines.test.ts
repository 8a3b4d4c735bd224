import assert from "node:assert/strict";
import { PlanStream, restOf } from "../../../src/chat/edit/planStream.ts";
import { hasEdits, pathsIn, resolveAnswer } from "../../../src/chat/edit/resolveAnswer.ts";
import { readEdits } from "../../../src/edits/read/readEdits.ts";
import { repairPrompt } from "../../../src/edits/repairPrompt.ts";
import { assertLinear, processorTime } from "../../support/assertLinear.ts";

/** How long one answer may keep the extension host busy, in milliseconds. Quadratic work takes seconds. */
const limit = 600;

const files = new Map([["a.ts", "one\ntwo\n"]]);

/** What a line repeats, after its start and before an end that makes none of it fit. */
const lines: readonly (readonly [start: string, unit: string, end?: string])[] = [
  ...[" ", "\t ", "\u00a0", '"', "> ", "(new) "].map((unit) => ["", unit] as const),
  ...["*** Begin Patch", "*** Update File: a", "*** Move to: a"].map((start) => [start, " "] as const),
  ...["<<<<<<< SEARCH", ">>>>>>> REPLACE", "======="].map((start) => [start, " "] as const),
  ["a.", "_", "!"],
  ["", "__", "a"],
  ["", "`", "x"],
  ["", "*", "x"],
  ["", "a.", "!"],
  ["", "a/", "!"],
  ["a", ":"],
  ["", "a:", "b"],
  ["--", " a -", "x"],
  ["a.ts", " (new)"],
  ["a", " 2020-01-01"],
  ["// a", " -->", "x"],
  ["@@ a", " @"],
];

const forms: Readonly<Record<string, (line: string) => string>> = {
  "as they are": (line) => line,
  "before a block": (line) => `${line}\n\`\`\`ts\nx\n\`\`\``,
  "as the path of a patch": (line) => patch(`*** Update File: ${line}\n@@\n-one\n+b`),
  "as the path of a new file": (line) => patch(`*** Add File: ${line}\n+x`),
  "as a new path": (line) => patch(`*** Update File: a.ts\n*** Move to: ${line}`),
  "as lines of a patch": (line) => patch(`*** Update File: a.ts\n@@ ${line}\n-${line}\n+${line}x`),
  "as the path of a diff": (line) => `--- a/${line}\n+++ b/${line}\n@@ -1 +1 @@ ${line}\n-one\n+${line}`,
  "in a SEARCH block": (line) => `${line}\n<<<<<<< SEARCH\n${line}\n=======\n${line}b\n>>>>>>> REPLACE`,
  "in a block that replaces": (line) => `\`\`\`ts replace\n${line}\n\`\`\``,
};

describe("an answer with hostile lines does not hold up the window", function () {
  this.timeout(60_000);
  for (const [title, form] of Object.entries(forms)) {
    it(`where they are long or many, ${title}`, () => {
      for (const [start, unit, end = "x"] of lines) {
        isQuick(form(start + unit.repeat(60_000 / unit.length) + end));
        const one = form(start + unit.repeat(960 / unit.length) + end);
        isQuick(`${one}\n`.repeat(30_000 / one.length));
      }
    });
  }

  it("where one arrives in small pieces", () => {
    for (const line of ["灯", "a ", "_", "/", "+"]) {
      for (const start of ["", "*** Begin Patch\n+"]) {
        assertLinear((size) => {
          const plan = new PlanStream();
          plan.add(start);
          for (let length = 0; length < size; length += 8) plan.add(line.repeat(8 / line.length));
        }, 800_000);
      }
    }
  });

  it("where it is longer than any that is applied", () => {
    const text = `${patch("*** Add File: b.ts\n+x")}\n${"\n".repeat(8_000_000)}`;
    assert.ok(processorTime(() => hasEdits(readEdits(text, files))) < limit);
    assert.ok(processorTime(() => resolve(text)) < limit);
    const problems = [{ kind: "tooLong", line: 0 }];
    assert.deepEqual(resolve(text), { operations: [], changes: [], problems, refusals: [] });
  });
});

function isQuick(text: string): void {
  const work = (): void => {
    const plan = new PlanStream();
    plan.add(`${text}\n`);
    restOf(text, plan.shown, readEdits(text, files), false);
    pathsIn(readEdits(text, files));
    const { operations, problems } = resolve(text);
    repairPrompt(operations, files, problems);
  };
  const time = Math.min(processorTime(work), processorTime(work));
  assert.ok(time < limit, `${time} ms for ${JSON.stringify(text.slice(0, 80))}`);
}

function resolve(text: string): ReturnType<typeof resolveAnswer> {
  const known = { texts: files, shownInFull: new Set<string>(), denied: new Map() };
  return resolveAnswer(readEdits(text, files), known);
}

function patch(lines: string): string {
  return `*** Begin Patch\n${lines}\n*** End Patch`;
}

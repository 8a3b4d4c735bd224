import assert from "node:assert/strict";
import fc from "fast-check";
import { Hunks } from "../../src/apply/hunks.ts";
import { each } from "../support/each.ts";

const textOf = (lines: string): string => lines.split(" ").join("\n");

/** The states and places of the hunks of an edit. */
function found(before: string, after: string, now: string, accepted: readonly number[] = []): string {
  const hunks = new Hunks({ before: textOf(before), after: textOf(after) }).locate(textOf(now), new Set(accepted));
  return hunks.map(({ state, lines }) => `${state} ${lines.start}-${lines.end}`).join(", ");
}

describe("a hunk of an edit in a text with equal lines", () => {
  each<[before: string, after: string, now: string], string>([
    ["is open where its neighbors are", "a x b", "a } b", "new a } b", "open 2-3"],
    ["is open in a text as the edit has left it", "} } }", "} } } }", "} } } }", "open 3-4"],
    ["is undone in a text as it was before the edit", "} } }", "} } } }", "} } }", "undone 3-3"],
    ["is open, and undone, beside others among equal lines", "x } }", "x y } } z", "x y } }", "open 1-2, undone 4-4"],
    ["is open below what was typed", "a x b c", "a y b c", "a y b new c", "open 1-2"],
    [
      "is open among equal lines, below what was typed far away",
      "ret u b b b b b b c b b b b b b v",
      "ret u b b b b b b ret b b b b b b v",
      "new ret u b b b b b b ret b b b b b b v",
      "open 9-10",
    ],
    ["is open where it changes whitespace, above what is typed", "a \t} b c", "a } b c", "a } b new c", "open 1-2"],
    ["is undone where it changes whitespace, above new lines", "a \t} b c", "a } b c", "a \t} b new c", "undone 1-2"],
    ["is open between the ends of an empty text", "c d", "", "", "open 0-0"],
    ["is open where a line below it is gone", "c }", "} c }", "} c", "open 0-1"],
    ["is open where a formatter has indented its lines", "x b", "y b", "\ty", "open 0-1"],
    ["is open below what a formatter has indented and somebody has typed again", "b \tx", "a", "\t\tx \ta", "open 1-2"],
    ["is open where a formatter has taken the indentation that it changed", "b \ty", "b y", "y", "open 0-1"],
    ["is open at the end of a text, below lines that are gone", "x a \ty c y", "x a \ty c y b", "\tx a b", "open 2-3"],
    ["is undone where its lines are back", "a x b", "a } b", "a x b c", "undone 1-2"],
    ["is undone where a formatter has indented the lines that are back", "\ty a", "\ty }", "\ta", "undone 0-1"],
    ["is undone where its lines are back, with lower lines above them", "} b \tx", "} \tx", "\tx } b", "undone 2-3"],
    ["is undone where its lines are back, and those above are gone", "a \ta d }", "a c d }", "\ta d", "undone 0-1"],
    ["is neither open nor undone where the old lines are back beside it", "b c }", "x c }", "x b c }", "changed 0-1"],
    ["is undone where its lines are back, and the line below it is above them", "b c x", "x", "x b c", "undone 1-3"],
    ["is not told from one that was typed where lines below are gone", "a x b c", "a } b c", "a } } c", "changed 1-2"],
    ["is not told where the line below is another", "a } } b c", "a } b c", "a } } new c", "changed 2-2"],
    [
      "is not told from its only line, typed elsewhere",
      "a b c d x e f",
      "a b c d ret e f",
      "a b c d new ret new f",
      "changed 5-6",
    ],
  ]).gives(found);

  it("is open or undone as it was left, as long as nothing else has changed", () => {
    const lines = fc.array(fc.constantFrom("}", "return", "a", "b", "c"), { maxLength: 12 });
    const textWithEnd = (all: readonly string[]): string => all.map((line) => `${line}\n`).join("");
    let certain = 0;
    fc.assert(
      fc.property(lines, lines, fc.infiniteStream(fc.boolean()), (before, after, isKept) => {
        const hunks = new Hunks({ before: textWithEnd(before), after: textWithEnd(after) });
        const kept = new Set(hunks.keys.filter(() => isKept.next().value));
        if (hunks.hasOnlyUndone(hunks.textWith(kept))) certain += 1;
      }),
      { numRuns: 1_000 },
    );
    // Some lines are the same whichever of two hunks is undone.
    assert.ok(certain >= 950, `${certain}`);
  });

  it("stays accepted, whatever its lines become", () => {
    assert.equal(found("a x b c y", "a X b c Y", "a x b c Y", [1]), "accepted 1-2, open 4-5");
  });

  it("is open, and then undone, wherever lines that are typed elsewhere move it", () => {
    const typed = fc.array(fc.constantFrom("}", "return", "x", ""), { maxLength: 5 }).map((lines) => lines.join(" "));
    fc.assert(
      fc.property(typed, typed, (above, below) => {
        const now = (line: string): string => `${above} a b ${line} c d ${below}`;
        const [start] = [textOf(above).split("\n").length + 2];
        assert.equal(found("a b old c d", "a b new c d", now("new")), `open ${start}-${start + 1}`);
        assert.equal(found("a b old c d", "a b new c d", now("old")), `undone ${start}-${start + 1}`);
      }),
    );
  });
});

import { Hunks } from "../../src/apply/hunks.ts";
import { each } from "../support/each.ts";

const textOf = (lines: string): string => lines.split(" ").join("\n");

describe("a hunk of an edit in a text with equal lines", () => {
  each<[before: string, after: string, now: string], string>([
    ["is open where its neighbors are", "a x b", "a } b", "new a } b", "open 2-3"],
    ["is open below what was typed", "a x b c", "a y b c", "a y b new c", "open 1-2"],
    ["is open at the start of the text, below new lines", "x b c", "y b c", "new y b c", "open 1-2"],
    ["is undone where its lines are back", "a x b", "a } b", "a x b c", "undone 1-2"],
    [
      "is neither open nor undone where the lines before it are back beside it",
      "b c }",
      "x c }",
      "x b c }",
      "changed 0-1",
    ],
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
  ]).gives((before, after, now) => {
    const [hunk] = new Hunks({ before: textOf(before), after: textOf(after) }).locate(textOf(now), new Set());
    return `${hunk?.state ?? ""} ${hunk?.lines.start ?? ""}-${hunk?.lines.end ?? ""}`;
  });
});

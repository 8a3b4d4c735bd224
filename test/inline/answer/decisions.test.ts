import assert from "node:assert/strict";
import type { HunkState } from "../../../src/apply/hunks.ts";
import { outcomeOf } from "../../../src/inline/answer/decisions.ts";
import { each } from "../../support/each.ts";

describe("what the model is told about its last change", () => {
  const told = (...decisions: readonly HunkState[]): string =>
    outcomeOf(decisions.map((state, index) => ({ state, lines: { start: 9 * index, end: 9 * index + 1 + index } })));

  each<[readonly HunkState[]], RegExp>([
    ["is nothing when it was not applied", [], /^$/],
    [
      "is what was kept and what undone",
      ["accepted", "undone"],
      /^What I did with the change of your last answer:\n- kept: the change at line 1 of the file as it is now\n- undone: the change at lines 10 to 11 of the file as it is now$/,
    ],
    ["is that all was undone", ["undone", "undone"], /^I undid/],
    ["is that nothing is decided", ["open", "open"], /^I applied the/],
    ["is that all was edited since", ["changed", "changed"], /^I applied, and then edited, the change/],
    ["is what was edited", ["open", "changed"], /\n- applied, and edited by me since: the change at lines 10 to 11 /],
  ]).hold((decisions, expected) => {
    assert.match(told(...decisions), expected);
  });
});

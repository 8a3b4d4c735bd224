import assert from "node:assert/strict";
import fc from "fast-check";
import { mergeText } from "../../src/apply/mergeText.ts";
import { each } from "../support/each.ts";

describe("a change of a text that was changed meanwhile", () => {
  const base = "a\nb\nc\nd\n";
  each<[wanted: string, current: string], string | undefined>([
    ["is made below an added line", "a\nb\nX\nd\n", "new\na\nb\nc\nd\n", "new\na\nb\nX\nd\n"],
    ["is made right below a changed line", "a\nb\nX\nd\n", "a\nB\nc\nd\n", "a\nB\nX\nd\n"],
    ["adds its lines above changed ones", "a\nX\nb\nc\nd\n", "a\nB\nc\nd\n", "a\nX\nB\nc\nd\n"],
    ["is not made twice", "a\nX\nc\nY\n", "a\nX\nc\nd\n", "a\nX\nc\nY\n"],
    ["has new line endings", "a\nX\nc\nd\n", "a\r\nb\r\nc\r\nd\r\nnew\r\n", "a\r\nX\r\nc\r\nd\r\nnew\r\n"],
    ["keeps a new byte order mark", "a\nX\nc\nd\n", `\ufeff${base}`, "\ufeffa\nX\nc\nd\n"],
    ["keeps a removed final newline", "a\nX\nc\nd\n", "a\nb\nc\nd", "a\nX\nc\nd"],
    ["is a conflict on the same line", "a\nX\nc\nd\n", "a\nY\nc\nd\n", undefined],
    ["is a conflict where its lines are gone", "a\nX\nc\nd\n", "a\nd\n", undefined],
    ["is a conflict where lines are added between its own", "a\nX\nd\n", "a\nb\nnew\nc\nd\n", undefined],
    ["is a conflict where both add lines", "a\nX\nb\nc\nd\n", "a\nY\nb\nc\nd\n", undefined],
    ["is a conflict where a deleted line became blank", "a\nc\nd\n", "a\n\nc\nd\n", undefined],
  ]).gives((wanted, current) => mergeText(base, wanted, current));

  const text = fc
    .array(fc.constantFrom("a", "b", "c", "}", ""), { maxLength: 12 })
    .map((lines) => lines.map((line) => `${line}\n`).join(""));

  it("is all that changes in a text that was not, and nothing where it is made already", () => {
    fc.assert(
      fc.property(text, text, (old, wanted) => {
        assert.equal(mergeText(old, wanted, old), wanted);
        assert.equal(mergeText(old, wanted, wanted), wanted);
      }),
    );
  });

  it("is the same whichever of the two is made first", () => {
    fc.assert(
      fc.property(text, text, text, (old, one, other) => {
        assert.equal(mergeText(old, one, other), mergeText(old, other, one));
      }),
    );
  });
});

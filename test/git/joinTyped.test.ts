import assert from "node:assert/strict";
import fc from "fast-check";
import { joinTyped } from "../../src/git/joinTyped.ts";
import { each } from "../support/each.ts";

describe("a commit message after what the user typed", () => {
  each([
    ["is all where nothing was typed", " \n", "Add a pier", "Add a pier"],
    ["repeats nothing", "feat:", "feat: add a pier", "feat: add a pier"],
    ["ends a word", "fix: round the pri", "fix: round the price", "fix: round the price"],
    ["ends a word that is the type", "fix", "fix(cart): round it", "fix(cart): round it"],
    ["ends a Chinese word", "修复购物", "修复购物车", "修复购物车"],
    ["keeps typed capitals and spaces", "Fix:  Round ", "fix: round the price", "Fix:  Round the price"],
    ["keeps the typed type", "fix(cart): ", "feat(cart)!: round it", "fix(cart): round it"],
    ["keeps the typed type before words", "fix: round the", "feat: round the total", "fix: round the total"],
    ["keeps the typed type in small letters", "fix: round ", "Fix: round the total", "fix: round the total"],
    ["keeps the typed type in Chinese", "功能：", "修复：添加码头", "功能：添加码头"],
    ["follows a type", "feat:", "Add a pier", "feat: Add a pier"],
    ["goes on with a body", "Add a pier", "Add a pier\n\nIt is long.", "Add a pier\n\nIt is long."],
    ["goes on with a body that was begun", "Add a pier\n", "Add a pier\n\nIt is", "Add a pier\n\nIt is"],
    ["goes on behind an empty line", "Add a pier\n\n", "Add a pier to it", "Add a pier\n\nto it"],
    ["has nothing to add", "Add a pier ", "Add a pier", "Add a pier "],
  ]).gives(joinTyped);

  each([
    ["may go on in a word", "fix: round the pri", "ce of the cart"],
    ["begins with a word that was ended", "fix ", "Fixes the total"],
    ["is another one", "Add a pier ", "Build a pier"],
    ["goes on without what was typed", "feat: add ", "a pier"],
    ["has another type and other words", "fix(cart): round ", "feat(cart): make it exact"],
    ["has another type than the one that is half typed", "fix(cart)", "feat(cart): make it exact"],
    ["repeats the words later", "the pier ", "fix the pier"],
  ]).hold((typed, message) => {
    assert.equal(joinTyped(typed, message), undefined);
  });

  it("has no word that is cut or doubled, in 10,000 random cases", () => {
    const known = ["fix", "fixes", "the", "total", "totals", "price", "a", "to", "round", "Okta", "码头", "添加码头"];
    const word = fc.oneof(fc.constantFrom(...known), fc.stringMatching(/^[a-z]{1,9}[,.]?$/));
    const type = fc.constantFrom("", "", "fix: ", "fix(cart): ", "feat(cart)!: ", "功能：");
    const space = fc.constantFrom(" ", " ", " ", "  ", "\n", "\n\n");
    const words = fc.array(fc.tuple(word, space), { minLength: 1, maxLength: 12 });
    const text = fc.tuple(type, words).map(([own, all]) => own + all.flat().join("").trim());
    const end = fc.constantFrom("", "", " ", "\n");
    const begun = fc.tuple(text, fc.nat(60), end).map(([all, at, last]) => [all.slice(0, at).trimEnd() + last, all]);
    const typing = fc.oneof(
      begun,
      begun.map(([typed = "", all]) => [typed.replace(/ /g, "  "), all]),
      fc.tuple(text, end, text).map(([typed, last, message]) => [typed + last, message]),
      fc.tuple(text, end, word, word).map(([all, last, one, other]) => [all + last, all.replace(one, other)]),
      fc.tuple(type, text),
    );
    let joined = 0;
    const untyped = (all: string): readonly string[] => all.replace(/^[^\s:：]+[:：]\s*/, "").match(/\S+/g) ?? [];
    fc.assert(
      fc.property(typing, ([typed = "", message = ""]) => {
        const result = joinTyped(typed, message);
        const isWhole = message.startsWith(typed.trimEnd()) && /^(?:\s|$)/.test(message.slice(typed.trimEnd().length));
        assert.ok(!isWhole || result !== undefined, "what the message begins with is its beginning");
        if (result === undefined) return;
        joined += 1;
        assert.ok(result.startsWith(typed.trim() === "" ? "" : typed), "what was typed is kept");
        assert.deepEqual(
          untyped(result.toLowerCase()),
          untyped(message.toLowerCase()),
          "the words are those of the message",
        );
      }),
      { numRuns: 10_000 },
    );
    assert.ok(joined > 3_000, `${joined} were joined`);
  });
});

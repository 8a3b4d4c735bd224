import assert from "node:assert/strict";
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
    ["begins with a letter that was a word", "a ", "again"],
    ["is another one", "Add a pier ", "Build a pier"],
    ["goes on without what was typed", "feat: add ", "a pier"],
    ["has another type and other words", "fix(cart): round ", "feat(cart): make it exact"],
    ["has another type than the one that is half typed", "fix(cart)", "feat(cart): make it exact"],
    ["repeats the words later", "the pier ", "fix the pier"],
  ]).hold((typed, message) => {
    assert.equal(joinTyped(typed, message), undefined);
  });
});

import assert from "node:assert/strict";
import fc from "fast-check";
import { joinTyped } from "../../src/git/joinTyped.ts";
import { each } from "../support/each.ts";

describe("a commit message after what the user typed", () => {
  each([
    ["is all where nothing was typed", "", "Add a pier", "Add a pier"],
    ["repeats nothing", "feat:", "feat: add a pier", "feat: add a pier"],
    ["ends a word", "fix", "fixes the total", "fixes the total"],
    ["ends a word in the middle", "fix: round the pri", "fix: round the price", "fix: round the price"],
    ["ends a word that it repeats alone", "fix: round the pri", "price of it", "fix: round the price of it"],
    ["repeats no last words", "fix: round the ", "round the price", "fix: round the price"],
    ["keeps the typed capitals", "Fix: Round", "fix: round the price", "Fix: Round the price"],
    ["keeps the typed spaces", "Add  a pier ", "Add a pier to it", "Add  a pier to it"],
    ["keeps the typed type", "fix(cart): ", "feat(cart): round it", "fix(cart): round it"],
    ["keeps the typed type before words", "fix: round the", "feat: round the total", "fix: round the total"],
    ["keeps the typed type in Chinese", "功能：", "修复：添加码头", "功能：添加码头"],
    ["follows a type", "feat:", "Add a pier", "feat: Add a pier"],
    ["follows a space", "feat: add ", "a pier", "feat: add a pier"],
    ["follows a full-width colon", "功能：", "添加码头", "功能：添加码头"],
    ["ends a Chinese word", "修复购物", "修复购物车", "修复购物车"],
    ["goes on with a comma", "Add a pier", ", which is long", "Add a pier, which is long"],
    ["goes on with a body", "Add a pier", "Add a pier\nIt is long.", "Add a pier\n\nIt is long."],
    ["goes on with the body of a typed line", "Add a pier\n", "Add a pier\n\nIt is", "Add a pier\n\nIt is"],
    ["goes on with a list", "Add piers\n\n- a\n", "- b\n- c", "Add piers\n\n- a\n- b\n- c"],
    ["goes on with a list that it repeats", "Add piers\n\n- a", "Add piers\n\n- a\n- b", "Add piers\n\n- a\n- b"],
    ["has nothing to add", "Add a pier ", "Add a pier", "Add a pier "],
  ]).gives(joinTyped);

  each([
    ["may go on in a word", "fix: round the pri", "ce of the cart"],
    ["may begin a word", "Add", "a pier"],
    ["begins with a word that was ended", "fix ", "Fixes the total"],
    ["is another one", "Add a pier ", "Build a pier"],
    ["has another type and other words", "fix(cart): round ", "feat(cart): make it exact"],
    ["has another type than the one that is half typed", "fix(cart)", "feat(cart): make it exact"],
    ["repeats the words later", "the pier ", "fix the pier"],
    ["repeats a word with a comma", "Add piers ", "piers, and lamps"],
    ["makes a type of the word", "Fix ", "fix: round it"],
    ["begins with a type", "Round it ", "fix: round the price"],
  ]).hold((typed, message) => {
    assert.equal(joinTyped(typed, message), undefined);
  });

  it("has no word that is cut or doubled, in 10,000 random cases", () => {
    const word = fc.oneof(
      fc.constantFrom(
        "fix",
        "fixes",
        "the",
        "total",
        "totals",
        "price",
        "a",
        "to",
        "round",
        "Okta",
        "码头",
        "添加码头",
      ),
      fc.stringMatching(/^[a-z]{1,9}[,.]?$/),
    );
    const type = fc.constantFrom("", "", "fix: ", "fix(cart): ", "feat(cart)!: ", "功能：");
    const space = fc.constantFrom(" ", " ", " ", "  ", "\n", "\n\n");
    const words = fc.array(fc.tuple(word, space), { minLength: 1, maxLength: 12 });
    const text = fc.tuple(type, words).map(([own, all]) => own + all.flat().join("").trim());
    const end = fc.constantFrom("", "", " ", "\n");
    const spaced = (typed: string): string => typed.replace(/ /g, "  ");
    const typing = fc.oneof(
      // What is typed begins the message, or its middle, or the message goes on from it, or the two know nothing of each other.
      fc.tuple(text, fc.nat(60), end).map(([all, at, last]) => [all.slice(0, at).trimEnd() + last, all]),
      fc.tuple(text, fc.nat(60), end).map(([all, at, last]) => [spaced(all.slice(0, at).trimEnd()) + last, all]),
      fc
        .tuple(text, fc.nat(60), fc.nat(9))
        .map(([all, at, back]) => [all.slice(0, at), all.slice(Math.max(0, at - back))]),
      fc.tuple(text, fc.nat(60)).map(([all, at]) => [all.slice(0, at), all.slice(at)]),
      fc.tuple(text, end, text).map(([typed, last, message]) => [typed + last, message]),
      fc.tuple(text, end, word, word).map(([all, last, one, other]) => [all + last, all.replace(one, other)]),
      fc.tuple(type, text).map(([typed, message]) => [typed, message]),
    );
    let joined = 0;
    let wholes = 0;
    fc.assert(
      fc.property(typing, ([typed = "", message = ""]) => {
        const result = joinTyped(typed, message);
        const isWhole = message.startsWith(typed.trimEnd()) && /^(?:\s|$)/.test(message.slice(typed.trimEnd().length));
        if (isWhole) wholes += 1;
        assert.ok(!isWhole || result !== undefined, "what the message begins with is its beginning");
        if (result === undefined) return;
        joined += 1;
        assert.ok(result.startsWith(typed.trim() === "" ? "" : typed), "what was typed is kept");
        assertJoined(typed, message, result);
      }),
      { numRuns: 10_000 },
    );
    assert.ok(joined > 4_000 && wholes > 500, `${joined} were joined, of ${wholes} that are one message`);
  });
});

/** Fails unless the result has the typed words, then words of the message to its end, none of them cut or doubled. */
function assertJoined(typed: string, message: string, result: string): void {
  const words = (text: string): readonly string[] => text.split(/\s+/).filter((word) => word !== "");
  const [before, all, whole] = [words(typed), words(message), words(result)];
  // A type may be dropped, and in Chinese it is a part of a word.
  const ends = (text: string): readonly string[] => [
    text,
    text.replace(/^(?:[a-z]+(?:\([a-z]+\))?!?:|\p{Script=Han}+：)/u, ""),
  ];
  const added = whole.slice(before.length);
  const tail = added.length === 0 ? [] : all.slice(-added.length);
  const [seam = "", last = ""] = [whole[before.length - 1], before.at(-1)];
  assert.deepEqual(added.slice(1), tail.slice(1), "the end of the message");
  assert.ok(added.length === 0 || ends(tail[0] ?? "").includes(added[0] ?? ""), "a word is cut at the seam");
  // The last typed word is as it was, or is ended as the message has it, or what follows needs no space.
  const rest = seam.slice(last.length);
  const source = all.slice(0, all.length - added.length).at(-1) ?? "";
  const isEnded = ends(source).some((end) => ends(seam).some((own) => own.toLowerCase() === end.toLowerCase()));
  const isApart = rest === "" || /^[,.;:!?)，。；：！？]/.test(rest) || /[：，。；]$/.test(last);
  assert.ok(isApart || isEnded, `“${seam}” is no word of either`);
  if (isEnded && rest !== "") return;
  // What follows is not what stands before it, whatever marks are behind the words.
  const plain = (some: readonly string[]): string => ` ${some.join(" ").replace(/[,.:：]+(?= |$)/g, "")} `;
  const own = ends(all.join(" ")).map((text) => plain([text]));
  for (let count = 1; count <= Math.min(before.length, added.length); count += 1) {
    const start = plain(whole.slice(before.length - count, before.length));
    const twice = start.trimEnd() + start;
    const isTwice = start === plain(added.slice(0, count));
    assert.ok(!isTwice || own.some((text) => text.includes(twice)), `“${twice}” is doubled`);
  }
}

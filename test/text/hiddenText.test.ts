import assert from "node:assert/strict";
import {
  hidesText,
  isStretched,
  visibleText,
  invisibleIn,
  withSpacesMarked,
  withInvisibleMarked,
} from "../../src/text/hiddenText.ts";
import { each } from "../support/each.ts";

describe("invisible characters", () => {
  each([
    ["change the direction of a text", "a\u202eb\u2066c", "a⟨U+202E⟩b⟨U+2066⟩c"],
    ["have no width", "a\u200bb\ufeffc", "a⟨U+200B⟩b⟨U+FEFF⟩c"],
    ["control a terminal", "\u001b[31m\u0000", "⟨U+001B⟩[31m⟨U+0000⟩"],
    ["are tags beyond the first plane", "a\u{e0041}", "a⟨U+E0041⟩"],
    ["are halves of a pair", "a\ud800b", "a⟨U+D800⟩b"],
    ["stand beside an emoji", "\u200b👩‍💻\u200b", "⟨U+200B⟩👩‍💻⟨U+200B⟩"],
  ]).hold((text, expected) => {
    assert.equal(withInvisibleMarked(text), expected);
    assert.ok(invisibleIn(text).size > 0);
  });

  it("do not include joiners that a script or emoji requires", () => {
    for (const text of ["a\tb\r\nc", "中文，日本語", "👩‍💻 👍🏽", "می\u200cخواهم", "क\u094d\u200dष"]) {
      assert.equal(withInvisibleMarked(text), text);
      assert.equal(invisibleIn(text).size, 0);
    }
  });
});

describe("lines in an answer", () => {
  const wide = `a;${" ".repeat(200)}b`;
  it("hide text if the old lines do not", () => {
    for (const line of ["a\u202eb", "a\u200b", wide]) {
      assert.ok(hidesText(["x", line]));
      assert.ok(hidesText([line], ["a\u00adb"]));
      assert.ok(!hidesText([line], [line]));
    }
    assert.ok(!hidesText(["a  b", "👩‍💻", "\tمی\u200cخواهم"]));
  });

  it("hide nothing as visible text", () => {
    assert.equal(visibleText(`a\u202eb\u200b\n👩‍💻 x\n${wide}  c\n  d`), "ab\n👩‍💻 x\na; b c\n  d");
  });
});

describe("spaces that push code out of view", () => {
  const [spaces, tabs, wide] = [" ".repeat(120), "\t".repeat(30), "\u3000\u00a0\u2800".repeat(40)];
  const [short, shortMark] = [" ".repeat(60), "⟨U+0020 × 60⟩"];
  each([
    ["are marked as spaces", `a;${spaces}b`, "a;⟨U+0020 × 120⟩b"],
    ["are marked as tabs", `a;${tabs}b`, "a;⟨U+0009 × 30⟩b"],
    ["are marked as other blanks", `a;${wide}b`, "a;⟨U+3000 × 120⟩b"],
    ["are marked as indentation", `${spaces}b`, "⟨U+0020 × 120⟩b"],
    ["are marked in several runs, a word between them", `a;${short};${short}b  c`, `a;${shortMark};${shortMark}b  c`],
  ]).hold((line, expected) => {
    assert.ok(isStretched(line));
    assert.equal(withSpacesMarked(line), expected);
  });

  it("do not include those of common code", () => {
    const half = " ".repeat(40);
    for (const line of ["a b ".repeat(1_000), `${half}a;${half}// b`, "\t".repeat(20), "a".repeat(500)]) {
      assert.ok(!isStretched(line));
      assert.equal(withSpacesMarked(line), line);
    }
  });
});

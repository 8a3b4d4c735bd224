import assert from "node:assert/strict";
import { HtmlContext } from "../../src/text/markdownParts.ts";
import { assertLinear } from "../support/assertLinear.ts";

describe("lines that Markdown does not show", () => {
  /** What opens a block, a line within it that ends blocks of other kinds, and the line that ends it. */
  const blocks: readonly (readonly [name: string, start: string, within: string, end: string])[] = [
    ["a script", "<script>", "", "x</SCRIPT>y"],
    ["a style with attributes", '<style type="a">', "-->", "</style>"],
    ["preformatted text", "<pre", "", "</pre>"],
    ["a text area", "<TEXTAREA>", "?>", "</textarea>"],
    ["a comment", "<!-- a", "", "b --> c"],
    ["a processing instruction", "<?php", "", "?>"],
    ["an instruction whose start looks like its end", "<?>", "a", "?>"],
    ["a declaration", "<!DOCTYPE", "]]", "html>"],
    ["character data", "<![CDATA[ a >", "-->", "]]>"],
    ["a tag", "<div>", "</div>", "  "],
    ["a tag of one letter", "<p", "a", ""],
    ["a tag of one letter and a space", "<p ", "a", ""],
    ["a closing tag", "</div>", "a", "\t"],
    ["a link definition with an open title", '[a]: b "c', "", 'd"'],
    ["the same in single quotes", "[a]: <b> 'c", '"', "d'"],
    ["the same in parentheses", "[a]: b (c", "'", "d)"],
  ];
  for (const [name, start, within, end] of blocks) {
    it(`are those of ${name}, up to its end`, () => {
      assert.deepEqual(insideAfter(start, within, within, end, "shown"), [true, true, true, false, false]);
    });
  }

  const shown: readonly (readonly [name: string, line: string])[] = [
    ["text", "a < b > c"],
    ["a comment that ends at once", "<!-- a -->"],
    ["the shortest comment", "<!-->"],
    ["a script that ends at once", "<script>a</script>"],
    ["a declaration that ends at once", "<!DOCTYPE html>"],
    ["an address", "<1@b.c>"],
    ["HTML within a line", "a <div>"],
    ["a link definition with a whole title", '[a]: b "c"'],
    ["a link definition without a title", "[a]: b"],
    ["a link", '[a](b "c'],
    ["nothing", ""],
  ];
  for (const [name, line] of shown) {
    it(`do not begin with ${name}`, () => {
      assert.deepEqual(insideAfter(line), [false]);
    });
  }

  it("may begin again after an end", () => {
    assert.deepEqual(insideAfter("<!-- a", "-->", "<b>", "", '[a]: b "', '"'), [true, false, true, false, true, false]);
  });

  it("are found in time proportional to the text", () => {
    for (const unit of ["<", "[", "[a]:", "<!--", '"', "\t"]) {
      assertLinear((size) => {
        const context = new HtmlContext();
        for (let line = 0; line < 20; line++) context.add(unit.repeat(size / unit.length / 20));
      }, 400_000);
    }
  });
});

/** Whether the line after each line stands inside. */
function insideAfter(...lines: readonly string[]): readonly boolean[] {
  const context = new HtmlContext();
  return lines.map((line) => {
    context.add(line);
    return context.isInside;
  });
}

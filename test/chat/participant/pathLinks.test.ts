import assert from "node:assert/strict";
import fc from "fast-check";
import { PathLinks } from "../../../src/chat/participant/pathLinks.ts";
import { each } from "../../support/each.ts";

const files = new Map(["src/a.ts", "b.md"].map((path) => [path, path]));

/** The parts of an answer that arrives in these pieces, with "<…>" for links, and neighboring texts joined. */
function shown(pieces: readonly string[]): string {
  const links = new PathLinks(files);
  const parts = pieces.flatMap((piece) => links.add(piece));
  const texts = parts.map((part) =>
    typeof part === "string" ? part : `<${part.text} ${part.file} ${part.lines?.join("-")}>`,
  );
  return [...texts, links.end()].join("");
}

describe("the links in an answer", () => {
  each<[string], string>([
    ["may have no line, or one", "> 1. `b.md`, `b.md:3:9`.", "> 1. <b.md b.md undefined>, <b.md:3:9 b.md 3-3>."],
    ["may have several lines", "See `src/a.ts:3-9`.\n", "See <src/a.ts:3-9 src/a.ts 3-9>.\n"],
    [
      "may have lines in other forms",
      "`b.md#L3`, `b.md#L3-L9`, `b.md:3–9`",
      "<b.md#L3 b.md 3-3>, <b.md#L3-L9 b.md 3-9>, <b.md:3–9 b.md 3-9>",
    ],
    ["may begin in the current folder", "`./b.md:3`", "<./b.md:3 b.md 3-3>"],
    ["lead to no file that was not sent", "`c.ts:1`, `/b.md`, `b.md:x`, ``", "`c.ts:1`, `/b.md`, `b.md:x`, ``"],
    ["are none in a link of the answer", "[`b.md:1`](b.md)", "[`b.md:1`](b.md)"],
    [
      "are none in blocks of code",
      "````md\n```\n`b.md`\n```\n`b.md`\n````\n`b.md`",
      "````md\n```\n`b.md`\n```\n`b.md`\n````\n<b.md b.md undefined>",
    ],
    ["are none where a span does not end", "a `b.md\n`b.md:2`", "a `b.md\n<b.md:2 b.md 2-2>"],
  ]).gives((answer) => shown([answer]));

  it("are the same however the answer arrives, and nothing of it is lost", () => {
    const words = fc.constantFrom("`", "`b.md:2`", "`src/a.ts`", "b.md", "[", "]", "\n", "```", "~~~", "- ", " ", "x");
    const pieces = fc.array(
      fc
        .string({ unit: fc.constantFrom(...Array.from("`b.md:2[\n~- x")), maxLength: 4 })
        .chain((text) => words.map((word) => text + word)),
    );
    fc.assert(
      fc.property(pieces, (answer) => {
        const text = answer.join("");
        assert.equal(shown(text.split("")), shown([text]));
        assert.equal(shown(answer), shown([text]));
        assert.equal(shown([text]).replace(/<(\S+) \S+ \S+>/g, "`$1`"), text);
      }),
    );
  });

  it("hold back only an unfinished code span", () => {
    const links = new PathLinks(files);
    const arriving = ["Look at ", "`src/", "a.ts", ":26", "` now", ", `", "x".repeat(400)].map((piece) =>
      links.add(piece),
    );
    assert.deepEqual(
      arriving.map((parts) => parts.map((part) => (typeof part === "string" ? part.slice(0, 9) : part.text))),
      [["Look at "], [], [], [], ["src/a.ts:26", " now"], [", "], ["`xxxxxxxx"]],
    );
  });
});

import assert from "node:assert/strict";
import { fenceFor, readEdit } from "../../src/inline/editBlock.ts";

describe("the edit of an answer", () => {
  const replacement = (...lines: readonly string[]): object => ({ type: "replacement", lines });
  const none = (code?: readonly string[]): object => ({ type: "none", code });
  const problem = (problem: string): object => ({ type: "problem", problem });
  const cases: readonly (readonly [string, string, object])[] = [
    ["is the marked block", "So:\n\n```ts replace\n  a\n\tb\n```\n\nDone.", replacement("  a", "\tb")],
    ["is the marked block among others", "```ts\nx\n```\n```ts replace\na\n```", replacement("a")],
    ["keeps blank lines at both ends", "```ts replace\n\na\n\n```", replacement("", "a", "")],
    ["deletes with an empty block", "```ts replace\n```", replacement()],
    [
      "keeps shorter fences inside of a longer one",
      "````md replace\n```ts\na\n```\n````",
      replacement("```ts", "a", "```"),
    ],
    ["reads tildes", "~~~ts replace\n```\n~~~", replacement("```")],
    [
      "reads a block in a list without its indentation",
      "1. So:\n\n   ```ts replace\n     a\n   b\n   ```",
      replacement("  a", "b"),
    ],
    ["reads CRLF", "```ts replace\r\na\r\nb\r\n```\r\n", replacement("a", "b")],
    ["reads a mark on a block without a language", "``` text replace\na\n```", replacement("a")],
    ["is none without a block", "Nothing to change.", none()],
    ["is none with an unmarked block, whose code can be inserted", "```ts\na\n```", none(["a"])],
    ["is none with two unmarked blocks", "```ts\na\n```\n```ts\nb\n```", none()],
    ["does not take the language for the mark", "```replace\na\n```", none(["a"])],
    ["does not take inline code for a block", "```ts replace``` is the mark", none()],
    ["is refused when there are two", "```ts replace\na\n```\n```ts replace\nb\n```", problem("several")],
    ["is refused without an end", "```ts replace\na", problem("open")],
    ["is refused when a fence inside ends it early", "```ts replace\n```js\na\n```\nb\n```", problem("open")],
    ["is the block of a quote", "> ```ts replace\n> a\n> ```", replacement("a")],
    ["is the block that begins an item further in", "10. So:\n\n    ```ts replace\n    a\n    ```", replacement("a")],
    ["is refused when its item of a list ends before it", "- So:\n\n  ```ts replace\na\n  ```", problem("open")],
    ["is refused in a comment", "<!--\n```ts replace\na\n```\n-->", problem("html")],
    ["is refused in a comment in a list", "- <!--\n\n```ts replace\na\n```\n-->", problem("html")],
    ["is refused in a tag", "<div hidden>\n```ts replace\na\n```\n</div>", problem("html")],
    ["is refused in a script, after a blank line too", "<script>\n\n```ts replace\na\n```", problem("html")],
    ["is refused in CDATA", "<![CDATA[\n\n```ts replace\na\n```\n]]>", problem("html")],
    ["is refused in a processing instruction", "<?x\n\n```ts replace\na\n```\n?>", problem("html")],
    ["is refused in a link definition", '[x]: /u "\n\n```ts replace\na\n```\n"', problem("html")],
    ["is taken after HTML", "<!-- x -->\n<b>\n\n```ts replace\na\n```", replacement("a")],
    ["is none with code in a comment", "<!--\n```ts\na\n```\n-->", none()],
    ["is refused with characters that turn the text around", "```ts replace\na\u202e\n```", problem("unseen")],
    ["is refused with characters of no width", "```ts replace\na\u200bb\u{e0041}\n```", problem("unseen")],
    ["is none with such characters in code to insert", "```ts\na\u2066\n```", none()],
    ["is refused with code out of view", `\`\`\`ts replace\na;${" ".repeat(300)}b\n\`\`\``, problem("unseen")],
    ["is refused with code indented out of view", `\`\`\`ts replace\n${"\t".repeat(90)}b\n\`\`\``, problem("unseen")],
    ["is none with code out of view to insert", `\`\`\`ts\na;${" ".repeat(300)}b\n\`\`\``, none()],
    ["may have emoji", '```ts replace\n"👩‍💻 ❤️"\n```', replacement('"👩‍💻 ❤️"')],
  ];
  for (const [title, answer, expected] of cases) {
    it(title, () => {
      assert.deepEqual(readEdit(answer, 3), expected);
    });
  }

  it("may have the characters without a look of their own that the code had", () => {
    assert.deepEqual(readEdit("```ts replace\nb\u200b\n```", 3, ["a\u200b"]), replacement("b\u200b"));
    assert.deepEqual(readEdit("```ts replace\nb\u200d\n```", 3, ["a\u200b"]), problem("unseen"));
  });

  it("may have blanks as wide as the code had", () => {
    const wide = `a;${" ".repeat(150)}// b`;
    assert.deepEqual(readEdit(`\`\`\`ts replace\n${wide}\n\`\`\``, 3, [wide]), replacement(wide));
  });

  it("is refused where VS Code does not show the answer that far", () => {
    const edit = "```ts replace\na\n```";
    assert.deepEqual(readEdit(`${"x\n".repeat(49_000)}${edit}`, 3), replacement("a"));
    assert.deepEqual(readEdit(`${"x\n".repeat(50_000)}${edit}`, 3), problem("tooLong"));
    assert.deepEqual(readEdit(`${"<b>\n\n".repeat(15_000)}${edit}`, 3), problem("tooLong"));
  });

  it("is refused with more lines than a function takes arguments, and does not fail", () => {
    const many = `\`\`\`ts replace\n${"\n".repeat(300_000)}\`\`\``;
    assert.deepEqual(readEdit(many, 3), problem("tooLong"));
    assert.equal(fenceFor(many.split("\n")), 4);
  });

  it("is refused when its fence is shorter than the one asked for", () => {
    assert.deepEqual(readEdit("```md replace\n```\na\n```\n```", 4), problem("fence"));
    assert.deepEqual(readEdit("````md replace\na\n````", 4), replacement("a"));
  });

  it("is asked for with a fence that no line of the code can end", () => {
    assert.equal(fenceFor(["a", " * ```ts"]), 3);
    assert.equal(fenceFor(["```ts", "a", "```"]), 4);
    assert.equal(fenceFor(["  ````"]), 5);
    assert.equal(fenceFor(["a"], "markdown"), 4);
  });
});

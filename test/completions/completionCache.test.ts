import assert from "node:assert/strict";
import { CompletionCache, restOf, stillFits } from "../../src/completions/completionCache.ts";

const place = (prefix: string, suffix = "\n", languageId = "typescript") => ({ prefix, suffix, languageId });

describe("known completions", () => {
  it("answer for the same code before and after the cursor", () => {
    const cache = new CompletionCache();
    cache.add({ text: "1;", place: place("const a = ") });
    assert.equal(cache.find(place("const a = ")), "1;");
  });

  const hiding: readonly (readonly [string, string])[] = [
    ["turns text around", "a\u202eb\u2066"],
    ["has no width", "a\u200bb"],
    ["has blanks before its end", `1;${" ".repeat(300)}evil();`],
    ["has tabs before its end", `1;${"\t".repeat(60)}evil();`],
    ["has blanks before its end in a later line", `1;\r\n${" ".repeat(300)}evil();`],
    ["goes on after a gap", `1;${"\n  ".repeat(12)}\nevil();`],
  ];
  for (const [title, text] of hiding) {
    it(`are none where a part of it is hidden: it ${title}`, () => {
      const cache = new CompletionCache();
      cache.add({ text: `value + ${text}`, place: place("const a = ") });
      assert.equal(cache.find(place("const a = ")), "");
      assert.equal(cache.find(place("const a = val")), "");
    });
  }

  it("are none where blanks of the line and of the suggestion hide a part of it together", () => {
    const cache = new CompletionCache();
    const before = `const a = 1;${" ".repeat(70)}`;
    cache.add({ text: `${" ".repeat(70)}evil();`, place: place(before) });
    assert.equal(cache.find(place(before)), "");
  });

  it("may have emoji, and joiners that a script requires", () => {
    const cache = new CompletionCache();
    cache.add({ text: '"👩‍💻 می\u200cخواهم";\n\n\nnext();', place: place("const a = ") });
    assert.equal(cache.find(place("const a = ")), '"👩‍💻 می\u200cخواهم";\n\n\nnext();');
  });

  it("do not answer for other code after the cursor", () => {
    const cache = new CompletionCache();
    cache.add({ text: "1;", place: place("const a = ") });
    assert.equal(cache.find(place("const a = ", ";\n")), undefined);
  });

  it("do not answer in another language", () => {
    const cache = new CompletionCache();
    cache.add({ text: "1;", place: place("const a = ") });
    assert.equal(cache.find(place("const a = ", "\n", "javascript")), undefined);
  });

  it("go on where the user types what was suggested", () => {
    const cache = new CompletionCache();
    cache.add({ text: "value + 1;", place: place("const a = ") });
    assert.equal(cache.find(place("const a = val")), "ue + 1;");
  });

  it("come back after the user deletes what was typed as suggested", () => {
    const cache = new CompletionCache();
    cache.add({ text: "value;", place: place("const a = ") });
    assert.equal(cache.find(place("const a = x")), undefined);
    assert.equal(cache.find(place("const a = ")), "value;");
  });

  it("are over once all is typed", () => {
    assert.equal(restOf({ text: "1;", place: place("a = ") }, place("a = 1;")), undefined);
  });

  const closed: readonly (readonly [text: string, typed: string, suffix: string, rest: string | undefined])[] = [
    ["sum(items);", "sum(", ")\n", "items"],
    ["sum([1, 2]);", "sum([", "])\n", "1, 2"],
    ['name("a", b);', 'name("', '")\n', "a"],
    ["sum(items);", "sum(", "]\n", undefined],
    ["sum(items);", "sum", ")\n", undefined],
    ["sum(items);", "sum(items)", "\n", ";"],
  ];
  for (const [text, typed, suffix, rest] of closed) {
    it(`go on with ${rest ?? "nothing"} where ${typed} was typed and ${JSON.stringify(suffix)} follows`, () => {
      const found = restOf({ text, place: place("a = ") }, place(`a = ${typed}`, suffix));
      assert.equal(found, rest);
    });
  }

  it("forget the oldest of more than a hundred", () => {
    const cache = new CompletionCache();
    for (let index = 0; index <= 100; index += 1) cache.add({ text: "1;", place: place(`const a${index} = `) });
    assert.equal(cache.find(place("const a0 = ")), undefined);
    assert.equal(cache.find(place("const a1 = ")), "1;");
  });

  it("are gone after they are cleared", () => {
    const cache = new CompletionCache();
    cache.add({ text: "1;", place: place("const a = ") });
    cache.clear();
    assert.equal(cache.find(place("const a = ")), undefined);
  });
});

describe("a request under way", () => {
  const asked = place("const a = ");
  const cases: readonly (readonly [title: string, arrived: string, now: ReturnType<typeof place>, fits: boolean])[] = [
    ["fits where the editor closed what was typed", "sum(items)", place("const a = sum(", ")\n"), true],
    ["does not fit where something was typed after the cursor", "sum(items)", place("const a = sum", ";\n"), false],
    ["fits where nothing was typed", "", place("const a = "), true],
    ["fits where its beginning was typed", "value + 1", place("const a = val"), true],
    ["may still fit while less has arrived than was typed", "v", place("const a = val"), true],
    ["does not fit where something else was typed", "value", place("const a = x"), false],
    ["does not fit where something was deleted", "value", place("const a"), false],
    ["does not fit where the code after the cursor changed", "value", place("const a = ", ";\n"), false],
    ["does not fit on a new line", "", place("const a = \n"), false],
  ];
  for (const [title, arrived, now, fits] of cases) {
    it(title, () => {
      assert.equal(stillFits(arrived, asked, now), fits);
    });
  }
});

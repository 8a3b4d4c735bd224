import assert from "node:assert/strict";
import { CompletionCache, restOf, stillFits } from "../../src/completions/completionCache.ts";
import { each } from "../support/each.ts";

const place = (prefix: string, suffix = "\n", languageId = "typescript") => ({ prefix, suffix, languageId });

describe("known completions", () => {
  each<[now: ReturnType<typeof place>], string | undefined>([
    ["answer for the same code before and after the cursor", place("const a = "), "value + 1;"],
    ["do not answer for other code after the cursor", place("const a = ", ";\n"), undefined],
    ["do not answer in another language", place("const a = ", "\n", "javascript"), undefined],
    ["go on where the user types what was suggested", place("const a = val"), "ue + 1;"],
    ["are over once all is typed", place("const a = value + 1;"), undefined],
  ]).gives((now) => {
    const cache = new CompletionCache();
    cache.add({ text: "value + 1;", place: place("const a = ") });
    return cache.find(now);
  });

  it("come back after the user deletes what was typed as suggested", () => {
    const cache = new CompletionCache();
    cache.add({ text: "value;", place: place("const a = ") });
    assert.equal(cache.find(place("const a = x")), undefined);
    assert.equal(cache.find(place("const a = ")), "value;");
  });

  each<[text: string, typed: string, suffix: string], string | undefined>([
    ["go on before the bracket that the editor closed", "sum(items);", "sum(", ")\n", "items"],
    ["go on before two brackets that it closed", "sum([1, 2]);", "sum([", "])\n", "1, 2"],
    ["go on before the quotation mark that it closed", 'name("a", b);', 'name("', '")\n', "a"],
    ["do not go on before another bracket", "sum(items);", "sum(", "]\n", undefined],
    ["do not go on before a bracket that was not opened", "sum(items);", "sum", ")\n", undefined],
    ["go on after all brackets", "sum(items);", "sum(items)", "\n", ";"],
  ]).gives((text, typed, suffix) => restOf({ text, place: place("a = ") }, place(`a = ${typed}`, suffix)));

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
  each<[arrived: string, now: ReturnType<typeof place>], boolean>([
    ["fits where the editor closed what was typed", "sum(items)", place("const a = sum(", ")\n"), true],
    ["does not fit where something was typed after the cursor", "sum(items)", place("const a = sum", ";\n"), false],
    ["fits where nothing was typed", "", place("const a = "), true],
    ["fits where its beginning was typed", "value + 1", place("const a = val"), true],
    ["may still fit while less has arrived than was typed", "v", place("const a = val"), true],
    ["does not fit where something else was typed", "value", place("const a = x"), false],
    ["does not fit where something was deleted", "value", place("const a"), false],
    ["does not fit where the code after the cursor changed", "value", place("const a = ", ";\n"), false],
    ["does not fit on a new line", "", place("const a = \n"), false],
  ]).gives((arrived, now) => stillFits(arrived, asked, now));
});

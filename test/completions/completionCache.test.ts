import assert from "node:assert/strict";
import { CompletionCache, restOf, stillFits } from "../../src/completions/completionCache.ts";
import { each } from "../support/each.ts";

const context = (prefix: string, suffix = "\n", languageId = "typescript") => ({ prefix, suffix, languageId });

describe("known completions", () => {
  each<[now: ReturnType<typeof context>], string | undefined>([
    ["answer for the same code before and after the cursor", context("const a = "), "value + 1;"],
    ["do not answer for other code after the cursor", context("const a = ", ";\n"), undefined],
    ["go on where the user types what was suggested", context("const a = val"), "ue + 1;"],
  ]).gives((now) => {
    const cache = new CompletionCache();
    cache.add({ text: "value + 1;", context: context("const a = ") });
    // They come back after the user deletes what was typed otherwise.
    assert.equal(cache.find(context("const a = x")), undefined);
    return cache.find(now);
  });

  each<[text: string, typed: string, suffix: string], string | undefined>([
    ["go on before the bracket that the editor closed", "sum(items);", "sum(", ")\n", "items"],
    ["go on before the quotation mark that it closed", 'name("a", b);', 'name("', '")\n', "a"],
    ["do not go on before another bracket", "sum(items);", "sum(", "]\n", undefined],
    ["go on in the lines between the brackets", "f() {\n  a();\n}", "f() {\n  ", "\n}\n", "a();"],
    ["go on after all brackets", "sum(items);", "sum(items)", "\n", ";"],
  ]).gives((text, typed, suffix) => restOf({ text, context: context("a = ") }, context(`a = ${typed}`, suffix)));

  it("forget the oldest of more than a hundred", () => {
    const cache = new CompletionCache();
    for (let index = 0; index <= 100; index += 1) cache.add({ text: "1;", context: context(`const a${index} = `) });
    assert.equal(cache.find(context("const a0 = ")), undefined);
    assert.equal(cache.find(context("const a1 = ")), "1;");
  });

  it("are gone after they are cleared", () => {
    const cache = new CompletionCache();
    cache.add({ text: "1;", context: context("const a = ") });
    cache.clear();
    assert.equal(cache.find(context("const a = ")), undefined);
  });
});

describe("a request under way", () => {
  const asked = context("const a = ");
  each<[arrived: string, now: ReturnType<typeof context>], boolean>([
    ["fits where the editor closed what was typed", "sum(items)", context("const a = sum(", ")\n"), true],
    ["does not fit where something was typed after the cursor", "sum(items)", context("const a = sum", ";\n"), false],
    ["fits where nothing was typed", "", context("const a = "), true],
    ["may still fit while less has arrived than was typed", "v", context("const a = val"), true],
    ["does not fit where something else was typed", "value", context("const a = x"), false],
    ["does not fit on a new line", "", context("const a = \n"), false],
  ]).gives((arrived, now) => stillFits(arrived, asked, now));
});

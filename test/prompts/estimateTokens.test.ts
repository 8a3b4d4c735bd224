import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { estimateTokens } from "../../src/prompts/estimateTokens.ts";
import { assertLinear } from "../support/assertLinear.ts";
import { chance } from "../support/random.ts";

/** Tokens are counted in pieces of this many characters, so that errors do not cancel out. */
const pieceLength = 4_000;

describe("the estimate of tokens", () => {
  const random = chance(64);
  const languages = {
    // Not the lists of patterns in src/text, which are no typical code.
    TypeScript: texts("src/{apply,chat,edits,gateway,git,images,inline,settings,usage}/**/*.ts"),
    Python: texts("test/samples/texts/*.py"),
    JSON: texts("{package,tsconfig}.json").concat(texts("package-lock.json")),
    English: texts("{README,CHANGELOG}.md").concat(texts("LICENSE")),
    Chinese: texts("test/samples/texts/*.zh.md").concat(values("package.nls.zh-cn.json"), values("l10n/*.zh-cn.json")),
    French: values(messagesIn("fr")),
    Japanese: values(messagesIn("ja")),
    Korean: values(messagesIn("ko")),
    Russian: values(messagesIn("ru")),
    Base64: cut(Buffer.from(Array.from({ length: 20_000 }, () => 256 * random())).toString("base64")),
  };
  for (const [language, pieces] of Object.entries(languages)) {
    it(`is close to the tokenizer for ${language}`, () => {
      // Code about completions names tokens that a tokenizer refuses in text of users.
      const asText = { disallowedSpecial: new Set<string>() };
      const samples = pieces
        .map((text) => ({ text, tokens: countTokens(text, asText) }))
        .filter(({ tokens }) => tokens > 200);
      const errors = samples.map(({ text, tokens }) => estimateTokens(text) / tokens - 1);
      const mean = errors.reduce((sum, error) => sum + Math.abs(error), 0) / errors.length;
      assert.ok(mean <= 0.1, `mean error ${mean.toFixed(3)}`);
      assert.ok(Math.min(...errors) >= -0.15, `lowest ${Math.min(...errors).toFixed(3)}`);
    });
  }

  it("takes linear time, and is 0 for an empty text", () => {
    assert.equal(estimateTokens(""), 0);
    for (const unit of ["A", " ", "\n ", "-", "中", "\u{1F600}", "aB1", "aB", "\ud800"]) {
      assertLinear((size) => estimateTokens(unit.repeat(size / unit.length)), 400_000);
    }
  });
});

/** TypeScript's messages in another language. */
function messagesIn(language: string): string {
  return `node_modules/typescript/lib/${language}/diagnosticMessages.generated.json`;
}

function texts(pattern: string): readonly string[] {
  return globSync(pattern).flatMap((path) => cut(readFileSync(path, "utf8").slice(0, 20 * pieceLength)));
}

/** The texts of a file of translations, without their English keys. */
function values(pattern: string): readonly string[] {
  return globSync(pattern).flatMap((path) => {
    const bundle: unknown = JSON.parse(readFileSync(path, "utf8"));
    return cut(Object.values(Object(bundle) as object).join("\n"));
  });
}

function cut(text: string): readonly string[] {
  return Array.from({ length: Math.ceil(text.length / pieceLength) }, (_, index) =>
    text.slice(index * pieceLength, (index + 1) * pieceLength),
  );
}

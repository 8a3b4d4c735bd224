import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import bundle from "../l10n/bundle.l10n.zh-cn.json" with { type: "json" };
import manifestTexts from "../package.nls.zh-cn.json" with { type: "json" };

/** Words that read as something else, or for which the Chinese texts have another. */
const strayTerms = /代理模式|前端|“询问”|选择器|点击|账[户号]|\btokens?\b/i;
const root = join(import.meta.dirname, "..");
const sources = globSync("src/**/*.ts", { cwd: root }).map((file) => join(root, file));
const translations = new Map(Object.entries(bundle));

describe("the Chinese bundle", () => {
  it("translates exactly the texts of the source", () => {
    const texts = new Set(sources.flatMap(textsIn));
    assert.deepEqual([...translations.keys()].toSorted(), [...texts].toSorted());
  });

  it("has one word for one thing, as the manifest's texts", () => {
    for (const text of [...translations.values(), ...Object.values(manifestTexts)])
      assert.doesNotMatch(text, strayTerms);
  });

  it("keeps every placeholder", () => {
    for (const [text, translation] of translations) {
      assert.deepEqual(placeholders(translation), placeholders(text), text);
    }
  });
});

function textsIn(file: string): readonly string[] {
  const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true);
  const texts: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && node.expression.getText() === "l10n.t") {
      const [text] = node.arguments;
      if (text && ts.isStringLiteralLike(text)) texts.push(text.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return texts;
}

function placeholders(text: string): readonly string[] {
  return [...new Set(text.match(/\{\d+\}/g))].toSorted();
}

import assert from "node:assert/strict";
import fc from "fast-check";
import { imageLink, pathFrom } from "../../src/images/imageLink.ts";
import { invisibleIn } from "../../src/text/invisible.ts";
import { each } from "../support/each.ts";

const path = "../my images/狐 (1).png";
const encoded = "../my%20images/%E7%8B%90%20%281%29.png";
const prompt = 'A [red] fox,\n"quick" & <sly> {x}';

/** What begins code in one language or template engine or another. */
const openings = [
  ...["{{", "{%", "{#", "{!!", "{{{", "{=", "{:", "<%", "<%=", "<?php", "<?", "@", "@(", "@{", "@if", "${", "#{", "*{"],
  ...["[[", "((", "<<", "`r ", "`", "``", "```", "|x|", ":raw:`", "__", "_", "*", "**", "+", "+++", "pass:[", "xref:"],
  ...["\\", "\\input{", "^^5c", "$", "$$", "%", "~", "#file:", "#tool:", "<script>", "<!--", "-->", "<", ">", "&lt;"],
  ...['"', "'", "](", "[", "]", "![", ")", "(", "}", "}}", "%}", "%>", "?>", "/>", "\n", "\r\n", "\n\n", "\t", "\0"],
  ..."\u202e \u2066 \u200b \ufeff \u2028 \ud800 &#123; &#123 & / = a x 狐".split(" "),
  " ",
];
const prompts = fc.oneof(fc.constantFrom(...openings), fc.string({ unit: "binary", maxLength: 4 }));

/** No two of these may stand together, not even once entities and backslashes are read. */
const code = /\{\{|\{[%#!:=<]|<[%?!]|[$#@*]\{|\[\[/;

/** The whole link with nothing in it that ends the text or begins something. */
const attribute = /^<img src="[\w%./~-]+" alt="(?:[^"#$%&'<=>@\\^`{|}~\n]|&#\d{2,3};)*" \/>$/;
const markdown = /^!\[(?:[^\\[\]*_<>&${}|@~^`\n]|\\[\\[\]*_<>&${}|@~^])*\]\([\w%./~-]+\)$/;
const languages: readonly (readonly [string, RegExp])[] = [
  ...["markdown", "mdx", "quarto", "rmd", "chatagent", "instructions", "prompt"].map((id) => [id, markdown] as const),
  ...["html", "php", "handlebars", "razor", "blade", "erb", "twig", "ejs"].map((id) => [id, attribute] as const),
  ...["jinja-html", "django-html", "liquid", "vue", "vue-html", "svelte"].map((id) => [id, attribute] as const),
  ...["javascriptreact", "typescriptreact", "astro", "xml", "xsl"].map((id) => [id, attribute] as const),
  ...["css", "scss", "sass", "less", "stylus", "postcss"].map((id) => [id, /^url\("[\w%./~-]+"\)$/] as const),
  ["latex", /^\\includegraphics\{images\/x\.png\}$/],
  ["restructuredtext", /^\.\. image:: images\/x\.png\n {3}:alt: (?:[^`|*\\_\n]|_(?=[\p{L}\p{N}]))*\n$/u],
  ["asciidoc", /^image::images\/x\.png\["[\p{L}\p{M}\p{N},.;!?'’“” -]*"\]$/u],
  ["python", /^images\/x\.png$/],
];

/** What an engine sees that reads a document after its own language was read. */
function decoded(link: string): string {
  if (!/^(?:!\[|<)/.test(link)) return link;
  return link
    .replace(/^!\[/, "")
    .replace(
      /\\([!-/:-@[-`{-~])|&#(\d+);/g,
      (_, escaped?: string, number?: string) => escaped ?? String.fromCharCode(Number(number)),
    );
}

describe("the link to an image", () => {
  const alt = "A red fox, quick sly x";
  const cases: readonly (readonly [readonly string[], string])[] = [
    [["markdown", "mdx"], `![${alt}](${encoded})`],
    [["html", "php", "javascriptreact", "vue", "xml", "xsl"], `<img src="${encoded}" alt="${alt}" />`],
    [["css", "scss", "less"], `url("${encoded}")`],
    [["latex", "tex"], "\\includegraphics{../my images/狐 (1).png}"],
    [["restructuredtext"], `.. image:: ../my\\ images/狐\\ (1).png\n   :alt: ${alt}\n`],
    [["asciidoc"], 'image::../my images/狐 (1).png["A red fox, quick sly x"]'],
    [["plaintext", "python", "unheard-of"], path],
  ];
  it("is written as each language wants it", () => {
    for (const [languages, link] of cases)
      for (const language of languages) assert.equal(imageLink(language, path, prompt), link, language);
  });

  it("has nothing that nobody sees, in its path or its text", () => {
    for (const [language] of languages) {
      const link = imageLink(language, "a\u202e\u00adb/x.png", "a\u202e\u00ad\u3164\u2800\u180eb");
      assert.equal(invisibleIn(link).size, 0, language);
      assert.doesNotMatch(link, /\u2800/);
    }
  });

  it("is no code, whatever the prompt, in any language", () => {
    fc.assert(
      fc.property(fc.array(prompts, { maxLength: 12 }), (parts) => {
        for (const [language, pattern] of languages) {
          const link = imageLink(language, "images/x.png", parts.join(""));
          assert.match(link, pattern, language);
          assert.doesNotMatch(decoded(link), code, language);
          assert.doesNotMatch(link, /[\p{Cs}\u061c\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]|[^\P{Cc}\n]/u);
        }
      }),
      { seed: 11, numRuns: 3_000 },
    );
  });

  it("has a path that is no code, whatever the folder's name", () => {
    fc.assert(
      fc.property(fc.array(prompts, { maxLength: 12 }), (parts) => {
        const path = `${parts.join("").replaceAll("/", "")}/x.png`;
        for (const [language, pattern] of languages) {
          if (!/restructured|asciidoc|tex|python/.test(language))
            assert.match(imageLink(language, path, ""), pattern, language);
        }
        const tex = imageLink("latex", path, "");
        assert.match(tex, /^\\includegraphics\{(?:[^\\^%#{}\n]|\\[%#{}])*\/x\.png\}$/);
        assert.match(imageLink("asciidoc", path, ""), /^image::[^[\]{}+`*^|<>#"\\\n]*\/x\.png\[""\]$/);
        const rst = imageLink("restructuredtext", path, "");
        assert.match(rst, /^\.\. image:: (?:[^\\`|*\n ]|\\.)*\/x\.png\n {3}:alt: \n$/);
        assert.doesNotMatch(imageLink("python", path, ""), /\p{Cc}/u);
      }),
      { seed: 11, numRuns: 1_000 },
    );
  });
});

describe("the path of an image as seen from a document", () => {
  each([
    ["leads into a folder", "/w/README.md", "/w/images/x.png", "images/x.png"],
    ["leads out of a folder", "/w/docs/plan.md", "/w/images/x.png", "../images/x.png"],
    ["stays in a folder", "/w/images/notes.md", "/w/images/x.png", "x.png"],
    ["has the characters of its names", "/c:/w/docs/a b.md", "/c:/w/图像/x y.png", "../图像/x y.png"],
    ["stays on a drive in other letters", "/C:/w/README.md", "/c:/w/images/x.png", "images/x.png"],
  ]).gives(pathFrom);
});

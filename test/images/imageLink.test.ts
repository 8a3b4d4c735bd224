import assert from "node:assert/strict";
import fc from "fast-check";
import { imageLink, pathFrom } from "../../src/images/imageLink.ts";
import { invisibleIn } from "../../src/text/hiddenText.ts";
import { each } from "../support/each.ts";

const path = "../my images/狐 (1)#.png";
const encoded = "../my%20images/%E7%8B%90%20%281%29%23.png";
const prompt = 'A [red] fox,\n"quick" & <sly> {x}';

/** What may begin or end something in a language or a template engine, and other texts. */
const unseen = ["\u202e", "\u200b", "\u2028", "\u00ad", "\u3164", "\u2800"];
const special = [...Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)), ...unseen, "狐"];
const foreign = fc
  .array(fc.oneof(fc.constantFrom(...special), fc.string({ unit: "binary", maxLength: 4 })), { maxLength: 40 })
  .map((parts) => parts.join(""));

/** Words and punctuation, of which no language and no engine makes code. */
const alt = String.raw`(?!.*--)[\p{L}\p{M}\p{N},.;!?’“” -]*`;

/** A language for each form of a link, and all that a link in it may be. */
const forms: Readonly<Record<string, string>> = {
  markdown: String.raw`!\[${alt}\]\([\w%./~-]+\)`,
  html: String.raw`<img src="[\w%./~-]+" alt="${alt}" />`,
  css: String.raw`url\("[\w%./~-]+"\)`,
  latex: String.raw`\\includegraphics\{(?:[^\\^%#\{\}\n]|\\[%#\{\}])*\}`,
  restructuredtext: String.raw`\.\. image:: (?:[^\\\x60|*\n ]|\\.)*\n {3}:alt: ${alt}\n`,
  asciidoc: String.raw`image::[^\[\]\{\}+\x60*^|<>#"\\\n]*\["${alt}"\]`,
  python: String.raw`\P{Cc}*`,
};

describe("the link to an image", () => {
  const text = "A red fox, quick sly x";
  const link = `<img src="${encoded}" alt="${text}" />`;
  each([
    ["is that of Markdown", "markdown mdx quarto rmd chatagent instructions prompt", `![${text}](${encoded})`],
    ["is that of HTML", "html php handlebars razor blade erb twig jinja-html django-html ejs liquid", link],
    ["is that of XML", "javascriptreact typescriptreact vue vue-html svelte astro xml xsl", link],
    ["is that of CSS", "css scss sass less stylus postcss tailwindcss", `url("${encoded}")`],
    ["is that of TeX", "latex tex", "\\includegraphics{../my images/狐 (1)\\#.png}"],
    ["is that of rST", "restructuredtext", `.. image:: ../my\\ images/狐\\ (1)#.png\n   :alt: ${text}\n`],
    ["is that of AsciiDoc", "asciidoc", `image::../my images/狐 (1)%23.png["${text}"]`],
    ["is a path elsewhere", "plaintext python unheard-of", path],
  ]).hold((languages, expected) => {
    for (const language of languages.split(" ")) assert.equal(imageLink(language, path, prompt), expected, language);
  });

  it("is no code, and has nothing that nobody sees, in its path or its text, whatever these are", () => {
    fc.assert(
      fc.property(foreign, foreign, (folder, prompt) => {
        for (const [language, form] of Object.entries(forms)) {
          const link = imageLink(language, `${folder.replaceAll("/", "")}/x.png`, prompt);
          assert.match(link, new RegExp(`^${form}$`, "u"), language);
          assert.equal(invisibleIn(link).size, 0, language);
        }
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

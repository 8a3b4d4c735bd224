import assert from "node:assert/strict";
import fc from "fast-check";
import { imageLink, pathFrom } from "../../src/images/imageLink.ts";
import { unseenIn } from "../../src/text/unseen.ts";

const path = "../my images/狐 (1).png";
const encoded = "../my%20images/%E7%8B%90%20%281%29.png";
const prompt = 'A [red] fox,\n"quick" & <sly> {x}';

/** What begins code in one language or template engine or another. */
const openings = [
  ...["{{", "{%", "{#", "{!!", "{{{", "{=", "{:", "<%", "<%=", "<?php", "<?", "@", "@(", "@{", "@if", "${", "#{", "*{"],
  ...["[[", "((", "<<", "`r ", "`", "``", "```", "|x|", ":raw:`", "__", "_", "*", "**", "+", "+++", "pass:[", "xref:"],
  ...["\\", "\\input{", "^^5c", "$", "$$", "%", "~", "#file:", "#tool:", "<script>", "<!--", "-->", "<", ">", "&lt;"],
  ...['"', "'", "](", "[", "]", "![", ")", "(", "}", "}}", "%}", "%>", "?>", "/>", "\n", "\r\n", "\n\n", "\t", "\0"],
  ...[
    "\u202e",
    "\u2066",
    "\u200b",
    "\ufeff",
    "\u2028",
    "\ud800",
    "&#123;",
    "&#123",
    "&",
    "/",
    "=",
    "a",
    "x",
    " ",
    "狐",
  ],
];
const prompts = fc.oneof(fc.constantFrom(...openings), fc.string({ unit: "binary", maxLength: 4 }));

/** No two of these may stand together, not even once entities and backslashes are read. */
const code = /\{\{|\{[%#!:=<]|<[%?!]|[$#@*]\{|\[\[/;

/** The whole link with nothing in it that ends the text or begins something. */
const attribute = /^<img src="[\w%./~-]+" alt="(?:[^"#$%&'<=>@\\^`{|}~\n]|&#\d{2,3};)*"(?: \/)?>$/;
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
  const cases: readonly (readonly [readonly string[], string])[] = [
    [["markdown", "mdx"], `![A \\[red\\] fox, "quick" \\& \\<sly\\> \\{x\\}](${encoded})`],
    [
      ["html", "php", "handlebars"],
      `<img src="${encoded}" alt="A [red] fox, &#34;quick&#34; &#38; &#60;sly&#62; &#123;x&#125;">`,
    ],
    [
      ["javascriptreact", "typescriptreact", "vue", "svelte"],
      `<img src="${encoded}" alt="A [red] fox, &#34;quick&#34; &#38; &#60;sly&#62; &#123;x&#125;" />`,
    ],
    [["xml", "xsl"], `<img src="${encoded}" alt="A [red] fox, &#34;quick&#34; &#38; &#60;sly&#62; (x)" />`],
    [["css", "scss", "less"], `url("${encoded}")`],
    [["latex", "tex"], "\\includegraphics{../my images/狐 (1).png}"],
    [["restructuredtext"], '.. image:: ../my\\ images/狐\\ (1).png\n   :alt: A [red] fox, "quick" & <sly> {x}\n'],
    [["asciidoc"], 'image::../my images/狐 (1).png["A red fox, quick sly x"]'],
    [["plaintext", "python", "unheard-of"], path],
  ];
  for (const [languages, link] of cases) {
    for (const language of languages) {
      it(`is written as ${language} wants it`, () => {
        assert.equal(imageLink(language, path, prompt), link);
      });
    }
  }

  const inert: readonly (readonly [string, string, string])[] = [
    ["razor", "me@(1+1) @Model", "me&#64;(1+1) &#64;Model"],
    ["blade", "@php(x) {{ y }} {!! z !!}", "&#64;php(x) &#123; &#123; y &#125;&#125; &#123; !! z !!&#125;"],
    ["handlebars", "{{{x}}}", "&#123; &#123; &#123;x&#125;&#125;&#125;"],
    ["twig", "{% x %} {# y #}", "&#123; &#37; x &#37;&#125; &#123; &#35; y &#35;&#125;"],
    ["ejs", "<%= x %>", "&#60; &#37;&#61; x &#37;&#62;"],
    ["php", "<?php x(); ?>", "&#60; ?php x(); ?&#62;"],
    ["html", "[[${x}]] `y`", "[ [&#36; &#123;x&#125;]] &#96;y&#96;"],
  ];
  for (const [language, written, alt] of inert) {
    it(`is no code of ${language}`, () => {
      assert.equal(imageLink(language, "x.png", written), `<img src="x.png" alt="${alt}">`);
    });
  }

  const inMarkdown: readonly (readonly [string, string, string])[] = [
    ["an expression of MDX", "a {process.exit()} b", "a \\{process.exit()\\} b"],
    ["inline code of R Markdown", '`r system("x")`', "'r system(\"x\")'"],
    ["an inline chunk of Quarto", "`{r} x`", "' \\{r\\} x'"],
    ["a tag of Jekyll", "{% include x %} {{ y }}", "\\{ % include x %\\} \\{ \\{ y \\}\\}"],
    ["a shortcode of Hugo", "{{< x >}}", "\\{ \\{ \\< x \\>\\}\\}"],
    ["a file of a prompt", "#file:secret.txt C#", "# file:secret.txt C#"],
    ["a variable of a prompt", "${input:x}", "\\$ \\{input:x\\}"],
    ["a citation", "see @doe", "see \\@doe"],
    ["a cell's end", "a | b", "a \\| b"],
    ["text in the other direction", "a \u202egnp.exe", "a gnp.exe"],
  ];
  for (const [what, written, alt] of inMarkdown) {
    it(`is not ${what}, in Markdown`, () => {
      assert.equal(imageLink("markdown", "x.png", written), `![${alt}](x.png)`);
    });
  }

  it("has nothing that nobody sees, in its path or its text", () => {
    for (const [language] of languages) {
      const link = imageLink(language, "a\u202e\u00adb/x.png", "a\u202e\u00ad\u3164\u2800\u180eb");
      assert.equal(unseenIn(link).size, 0, language);
      assert.doesNotMatch(link, /\u2800/);
    }
  });

  it("is no role, reference or substitution of reStructuredText", () => {
    const alt = "a 'secret' 'x' :raw:'y' link [1] snake_case";
    const link = imageLink("restructuredtext", "x.png", "a |secret| *x* :raw:`y` link_ [1]_ snake_case");
    assert.equal(link, `.. image:: x.png\n   :alt: ${alt}\n`);
  });

  it("is no attribute, passthrough or macro of AsciiDoc", () => {
    const link = imageLink("asciidoc", "{docdir}/x.png", "{env} +++<b>+++ pass:[x] ((y)) <<z>> it's");
    assert.equal(link, 'image::%7Bdocdir%7D/x.png["env b pass x y z it\'s"]');
  });

  it("is no code, whatever the prompt, in any language", () => {
    fc.assert(
      fc.property(fc.array(prompts, { maxLength: 12 }), (parts) => {
        for (const [language, pattern] of languages) {
          const link = imageLink(language, "images/x.png", parts.join(""));
          assert.match(link, pattern, language);
          assert.doesNotMatch(decoded(link), code, language);
          assert.doesNotMatch(
            link,
            /[\p{Cs}\u061c\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]|[^\P{Cc}\n]/u,
            language,
          );
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
        assert.match(
          imageLink("restructuredtext", path, ""),
          /^\.\. image:: (?:[^\\`|*\n ]|\\.)*\/x\.png\n {3}:alt: \n$/,
        );
        assert.doesNotMatch(imageLink("python", path, ""), /\p{Cc}/u);
      }),
      { seed: 11, numRuns: 1_000 },
    );
  });

  it("cannot break out of a Markdown image", () => {
    assert.equal(imageLink("markdown", "x.png", "a](http://evil) \\"), "![a\\](http://evil) \\\\](x.png)");
  });

  it("keeps TeX from reading a path as commands", () => {
    assert.equal(imageLink("latex", "50%/a#b.png", ""), "\\includegraphics{50\\%/a\\#b.png}");
  });
});

describe("the path of an image as seen from a document", () => {
  const cases = [
    ["/w/README.md", "/w/images/x.png", "images/x.png"],
    ["/w/docs/plan.md", "/w/images/x.png", "../images/x.png"],
    ["/w/docs/a/b.md", "/w/docs/images/x.png", "../images/x.png"],
    ["/w/images/notes.md", "/w/images/x.png", "x.png"],
    ["/c:/w/docs/a b.md", "/c:/w/图像/x y.png", "../图像/x y.png"],
  ] as const;
  for (const [document, file, expected] of cases) {
    it(`is ${expected} from ${document}`, () => {
      assert.equal(pathFrom(document, file), expected);
    });
  }
});

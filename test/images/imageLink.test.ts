import assert from "node:assert/strict";
import { imageLink, pathFrom } from "../../src/images/imageLink.ts";

const path = "../my images/狐 (1).png";
const encoded = "../my%20images/%E7%8B%90%20%281%29.png";
const prompt = 'A [red] fox,\n"quick" & <sly> {x}';

describe("the link to an image", () => {
  const cases: readonly (readonly [readonly string[], string])[] = [
    [["markdown", "mdx"], `![A \\[red\\] fox, "quick" \\& \\<sly\\> {x}](${encoded})`],
    [
      ["html", "php", "handlebars"],
      `<img src="${encoded}" alt="A [red] fox, &#34;quick&#34; &#38; &#60;sly&#62; &#123;x&#125;">`,
    ],
    [
      ["javascriptreact", "typescriptreact", "vue", "svelte"],
      `<img src="${encoded}" alt="A [red] fox, &#34;quick&#34; &#38; &#60;sly&#62; &#123;x&#125;" />`,
    ],
    [["css", "scss", "less"], `url("${encoded}")`],
    [["latex", "tex"], "\\includegraphics{../my images/狐 (1).png}"],
    [["restructuredtext"], '.. image:: ../my\\ images/狐\\ (1).png\n   :alt: A [red] fox, "quick" & <sly> {x}\n'],
    [["asciidoc"], 'image::../my images/狐 (1).png["A [red\\] fox, \\"quick\\" & <sly> {x}"]'],
    [["plaintext", "python", "unheard-of"], path],
  ];
  for (const [languages, link] of cases) {
    for (const language of languages) {
      it(`is written as ${language} wants it`, () => {
        assert.equal(imageLink(language, path, prompt), link);
      });
    }
  }

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

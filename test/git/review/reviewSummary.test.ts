import assert from "node:assert/strict";
import { Uri } from "vscode";
import type { LocatedFinding } from "../../../src/git/review/locateFindings.ts";
import type { Review } from "../../../src/git/review/reviewChanges.ts";
import { findingMarkdown, resultText, summaryMarkdown } from "../../../src/git/review/reviewSummary.ts";
import { render } from "../../support/render.ts";
import { placedAt, reported } from "../../support/git/findings.ts";

const plain: Review = {
  repository: { rootUri: Uri.file("/harbor") },
  isStaged: true,
  located: [],
  unlocated: [],
  others: "",
  reviewed: 2,
  skipped: [],
  secretFiles: 0,
  isTruncated: false,
};

const textOf = (review: Partial<Review>, isFixed: (finding: LocatedFinding) => boolean = () => false): string =>
  summaryMarkdown({ ...plain, ...review }, "/work", isFixed);

describe("the findings of a review", () => {
  it("hide nothing that the model wrote, and run nothing", () => {
    const title = "[Quit](command:workbench.action.quit) <b> ![i](https://x.example/y.png) \u202e**";
    const { unseen } = render(findingMarkdown({ title, text: `${title}\n\n<img src=x>\n\n[a]: https://x.example` }));
    assert.deepEqual(unseen, []);
    assert.match(findingMarkdown({ title, text: "" }), /\\\[Quit\\\]\\\(command\\:[^]*⟨U\\\+202E⟩/);
    const summary = textOf({
      repository: { rootUri: Uri.file("/# harbor") },
      unlocated: [{ ...reported, file: "<b>.ts", quote: "`![i](x)`", title, text: `# ${title}\n- [x](command:y)` }],
      others: `${title}\n\n| a |\n---\n`,
      skipped: [{ path: "![i](https://x.example)", reason: "cut" }],
    });
    assert.deepEqual(render(summary).unseen, []);
    const headings = ["# Review of \\# harbor", "## Not linked to a line", "## Skipped or cut"];
    assert.deepEqual(summary.match(/^#.*$/gm), headings);
    assert.doesNotMatch(summary, /[^\\]\]\(/);
  });

  it("are links to their lines in the summary, struck through once they are fixed", () => {
    const located = [...placedAt("a [1] (b)%.ts", 1), ...placedAt("b.ts", 0)];
    const isFixed = (finding: LocatedFinding): boolean => finding.path === "b.ts";
    assert.deepEqual(textOf({ located }, isFixed).match(/^- .*$/gm), [
      "- [a \\[1\\] \\(b\\)\\%\\.ts:2](</../harbor/a%20%5B1%5D%20(b)%25.ts#L2>) · Bug, high severity · **Wrong**",
      "- ~~[b\\.ts:1](</../harbor/b.ts#L1>) · Bug, high severity · **Wrong**~~",
    ]);
  });

  it("are counted in a sentence, with what was not reviewed", () => {
    assert.equal(resultText(plain), "No problems found in 2 changed files.");
    assert.equal(
      resultText({ ...plain, reviewed: 1, located: placedAt("a.ts", 1), secretFiles: 2, isTruncated: true }),
      "1 problem found in 1 changed file. Skipped or cut: 2. The review is incomplete: the model reached its output limit.",
    );
    const noFindings = "The model's answer has no findings that can be read. The summary shows it.";
    assert.equal(resultText({ ...plain, others: "I like it." }), noFindings);
    const skipped = Array.from({ length: 60 }, (_, index) => ({ path: `f${index}.ts`, reason: "unread" }) as const);
    assert.match(textOf({ skipped }), /- f49[^]*- and 10 more\n/);
  });
});

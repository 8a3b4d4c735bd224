import assert from "node:assert/strict";
import { extensionLine, noteLine } from "../../src/chat/context/extensionLines.ts";

describe("a line that the extension adds to an answer", () => {
  it("breaks between its words, and stands alone", () => {
    const { value } = extensionLine("sync", "The model was asked once more");
    assert.equal(value.trim(), "$(sync) _The model was asked once more_");
    assert.match(value, /^\n\n[^]*\n\n$/);
  });

  it("shows names of files as they are, and nothing that they would bring in", () => {
    const names = ["a_b*.ts", "$(error)", "[x](command:evil)", "two\nlines"];
    const { value } = noteLine({ kind: "unreadable", names });
    assert.match(value, /a\\_b\\\*\\\.ts/);
    assert.match(value, /two lines/);
    assert.doesNotMatch(value.replace("$(info)", ""), /\$\(|\]\(|<|&/);
  });
});

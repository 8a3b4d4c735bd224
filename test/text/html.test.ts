import assert from "node:assert/strict";
import { escapeHtml, withoutEntities } from "../../src/text/html.ts";

describe("the entities of HTML", () => {
  it("are read as the characters that they stand for, once, and are no names that only look like them", () => {
    assert.equal(withoutEntities("&lt;a b=&quot;1&quot; c=&apos;&#39;&gt; &amp;&amp;"), "<a b=\"1\" c=''> &&");
    assert.equal(withoutEntities("&amp;lt;"), "&lt;");
    for (const text of ["a & b", "&copy;", "&lt", "&LT;"]) assert.equal(withoutEntities(text), text);
  });

  it("leave no mark-up in text that is escaped", () => {
    assert.doesNotMatch(escapeHtml(`<a href="x" title='y'>`), /[<>"']/);
  });
});

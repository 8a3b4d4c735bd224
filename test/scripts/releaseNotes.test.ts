import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import manifest from "../../package.json" with { type: "json" };
import { root } from "../../scripts/paths.ts";
import { releaseNotes } from "../../scripts/releaseNotes.ts";

const changelog = `# Changelog

What changed
and when.

## [1.10.0] - 2027-02-03

### Added

- One thing, which takes
  two lines.
- Another.

Words
of a paragraph.

## [1.1.0] - 2027-01-02

- The first.

## [1.0.0] - 2027-01-01
`;

describe("the notes of a release", () => {
  it("are the section of that version alone, each paragraph on a line", () => {
    const expected = "### Added\n\n- One thing, which takes two lines.\n- Another.\n\nWords of a paragraph.\n";
    assert.equal(releaseNotes(changelog, "1.10.0"), expected);
    assert.equal(releaseNotes(changelog, "1.1.0"), "- The first.\n");
  });

  it("are missing where the changelog says nothing about it, which stops the release", () => {
    for (const version of ["1.0.0", "1.1", "2.0.0"])
      assert.throws(() => releaseNotes(changelog, version), /^Error: CHANGELOG\.md says nothing about version/);
  });

  it("are there for the version in package.json", () => {
    assert.match(releaseNotes(readFileSync(join(root, "CHANGELOG.md"), "utf8"), manifest.version), /^(?:###|-) /);
  });
});

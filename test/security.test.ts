import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { explanations, promises } from "./promises.ts";

describe("the promises to users", () => {
  const read = (path: string): string => readFileSync(join(import.meta.dirname, "..", path), "utf8");
  const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();

  it("are in the pages, word by word", () => {
    const pages = globSync("{SECURITY,README,docs/*}.md", { cwd: join(import.meta.dirname, "..") });
    const texts = pages.map((path) => oneLine(read(path)));
    const gone = [...Object.keys(promises), ...explanations].filter(
      (part) => !texts.some((text) => text.includes(part)),
    );
    assert.deepEqual(gone, []);
  });

  it("and their explanations are all that the pages about security and privacy say", () => {
    const sections = read("SECURITY.md").split(/^## /m);
    const selected = sections.filter((section) =>
      /^(?:What Codex Gateway guarantees|What data is kept)\n/.test(section),
    );
    const parts = [...Object.keys(promises), ...explanations];
    const found = [...selected, ...read("docs/privacy.md").split(/^## /m).slice(1)].flatMap(sentencesOf);
    assert.ok(selected.length === 2 && found.length > 100, `${found.length} sentences`);
    assert.deepEqual(
      found.filter((sentence) => !parts.some((part) => sentence.includes(part))),
      [],
    );
  });

  it("name existing tests, each by a part of its title or by the end of a block's title and the start of its own", () => {
    const paths = globSync("**/*.test.ts", { cwd: import.meta.dirname });
    const source = paths.map((path) => readFileSync(join(import.meta.dirname, path), "utf8")).join("\n");
    const isThere = (title: string): boolean => {
      const words = title.split(" ");
      return words.some((_, at) =>
        [words.slice(0, at), words.slice(at)].every((part) => source.includes(part.join(" "))),
      );
    };
    const titles = Object.values(promises).flat();
    assert.deepEqual(
      titles.filter((title) => !isThere(title)),
      [],
    );
  });

  /** The sentences of a section, of its lists, and the rows of its tables. */
  function sentencesOf(section: string): readonly string[] {
    const [, ...blocks] = section.replace(/\n/, "\n\n").split(/\n\s*\n|\n(?=- )/);
    const texts = blocks.flatMap((block) =>
      block.startsWith("|") ? block.split("\n").slice(2) : block.replace(/^- /, "").split(/(?<=[.:])\s(?=[*A-Z`])/),
    );
    return texts.map(oneLine).filter((text) => text !== "" && !/^\*\*[\w ]+\*\*$/.test(text));
  }
});

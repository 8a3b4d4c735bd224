import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import promises from "./promises.json" with { type: "json" };

describe("the promises to users", () => {
  const parts = Object.keys(promises);
  const read = (path: string): string => readFileSync(join(import.meta.dirname, "..", path), "utf8");
  const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();

  it("are in the pages, word by word", () => {
    const pages = globSync("{SECURITY,README,docs/*}.md", { cwd: join(import.meta.dirname, "..") });
    const text = pages.map((path) => oneLine(read(path))).join("\n");
    for (const part of parts) assert.ok(text.includes(part), part);
  });

  it("and what explains them are all that the pages about security and privacy say", () => {
    const sections = read("SECURITY.md").split(/^## /m);
    const guarantees = sections.filter((text) => /^What (?:Codex Gateway guarantees|data is kept)\n/.test(text));
    const sentences = [...guarantees, ...read("docs/privacy.md").split(/^## /m).slice(1)].flatMap(sentencesOf);
    assert.ok(guarantees.length === 2 && sentences.length > 100, `${sentences.length} sentences`);
    const unproven = sentences.filter((sentence) => !parts.some((part) => sentence.includes(part)));
    assert.deepEqual(unproven, []);
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

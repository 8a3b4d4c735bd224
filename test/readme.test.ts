import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import manifest from "../package.json" with { type: "json" };
import { keyVariables } from "../src/settings/keys.ts";

const root = join(import.meta.dirname, "..");
const files = ["README.md", "README.zh-cn.md", "SECURITY.md", "CHANGELOG.md", "docs/teams.md", "docs/zh-cn/teams.md"];

describe("the documents for users", () => {
  for (const file of files) {
    const text = readFileSync(join(root, file), "utf8");

    it(`ends every sentence: ${file}`, () => {
      const unfinished = paragraphsOf(text).filter((paragraph) => !/[.:。：)）]$/.test(paragraph));
      assert.deepEqual(unfinished, []);
    });

    it(`links files and headings that are there: ${file}`, () => {
      const headings = new Set([...text.matchAll(/^#+ (.+)$/gm)].map(([, title = ""]) => anchorOf(title)));
      for (const [, target = ""] of text.matchAll(/\]\((?!https?:)([^)]+)\)/g)) {
        const [path = "", heading] = target.split("#");
        if (path !== "") assert.ok(existsSync(join(root, dirname(file), path)), target);
        else assert.ok(headings.has(heading ?? ""), target);
      }
    });
  }

  for (const file of ["README.md", "README.zh-cn.md"]) {
    it(`names the variables that hold keys, and SECURITY.md: ${file}`, () => {
      const text = readFileSync(join(root, file), "utf8");
      for (const name of [...Object.values(keyVariables), "SECURITY.md"]) assert.ok(text.includes(name), name);
    });
  }
});

describe("the documents for contributors", () => {
  for (const file of ["CONTRIBUTING.md", "README.md", "README.zh-cn.md"]) {
    it(`names files and folders that are there: ${file}`, () => {
      const paths = [...readFileSync(join(root, file), "utf8").matchAll(/`((?:src|test)(?:\/[\w./-]+)?)`/g)];
      assert.ok(paths.length > 10, "paths are found");
      const missing = paths.map(([, path = ""]) => path).filter((path) => !existsSync(join(root, path)));
      assert.deepEqual(missing, []);
    });
  }

  for (const file of ["README.md", "README.zh-cn.md"]) {
    it(`maps every folder of the code: ${file}`, () => {
      const rows = readFileSync(join(root, file), "utf8").matchAll(/^\| `src\/(\w+)` /gm);
      const folders = readdirSync(join(root, "src"), { withFileTypes: true }).filter((found) => found.isDirectory());
      assert.deepEqual([...rows].map(([, folder]) => folder).sort(), folders.map(({ name }) => name).sort());
    });
  }
});

describe("CONTRIBUTING.md", () => {
  const text = readFileSync(join(root, "CONTRIBUTING.md"), "utf8");

  it("shows commands that run something", () => {
    const { scripts } = manifest;
    const run = Array.from(text.matchAll(/npm (?:run )?([\w:]+)/g), ([, name = ""]) => name);
    assert.deepEqual(
      run.filter((name) => !(name in scripts) && name !== "ci"),
      [],
    );
    const tests = sourceFiles(join(root, "test")).map((file) => readFileSync(file, "utf8"));
    const wanted = Array.from(text.matchAll(/npm test -- \w+ "([^"]+)"/g), ([, title = ""]) => title);
    assert.ok(wanted.length > 0);
    for (const title of wanted)
      assert.ok(
        tests.some((source) => new RegExp(`\\b(?:it|describe)\\(["\`].*${title}`).test(source)),
        title,
      );
  });

  it("names files and folders that are there", () => {
    for (const [, path = ""] of text.matchAll(/`((?:src|test)\/[\w./-]*)`/g))
      assert.ok(existsSync(join(root, path)), path);
  });
});

function sourceFiles(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".test.ts"))
    .map((name) => join(folder, name));
}

/** Paragraphs and items of lists, each as one line; no headings, tables, code or pictures, and nothing but a link. */
function paragraphsOf(markdown: string): readonly string[] {
  const prose = markdown.replace(/^```[^]*?^```$/gm, "");
  return prose
    .split(/\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )/)
    .map((paragraph) => paragraph.replace(/\s+/g, " ").trim())
    .filter((paragraph) => paragraph !== "" && !/^(?:#|\||!?\[[^\]]*\]\([^)]*\)$|MIT$|\*\*[^*]+\*\*$)/.test(paragraph));
}

function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s-]/gu, "")
    .replaceAll(" ", "-");
}

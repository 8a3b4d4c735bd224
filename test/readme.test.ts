import assert from "node:assert/strict";
import { existsSync, globSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import chineseTexts from "../l10n/bundle.l10n.zh-cn.json" with { type: "json" };
import manifest from "../package.json" with { type: "json" };
import english from "../package.nls.json" with { type: "json" };
import chinese from "../package.nls.zh-cn.json" with { type: "json" };
import { runProgram } from "../scripts/runProgram.ts";
import { keyVariables } from "../src/settings/keys.ts";

const root = join(import.meta.dirname, "..");
const readmes = ["README.md", "README.zh-cn.md"];
const pages = globSync("docs/**/*.md", { cwd: root }).map((file) => file.replaceAll("\\", "/"));
const forUsers = [...readmes, ...pages];
const { commands, configuration, keybindings, menus } = manifest.contributes;

/** Keys of VS Code that pages name. */
const otherKeys = ["ctrl+i", "cmd+i", "ctrl+right", "cmd+right", "option+\\"];

/** Names in bold that are not texts of the extension: VS Code's commands, and the places of settings. */
const otherNames = ["Extensions: Install from VSIX...", "User", "User or remote", "Anywhere"].concat(
  "扩展: 从 VSIX 安装...|用户|用户或远程|任意".split("|"),
);

describe("the documents for users", () => {
  for (const file of [...forUsers, "SECURITY.md", "CHANGELOG.md"]) {
    it(`ends every sentence: ${file}`, () => {
      const unfinished = paragraphsOf(read(file)).filter((paragraph) => !/[.:?。：？)）；]\**$/.test(paragraph));
      assert.deepEqual(unfinished, []);
    });
  }

  for (const file of [...forUsers, "SECURITY.md", "CHANGELOG.md", "CONTRIBUTING.md"]) {
    it(`links files and headings that are there: ${file}`, () => {
      for (const [, target = ""] of read(file).matchAll(/\]\((?!https?:)([^)]+)\)/g)) {
        const [path = "", heading] = target.split("#");
        const page = path === "" ? file : join(dirname(file), path);
        assert.ok(existsSync(join(root, page)), target);
        if (heading !== undefined) assert.ok(headingsOf(read(page)).map(anchorOf).includes(heading), target);
      }
    });
  }

  for (const file of readmes) {
    it(`is short, and names the variables that hold keys, SECURITY.md, and every page: ${file}`, () => {
      const text = read(file);
      assert.ok(text.split("\n").length <= 121);
      assert.ok(Buffer.byteLength(text) <= 9 * 1024);
      const folder = file === "README.md" ? "docs" : "docs/zh-cn";
      const links = pages.filter((path) => dirname(path) === folder).map((page) => `](${page}`);
      for (const name of [...Object.values(keyVariables), "SECURITY.md", ...links])
        assert.ok(text.includes(name), name);
    });
  }

  it("are there in both languages", () => {
    const [inEnglish, inChinese] = [pages.filter((page) => !isChinese(page)), pages.filter(isChinese)];
    assert.deepEqual(inChinese.map((page) => page.replace("zh-cn/", "")).toSorted(), inEnglish.toSorted());
    for (const page of inEnglish) {
      const translated = read(page.replace("docs/", "docs/zh-cn/"));
      assert.equal(headingsOf(translated).length, headingsOf(read(page)).length, page);
    }
  });

  it("have the tables that npm run docs writes", async () => {
    await runProgram(process.execPath, ["scripts/docs.ts", "--check"], { cwd: root });
  });

  for (const file of pages) {
    it(`begins with a table of contents, and has at most 200 lines: ${file}`, () => {
      const [, ...headings] = headingsOf(read(file));
      const contents = headings.map((title) => `- [${title}](#${anchorOf(title)})`).join("\n");
      assert.match(read(file), /^# .+\n\n- \[/);
      assert.ok(read(file).includes(`\n\n${contents}\n\n`), contents);
      assert.ok(read(file).split("\n").length <= 201);
    });
  }

  for (const file of forUsers) {
    it(`shows pictures that are there, small, described, and also light: ${file}`, () => {
      const text = read(file);
      assert.doesNotMatch(text, /!\[/);
      const dark = [...text.matchAll(/<img alt="(.{10,})" src="(.+)\.png"/g)].map(([, , path = ""]) => path);
      const light = [...text.matchAll(/ srcset="(.+)-light\.png"/g)].map(([, path = ""]) => path);
      assert.deepEqual(light, dark);
      for (const path of dark.flatMap((one) => [`${one}.png`, `${one}-light.png`]))
        assert.ok(statSync(join(root, dirname(file), path)).size < 60 * 1024, path);
    });

    it(`names settings, commands, and keys that are there: ${file}`, () => {
      const text = read(file);
      const settings = Object.keys(configuration.properties);
      for (const form of [/`"?(codexGateway\.[\w.]+)/g, /^ *"(codexGateway\.[\w.]+)"/gm])
        for (const [, id = ""] of text.matchAll(form)) assert.ok(settings.includes(id), id);
      const titles = offeredTitles(isChinese(file) ? chinese : english);
      for (const [, name = ""] of text.matchAll(/\*\*(Codex Gateway:\s[^*]+)\*\*/g)) {
        assert.ok(titles.has(name.replace(/\s+/g, " ")), name);
      }
      const keys = new Set([...keybindings.flatMap(({ key, mac = key }) => [key, mac]), ...otherKeys]);
      for (const [name] of text.matchAll(/\b(?:Ctrl|Cmd|Alt|Option|Shift)\+(?:K [\w+]*\w|[\w+]*\w|\\)/g)) {
        assert.ok(keys.has(name.toLowerCase()) || /^(?:Ctrl|Cmd)\+K$/.test(name), name);
      }
    });

    it(`names buttons as the extension does: ${file}`, () => {
      const own = isChinese(file)
        ? [...Object.values(chinese), ...Object.values(chineseTexts)]
        : [...Object.values(english), ...Object.keys(chineseTexts)];
      const names = new Set([...own.map((text) => text.replace(/…$/, "")), ...otherNames]);
      for (const [, bold = ""] of read(file).matchAll(/\*\*([^*]+)\*\*/g)) {
        const name = bold.replace(/\s+/g, " ");
        const isSentence = /[.?。？]$/.test(name) || name.startsWith("[") || name.startsWith("Codex Gateway: ");
        assert.ok(isSentence || names.has(name), name);
      }
    });
  }
});

describe("CONTRIBUTING.md", () => {
  const text = read("CONTRIBUTING.md");

  it("shows commands that run something", () => {
    const { scripts } = manifest;
    for (const [, name = ""] of text.matchAll(/npm (?:run )?([\w:]+)/g))
      assert.ok(name in scripts || name === "ci", name);
    const tests = globSync("test/**/*.test.ts", { cwd: root }).map(read);
    const wanted = Array.from(text.matchAll(/npm test -- \w+ "([^"]+)"/g), ([, title = ""]) => title);
    assert.ok(wanted.length > 0);
    const form = (title: string): RegExp => new RegExp(`(?:\\b(?:it|describe)\\(|\\[)["\`].*${title}`);
    const gone = wanted.filter((title) => !tests.some((source) => form(title).test(source)));
    assert.deepEqual(gone, []);
  });

  it("names files and folders that are there", () => {
    const paths = Array.from(text.matchAll(/`((?:src|test|scripts)(?:\/[\w./-]+)?)`/g), ([, path = ""]) => path);
    assert.ok(paths.length > 10, "paths are found");
    for (const path of paths) assert.ok(existsSync(join(root, path)), path);
  });

  it("maps every folder of the code", () => {
    const table = text.split("## Where things are")[1]?.split("\n## ")[0] ?? "";
    const folders = readdirSync(join(root, "src"), { withFileTypes: true }).filter((found) => found.isDirectory());
    for (const { name } of folders) assert.ok(table.includes(`\`src/${name}`), name);
  });
});

function read(file: string): string {
  return readFileSync(join(root, file), "utf8");
}

function isChinese(file: string): boolean {
  return file.includes("zh-cn");
}

/** The commands that the Command Palette offers, by their titles. */
function offeredTitles(texts: Readonly<Record<string, string>>): ReadonlySet<string> {
  const hidden = new Set(menus.commandPalette.filter(({ when }) => when === "false").map(({ command }) => command));
  const offered = commands.filter(({ command }) => !hidden.has(command));
  return new Set(offered.map(({ category, title }) => `${category}: ${texts[title.slice(1, -1)] ?? title}`));
}

/** Paragraphs and items of lists, each as one line; no headings, tables, code or pictures, and nothing but a link. */
function paragraphsOf(markdown: string): readonly string[] {
  const prose = markdown.replace(/^```[^]*?^```$/gm, "");
  return prose
    .split(/\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )/)
    .map((paragraph) => paragraph.replace(/\s+/g, " ").trim())
    .filter(
      (paragraph) =>
        paragraph !== "" &&
        !/^(?:#|\||<!--|<picture>|(?:- |!)?\[[^\]]*\]\([^)]*\)$|MIT$|\*\*[^*]+\*\*$)/.test(paragraph),
    );
}

function headingsOf(markdown: string): readonly string[] {
  return Array.from(markdown.replace(/^```[^]*?^```$/gm, "").matchAll(/^#+ (.+)$/gm), ([, title = ""]) => title);
}

/** The anchor of a heading, as GitHub and VS Code make it. */
function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s-]/gu, "")
    .replaceAll(" ", "-");
}

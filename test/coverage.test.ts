import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import manifest from "../package.json" with { type: "json" };
import english from "../package.nls.json" with { type: "json" };

/** What no end-to-end test names, and why that is enough. */
const reasons: Readonly<Record<string, string>> = {
  "codexGateway.inlineChat.send": "hidden in the palette; the tests press its key, Ctrl+Enter, in the thread",
  "codexGateway.inlineChat.cancel": "hidden in the palette; a button of the input, ended by Escape in the tests",
  "codexGateway.inlineChat.stop": "the button Stop above the answer runs it",
  "codexGateway.inlineChat.showDiff": "the link Show Diff under the answer runs it",
};

/** Words of an end-to-end test that show how it reaches a menu: whose right click, whose button. */
const ways: Readonly<Record<string, string>> = {
  "editor/context": 'press("Shift+F10")',
  "editor/title": '".editor-actions").getByRole("button", { name: "Generate Image" })',
  "explorer/context": 'hasText: "docs" }).click({ button: "right" })',
  "view/title": 'header.getByRole("button", { name: "Generate Image" }).click()',
  "webview/context": '"li .prompt")).first().click({ button: "right" })',
};

/** Menus that no end-to-end test opens, and why that is enough. */
const unopened: Readonly<Record<string, string>> = {
  commandPalette: "says what the palette hides; a test that runs a command from there finds it",
  "comments/commentThread/context": "its Send is what Ctrl+Enter presses",
  "comments/commentThread/title": "its Close is run from the palette",
  "comments/comment/title": "icons of the commands that the links under the answer and the palette run",
  "comments/comment/context": "its Send is what Ctrl+Enter presses",
};

const root = join(import.meta.dirname, "..");
const sources = globSync("test/e2e/**/*.ts", { cwd: root }).map((file) => readFileSync(join(root, file), "utf8"));
const texts = new Map(Object.entries(english));
const { commands, configuration, menus, views } = manifest.contributes;

describe("the end-to-end tests", () => {
  it("reach every command and every setting, or it is said why not", () => {
    const unreached = [
      ...commands.filter(({ command, title }) => !isNamed(command, `${manifest.displayName}: ${textOf(title)}`)),
      ...Object.keys(configuration.properties)
        .filter((id) => !isNamed(id))
        .map((command) => ({ command })),
    ];
    assert.deepEqual(unreached.map(({ command }) => command).toSorted(), Object.keys(reasons).toSorted());
  });

  it("open every menu, or it is said why not", () => {
    assert.deepEqual([...Object.keys(ways), ...Object.keys(unopened)].toSorted(), Object.keys(menus).toSorted());
    for (const [menu, words] of Object.entries(ways)) assert.ok(isNamed(words), menu);
  });

  it("show every view", () => {
    for (const { name } of Object.values(views).flat()) assert.ok(isNamed(textOf(name)), name);
  });
});

/** The id of a command may begin that of another, so nothing may go on after a name. */
function isNamed(...names: readonly string[]): boolean {
  return names.some((name) => {
    const whole = new RegExp(`${RegExp.escape(name)}${/\w$/.test(name) ? "(?![\\w.])" : ""}`);
    return sources.some((source) => whole.test(source));
  });
}

function textOf(placeholder: string): string {
  return texts.get(placeholder.slice(1, -1)) ?? "";
}

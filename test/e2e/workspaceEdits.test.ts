import assert from "node:assert/strict";
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LocalGateway } from "../support/gateway/gateway.ts";
import { createRepository, type GitFolder } from "../support/git/gitFolder.ts";
import { connectedTo } from "../support/host/connectedTo.ts";
import { withOwnSession } from "./support/session.ts";
import type { Workbench } from "./support/workbench.ts";

/** With a byte order mark and the line endings of Windows, which an edit keeps. */
const lamp = '\uFEFFexport const lamp = "off";\r\nexport const color = "white";\r\n';
const tower = "export const height = 10;\n";
const script = "#!/bin/sh\necho light\n";

const patch = (...lines: readonly string[]): string =>
  ["`````", "*** Begin Patch", ...lines, "*** End Patch", "`````"].join("\n");

const several = patch(
  "*** Update File: lamp.ts",
  "@@",
  '-export const lamp = "off";',
  '+export const lamp = "on";',
  ' export const color = "white";',
  "*** Update File: tower.ts",
  "@@",
  "-export const height = 10;",
  "+export const height = 12;",
  "+export const floors = 3;",
  "*** Add File: docs/light.md",
  "+# Light",
  "*** Update File: run.sh",
  "*** Move to: bin/run.sh",
  "@@",
  " #!/bin/sh",
  "-echo light",
  "+echo more light",
);

describe("an edit of several files in a real VS Code, on a strict gateway", () => {
  let workbench: Workbench;
  let gateway: LocalGateway;
  let repository: GitFolder;
  /** A folder outside of the workspace. */
  let elsewhere: string;
  let answers: string[] = [];

  withOwnSession(
    (local, cleanup) => {
      repository = cleanup.use(createRepository());
      elsewhere = mkdtempSync(join(tmpdir(), "elsewhere-"));
      cleanup.defer(() => {
        rmSync(elsewhere, { recursive: true });
      });
      repository.write("lamp.ts", lamp);
      repository.write("tower.ts", tower);
      repository.write("run.sh", script);
      repository.write("old.ts", "export const old = true;\n");
      repository.write(".gitignore", "built/\n");
      repository.commit("Build the tower");
      chmodSync(at("run.sh"), 0o755);
      return {
        ...connectedTo(local, { "workbench.colorTheme": "Default Light Modern" }),
        workspace: repository.folder,
      };
    },
    (session) => {
      ({ gateway, workbench } = session);
    },
    {
      isSequence: true,
      gateway: () => ({ reply: () => ({ text: answers.shift() ?? "Nothing more.", calls: [] }) }),
    },
  );

  beforeEach(() => {
    gateway.mode({ strict: true });
  });

  const at = (path: string): string => join(repository.folder, path);
  const read = (path: string): string => readFileSync(at(path), "utf8");
  const asked = (): string =>
    JSON.stringify(gateway.requests.filter(({ operation }) => operation === "chat").at(-1)?.body);
  const button = (name: string): ReturnType<Workbench["chat"]["inAnswer"]> => workbench.chat.inAnswer("button", name);
  const isAsBefore = (): void => {
    assert.deepEqual(["lamp.ts", "tower.ts", "run.sh"].map(read), [lamp, tower, script]);
    assert.equal(statSync(at("run.sh")).mode & 0o777, 0o755);
    assert.ok(!existsSync(at("docs/light.md")) && !existsSync(at("bin/run.sh")));
  };

  /** What an earlier attempt may have changed is as in the beginning. */
  const restore = (): void => {
    for (const folder of ["bin", "docs", "test"]) rmSync(at(folder), { recursive: true, force: true });
    writeFileSync(at("lamp.ts"), lamp);
    writeFileSync(at("tower.ts"), tower);
    writeFileSync(at("run.sh"), script);
    chmodSync(at("run.sh"), 0o755);
  };

  it("shows a plan and a list of files, and a diff of them, and changes nothing yet", async () => {
    answers = [`The lamp is switched on, and the tower gets higher.\n\n${several}`];
    const answer = await workbench.chat.ask("@codex /edit Switch the lamp on and raise the tower");
    assert.match(answer, /The lamp is switched on[^]*lamp\.ts · \+1 −1 · Skip[^]*tower\.ts · \+2 −1 · Skip/);
    assert.match(answer, /run\.sh → bin\/run\.sh · renamed · \+1 −1[^]*docs\/light\.md · new · \+1 −0/);
    assert.doesNotMatch(answer, /Begin Patch|floors/);
    assert.match(asked(), /lamp\.ts:[^]*tower\.ts:[^]*Switch the lamp on/);
    await workbench.screenshot("edit-list");
    await button("Review").click();
    await workbench.page.getByRole("tab", { name: /^Changes by Codex \(4 files\)/ }).waitFor();
    await workbench.page.locator(".multiDiffEntry").first().waitFor();
    await workbench.screenshot("edit-review");
    await workbench.chat.inAnswer("link", "tower.ts").click();
    await workbench.page.getByRole("tab", { name: /^tower\.ts \(change by Codex\)/ }).waitFor();
    await workbench.runCommand("View: Close All Editors");
    isAsBefore();
  });

  it("applies all files but the one that is skipped, undoes them to the byte, and goes on in the chat", async () => {
    const { chat, notifications } = workbench;
    restore();
    answers = [
      `On.\n\n${several}`,
      `Only the tower.\n\n${patch("*** Update File: tower.ts", "@@", "-export const height = 10;", "+export const height = 12;")}`,
    ];
    await chat.ask("@codex /edit Switch the lamp on and raise the tower");
    await chat.inAnswer("link", "Skip").nth(1).click();
    await notifications.waitFor(/^Skipped: tower\.ts\./);
    await notifications.dismissAll();
    await button("Apply").click();
    await notifications.waitFor(/^3 files were changed\.$/);
    await workbench.screenshot("edit-applied");
    assert.equal(read("lamp.ts"), lamp.replace("off", "on"));
    assert.equal(read("tower.ts"), tower);
    assert.equal(read("docs/light.md"), "# Light\n");
    assert.equal(statSync(at("bin/run.sh")).mode & 0o777, 0o755);
    assert.ok(!existsSync(at("run.sh")));
    await notifications.click(/3 files were changed\./, "Undo");
    await notifications.waitFor(/^The edit was undone\.$/);
    isAsBefore();
    assert.match(await chat.ask("@codex Only the tower, please"), /Only the tower\.[^]*tower\.ts · \+1 −1/);
    assert.match(asked(), /lamp\.ts: undone by the user[^]*tower\.ts: left out by the user/);
    await button("Apply").click();
    await notifications.waitFor(/^Changed: tower\.ts$/);
    assert.equal(read("tower.ts"), "export const height = 12;\n");
  });

  it("can be undone after a reload, except for what has changed since", async () => {
    await workbench.reload();
    await workbench.runCommand("Codex Gateway: Undo Last Edit");
    await workbench.notifications.waitFor(/^The edit was undone\.$/);
    isAsBefore();
    await workbench.notifications.dismissAll();
    await workbench.runCommand("Codex Gateway: Undo Last Edit");
    await workbench.notifications.waitFor(/^There is no applied edit to undo\.$/);
  });

  it("asks before it deletes a file or changes one that can run code, and keeps what the user keeps", async () => {
    const { chat, dialog, notifications } = workbench;
    repository.write("old.ts", "export const old = true;\n");
    rmSync(at(".vscode"), { recursive: true, force: true });
    answers = [
      `A task instead.\n\n${patch("*** Delete File: old.ts", "*** Add File: .vscode/tasks.json", '+{ "tasks": [] }')}`,
      "You're welcome.",
    ];
    assert.match(await chat.ask("@codex /edit Replace the old file"), /old\.ts · deleted · \+0 −1/);
    await button("Apply").click();
    assert.match(
      await dialog.text(),
      /This edit deletes a file\.\s+old\.ts\s+This edit changes dotfiles, configuration, or build files[^]*\.vscode\/tasks\.json/,
    );
    await workbench.screenshot("edit-delete");
    await dialog.cancel();
    assert.ok(existsSync(at("old.ts")) && !existsSync(at(".vscode")));
    await button("Apply").click();
    await dialog.click("Apply and Delete");
    await notifications.waitFor(/^2 files were changed\.$/);
    assert.ok(!existsSync(at("old.ts")) && existsSync(at(".vscode/tasks.json")));
    await notifications.dismissAll();
    await workbench.runCommand("Codex Gateway: Keep Last Edit");
    await notifications.waitFor(/^The edit is kept\.$/);
    await workbench.runCommand("Codex Gateway: Undo Last Edit");
    await notifications.waitFor(/^There is no applied edit to undo\.$/);
    assert.ok(!existsSync(at("old.ts")));
    await chat.ask("@codex Thanks");
    assert.match(asked(), /old\.ts: applied, and kept by the user/);
  });

  it("is offered by /fix and /tests, and by code blocks that name their file, and is undone to the byte", async () => {
    const { chat, editor, notifications } = workbench;
    restore();
    const higher = patch("*** Update File: tower.ts", "@@", "-export const height = 10;", "+export const height = 12;");
    const whole = '```ts\nexport const lamp = "on";\nexport const color = "white";\n```';
    const offers = [
      ["/fix Raise it", `Higher.\n\n${higher}`, "tower.ts", "export const height = 12;\n"],
      ["/tests", `One.\n\n${patch("*** Add File: test/tower.ts", "+check();")}`, "test/tower.ts", "check();\n"],
      ["/explain How is it switched on?", `Like this.\n\nlamp.ts\n${whole}`, "lamp.ts", lamp.replace("off", "on")],
    ] as const;
    for (const [question, text, path, expected] of offers) {
      const before = existsSync(at(path)) ? read(path) : undefined;
      if (path !== "test/tower.ts") await editor.open(path);
      answers = [text];
      await chat.ask(`@codex ${question}`);
      await button("Apply").click();
      await notifications.waitFor(`Changed: ${path}`);
      assert.equal(read(path), expected);
      await notifications.dismissAll();
      await button("Undo").click();
      await notifications.waitFor(/^The edit was undone\.$/);
      assert.equal(existsSync(at(path)) ? read(path) : undefined, before);
      await notifications.dismissAll();
    }
    await workbench.screenshot("edit-offered");
    assert.ok(!existsSync(at("test")));
    await workbench.runCommand("View: Close All Editors");
  });

  it("asks the model once more when an edit does not fit", async () => {
    answers = [
      `On.\n\n${patch("*** Update File: lamp.ts", "@@", '-export const lump = "off";', '+export const lamp = "on";', ' export const color = "white";')}`,
      patch("*** Update File: lamp.ts", "@@", '-export const lamp = "off";', '+export const lamp = "on";'),
    ];
    assert.match(await workbench.chat.ask("@codex /edit Switch it on"), /On\.[^]*asked once more[^]*lamp\.ts · \+1 −1/);
    assert.match(asked(), /first line that differs is `export const lump/);
  });

  it("refuses by name what lies outside, is ignored or may be secret, and then offers nothing", async () => {
    if (!existsSync(at("linked"))) symlinkSync(elsewhere, at("linked"));
    const add = (path: string): string =>
      `No.\n\n${patch(`*** Add File: ${path}`, "+x", "*** Add File: fine.ts", "+x")}`;
    const cases = [
      [add(".env"), /\.env: The file may contain secrets\./],
      [add("built/out.js"), /built\/out\.js: The file is ignored\./],
      [add("linked/new.ts"), /linked\/new\.ts: The file is outside the workspace\./],
      [add("../up.ts"), /\.\.\/up\.ts: The file is outside the workspace\./],
      [add("lamp.ts"), /lamp\.ts: The file already exists\./],
    ] as const;
    for (const [text, expected] of cases) {
      answers = [text, text];
      const answer = await workbench.chat.ask("@codex /edit Do it");
      assert.match(answer, /The changes cannot be applied, so none are offered/);
      assert.match(answer, expected);
      assert.equal(await button("Apply").count(), 0);
    }
    await workbench.screenshot("edit-refused");
    assert.ok(!existsSync(join(elsewhere, "new.ts")) && !existsSync(at("fine.ts")));
  });

  it("changes nothing when a file has changed since the answer", async () => {
    restore();
    answers = [`On.\n\n${several}`];
    await workbench.chat.ask("@codex /edit Switch the lamp on");
    writeFileSync(at("tower.ts"), "export const height = 11;\n");
    await button("Apply").click();
    await workbench.notifications.waitFor(
      /^Nothing was changed, because these files have changed since the answer: tower\.ts\./,
    );
    assert.equal(read("lamp.ts"), lamp);
    writeFileSync(at("tower.ts"), tower);
    await button("Apply").click();
    await workbench.notifications.waitFor(/^4 files were changed\.$/);
    await workbench.notifications.dismissAll();
    writeFileSync(at("tower.ts"), "mine\n");
    await button("Undo").click();
    await workbench.notifications.waitFor(/except in files that have changed since: tower\.ts$/);
    assert.deepEqual([read("lamp.ts"), read("tower.ts")], [lamp, "mine\n"]);
    answers = ["Nothing more."];
    await workbench.chat.ask("@codex What is left of it?");
    assert.match(asked(), /lamp\.ts: undone by the user[^]*tower\.ts: applied, and not undone/);
  });
});

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator } from "playwright-core";
import { questionOf } from "../support/gateway/conversation.ts";
import type { LocalGateway } from "../support/gateway/gateway.ts";
import { reply } from "../support/gateway/reply.ts";
import { createRepository, type GitFolder } from "../support/git/gitFolder.ts";
import { connectedTo } from "../support/host/profile.ts";
import { lastBody } from "./support/chatBody.ts";
import { block, harbor } from "./support/harbor.ts";
import { everydayTasks, Hand, waitUntilInView } from "./support/hand.ts";
import { withSession } from "./support/session.ts";
import { withoutSpaces } from "./support/text.ts";
import { until } from "./support/until.ts";
import type { Workbench } from "./support/workbench.ts";

const tower = "export const height = 10;\n";
const lamp = "export const lamp = 1;\n";
const long = Array.from({ length: 60 }, (_, index) => (index === 25 ? "\n" : `let a${index} = ${index};\n`)).join("");

const patch = [
  "*** Begin Patch",
  ...["*** Update File: tower.ts", "@@", "-export const height = 10;", "+export const height = 12;"],
  ...["*** Update File: lamp.ts", "@@", "-export const lamp = 1;", "+export const lamp = 2;"],
  "*** End Patch",
].join("\n");
const finding = (line: number, title: string): string =>
  JSON.stringify({ file: "harbor.ts", line, kind: "bug", severity: "high", title, text: "Mend it." });
const [wrong, right] = ["i <= ships.length", "i < ships.length"].map((last) => `  for (let i = 0; ${last}; i++) {`);

const heights = [900, 600];
/** Each task has a file of its own: a conversation outlives its file, and would be there when that is opened again. */
const fileFor = (task: "change" | "write" | "follow", height: number): string => `${task}-${height}.ts`;

/** What the model says to a question with these words. */
const answers: readonly (readonly [RegExp, string])[] = [
  [/You review the changes/, [finding(2, "The loop runs too far."), finding(3, "The log is noisy.")].join("\n")],
  [/problem at line/, block("harbor.ts", wrong ?? "", right ?? "")],
  [/Changes \(nothing is staged\)/, "fix: raise the tower"],
  [/Raise the tower/, `Higher.\n\n\`\`\`\`\`\n${patch}\n\`\`\`\`\``],
  ...heights.flatMap((height) => [
    [
      new RegExp(`Put a function here, ${height}`),
      block(fileFor("write", height), "let a24 = 24;", "let a24 = 24;\nfunction add() {\n  return a24;\n}"),
    ] as const,
    [
      new RegExp(`Rename it, ${height}`),
      block(fileFor("change", height), "let a26 = 26;", "let renamed = 26;"),
    ] as const,
  ]),
  [/And what is it for\?/, "For nothing."],
  [/@codex|steps that are not obvious/, "It is a number."],
  [/const total = price \* <\|cursor\|>/, "amount;"],
];

describe("ten everyday tasks, in a real VS Code, without a mouse", () => {
  let workbench: Workbench;
  let gateway: LocalGateway;
  let repository: GitFolder;
  let hand: Hand;

  withSession(
    (local, cleanup) => {
      repository = cleanup.use(createRepository());
      repository.write("tower.ts", tower);
      repository.write("lamp.ts", lamp);
      repository.write("harbor.ts", harbor("i < ships.length"));
      repository.write("long.ts", long);
      for (const height of heights)
        for (const task of ["change", "write", "follow"] as const) repository.write(fileFor(task, height), long);
      repository.write("plan.md", "# Plan\n");
      repository.write("broken.json", '{\n  "a": 1,,\n  "b": 2\n}\n');
      repository.write("total.ts", "const price = 2;\nconst amount = 3;\n");
      repository.commit("feat: build the tower");
      repository.write("harbor.ts", harbor("i <= ships.length"));
      const settings = {
        "codexGateway.completions.mode": "automatic",
        "editor.quickSuggestions": { other: "off", comments: "off", strings: "off" },
        "files.autoSave": "off",
      };
      return { ...connectedTo(local, settings), workspace: repository.folder };
    },
    async (session) => {
      ({ gateway, workbench } = session);
      hand = new Hand(workbench);
      await workbench.waitUntilActive();
    },
    {
      reply: (conversation) => {
        const said = [questionOf(conversation), ...conversation.turns.map(({ text }) => text)].join("\n");
        const answer = answers.find(([words]) => words.test(said))?.[1];
        return answer === undefined ? reply(conversation) : { text: answer, calls: [] };
      },
    },
  );

  const editorInFront = (): Locator =>
    workbench.page.locator(".editor-group-container.active .editor-instance").first();
  const link = (name: string): Locator => editorInFront().getByRole("link", { name: new RegExp(`^${name}\\b`) });
  const mark = (name: string): Locator => editorInFront().getByRole("button", { name: new RegExp(`^${name}$`) });
  const chatInput = (): Locator => workbench.page.locator(".part.auxiliarybar .interactive-input-editor");
  const inInput = (input: Locator): Promise<void> =>
    input.locator(".native-edit-context:focus").last().waitFor({ state: "attached" });
  const read = (name: string): string => readFileSync(join(repository.folder, name), "utf8");
  const task = (name: string, work: () => Promise<void>): Promise<void> => hand.does(name, "keys", work);

  /** Opens inline chat, says what to do, and applies the answer. */
  async function change(words: string): Promise<void> {
    const { inlineChat } = workbench;
    await hand.press("ControlOrMeta+I");
    await inInput(inlineChat.input());
    await waitUntilInView("Send", editorInFront().getByRole("button", { name: "Send" }));
    await hand.type(words);
    await hand.press("Enter");
    await apply();
  }

  async function apply(): Promise<void> {
    await workbench.inlineChat.waitFor(/\nDone/);
    await workbench.inlineChat.waitUntilLeft();
    await waitUntilInView("Apply", link("Apply"));
    await hand.press("ControlOrMeta+Enter");
    await waitUntilInView("Keep", mark("Keep"));
  }

  async function openChat(): Promise<void> {
    await hand.press("Control+Alt+I");
    await inInput(chatInput());
    await waitUntilInView("the input of the chat", chatInput());
  }

  /** Types a question with its participant, which the chat has to recognize, and sends it. */
  async function ask(question: string, answer: RegExp): Promise<void> {
    await hand.type(question);
    const isThere = async (): Promise<boolean> =>
      withoutSpaces(await workbench.chat.input()).endsWith(withoutSpaces(question));
    await until(async () => await isThere(), "the question in the input");
    await chatInput().locator("[class*='chat-session-text']", { hasText: "@codex" }).waitFor();
    await hand.press("Enter");
    await workbench.chat.waitForAnswer(answer);
    await workbench.chat.waitUntilIdle();
    await waitUntilInView("the input of the chat", chatInput());
  }

  it("are listed in CONTRIBUTING.md, and none takes more keys than in VS Code's own chat", () => {
    assert.equal(everydayTasks.length, 10);
    for (const { name, keys, keysInVsCode } of everydayTasks) assert.ok(keys <= (keysInVsCode ?? Infinity), name);
  });

  afterEach(async () => {
    await workbench.close("Revert and Close Editor");
  });

  // Only what scrolls is done in both.
  for (const height of heights) {
    describe(`in a window of ${height} pixels`, () => {
      beforeEach(async () => {
        await workbench.page.setViewportSize({ width: 1280, height });
      });

      for (const [name, file, line, words, result] of [
        ["Change one line", "change", 27, "Rename it", /renamed = 26/],
        ["Write a function at the cursor", "write", 26, "Put a function here", /function add/],
      ] as const) {
        it(name.toLowerCase(), async () => {
          await workbench.editor.open(fileFor(file, height));
          await workbench.editor.moveTo(line);
          await task(name, () => change(`${words}, ${height}`));
          await workbench.editor.waitForText(result);
        });
      }

      it("follow up on a long answer", async () => {
        const { editor, inlineChat } = workbench;
        await editor.open(fileFor("follow", height));
        await editor.selectLine(27);
        await inlineChat.askFully("Write 25 lines");
        await waitUntilInView("Apply", link("Apply"));
        await inlineChat.open();
        await waitUntilInView("Send", editorInFront().getByRole("button", { name: "Send" }));
        await inlineChat.type("Write 26 lines");
        await inlineChat.send();
        await inlineChat.waitFor(/Write 26 lines[^]*\nDone/);
        await waitUntilInView("Apply", link("Apply"));
        await inlineChat.applyByKeyboard();
        await waitUntilInView("Keep", mark("Keep"));
        await editor.waitForText(/Write.26.lines/);
      });

      it("walk a review", async () => {
        await workbench.editor.open("harbor.ts");
        await workbench.editor.moveTo(1);
        await task("Review changes: go to a finding, fix it, dismiss the next", async () => {
          await hand.run("Codex Gateway: Review Changes");
          await workbench.notifications.waitFor(/2 problems found/);
          await hand.press("Alt+F9");
          await workbench.editor.waitForLine(2);
          await waitUntilInView("Fix", link("Fix"));
          await hand.press("ControlOrMeta+K", "Q");
          await apply();
          await hand.press("Alt+F9");
          await workbench.editor.waitForLine(3);
          await waitUntilInView("Dismiss", link("Dismiss"));
          await hand.press("ControlOrMeta+K", "X");
          await until(async () => (await link("Dismiss").count()) === 0, "no finding");
        });
      });
    });
  }

  it("ask about a selection, and follow up", async () => {
    await workbench.editor.open("long.ts");
    await workbench.editor.selectLine(30);
    await task("Ask about a selection, and follow up", async () => {
      await openChat();
      await ask("@codex /explain", /a number/);
      await ask("And what is it for?", /For nothing/);
    });
  });

  it("change several files", async () => {
    await workbench.editor.open("tower.ts");
    await workbench.editor.moveTo(1);
    await task("Change several files: review, apply, undo", async () => {
      await openChat();
      await ask("@codex /edit Raise the tower", /tower\.ts/);
      await waitUntilInView("Apply", workbench.chat.inAnswer("button", "Apply"));
      await hand.run("Codex Gateway: Review Edit");
      await waitUntilInView("the changes", workbench.page.locator(".multiDiffEntry").first());
      await hand.run("Codex Gateway: Apply Edit");
      await until(() => read("tower.ts") !== tower, "the files to change");
      await waitUntilInView(
        "the message",
        workbench.page.locator(".notification-toast", { hasText: "2 files were changed" }),
      );
      await hand.run("Codex Gateway: Undo Last Edit");
      await until(() => read("tower.ts") === tower, "the files to be as before");
    });
  });

  it("write a commit message", async () => {
    await task("Write a commit message", async () => {
      await hand.press("Control+Shift+G");
      const box = workbench.page.locator(".part.sidebar .scm-editor").first();
      await inInput(box);
      await hand.run("Codex Gateway: Generate Commit Message");
      await workbench.sourceControl.waitForBox("fix: raise the tower");
      await waitUntilInView("the message", box);
      await inInput(box);
    });
  });

  it("accept a completion", async () => {
    await workbench.editor.open("total.ts");
    await workbench.editor.moveTo(3);
    await task("Accept a completion", async () => {
      await workbench.page.keyboard.type("const total = price * ", { delay: 20 });
      await waitUntilInView("the completion", workbench.page.locator(".ghost-text-decoration").first());
      await hand.press("Tab");
      await workbench.editor.waitForText(/price \* amount;/);
    });
  });

  it("insert an image", async () => {
    await workbench.editor.open("plan.md");
    await workbench.editor.moveTo(2);
    await task("Insert a new image into Markdown", async () => {
      const { quickInput, page } = workbench;
      await hand.run("Codex Gateway: Generate Image");
      await quickInput.waitFor("Generate an image");
      await quickInput.insertText("a lighthouse");
      await hand.press("Enter");
      await quickInput.waitFor("Select the image size");
      await hand.press("Enter");
      await waitUntilInView("Insert Link", page.locator(".notification-toast a", { hasText: "Insert Link" }));
      await hand.run("Codex Gateway: Insert Image Link");
      await workbench.editor.waitForText(/!\[a lighthouse\]/);
    });
  });

  it("fix a problem", async () => {
    await workbench.editor.open("broken.json");
    await workbench.editor.focus();
    await editorInFront().locator(".squiggly-error").first().waitFor();
    await task("Fix the next problem", async () => {
      const { page } = workbench;
      await hand.press("Alt+F8");
      await workbench.editor.waitForLine(2);
      await hand.press("ControlOrMeta+.");
      await waitUntilInView(
        "Fix with Codex",
        page.locator(".action-widget .monaco-list-row.focused", { hasText: "Fix with Codex" }),
      );
      await hand.press("Enter");
      await apply();
    });
  });

  it("switch the model", async () => {
    await workbench.editor.open("total.ts");
    await task("Switch the model in the chat", async () => {
      const { page } = workbench;
      await openChat();
      await hand.press("Control+Alt+.");
      await page.locator(".action-list-filter-input:focus").waitFor();
      await hand.type("GPT-5.5");
      await waitUntilInView("GPT-5.5", page.locator(".action-widget .monaco-list-row.focused", { hasText: "GPT-5.5" }));
      await hand.press("Enter");
      await workbench.page.getByRole("button", { name: "Models, GPT-5.5", exact: true }).waitFor();
    });
    await workbench.chat.ask("@codex What is a buoy?");
    assert.equal(lastBody(gateway).model, "gpt-5.5");
  });
});

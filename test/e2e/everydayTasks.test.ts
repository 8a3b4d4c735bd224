import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator } from "playwright-core";
import { questionOf } from "../support/gateway/conversation.ts";
import type { LocalGateway } from "../support/gateway/gateway.ts";
import { reply } from "../support/gateway/reply.ts";
import { connectedTo } from "../support/host/profile.ts";
import { Hand, waitUntilInView } from "./support/hand.ts";
import { block } from "./support/harbor.ts";
import { hasFailed, withSession } from "./support/session.ts";
import type { Workbench } from "./support/workbench.ts";

const long = Array.from({ length: 60 }, (_, index) => `let a${index} = ${index};\n`).join("");

describe("everyday tasks, in a real VS Code, without a mouse", () => {
  let gateway: LocalGateway;
  let workbench: Workbench;
  let hand: Hand;

  withSession(
    (local) => connectedTo(local, { "files.autoSave": "off" }),
    (session) => {
      ({ gateway, workbench } = session);
      hand = new Hand(workbench);
    },
    {
      reply: (conversation) => {
        const [, file] = /Rename it in (\S+\.ts)/.exec(questionOf(conversation)) ?? [];
        if (file !== undefined) return { text: block(file, "let a26 = 26;", "let renamed = 26;"), calls: [] };
        if (questionOf(conversation).includes('"a": 1,,'))
          return { text: block("broken.json", '  "a": 1,,', '  "a": 1,'), calls: [] };
        return reply(conversation);
      },
    },
  );

  const inFront = (): Locator => workbench.page.locator(".editor-group-container.active .editor-instance").first();
  const link = (name: string): Locator => inFront().getByRole("link", { name: new RegExp(`^${name}\\b`) });
  const button = (name: string): Locator => inFront().getByRole("button", { name: new RegExp(`^${name}$`) });
  const write = (name: string, text: string): void => {
    writeFileSync(join(workbench.workspace, name), text);
  };

  async function apply(): Promise<void> {
    await workbench.inlineChat.waitFor(/\nDone/);
    await workbench.inlineChat.waitUntilLeft();
    await waitUntilInView("Apply", link("Apply"));
    await hand.press("ControlOrMeta+Enter");
    await waitUntilInView("Keep", button("Keep"));
  }

  afterEach(async function () {
    if (hasFailed(this.currentTest)) return;
    await workbench.close("Revert and Close Editor");
  });

  for (const height of [900, 600]) {
    describe(`in a window of ${height} pixels`, () => {
      beforeEach(async () => {
        await workbench.page.setViewportSize({ width: 1280, height });
      });

      it("needs three keys to change one line, with what is used next in view", async () => {
        const { editor, inlineChat } = workbench;
        write(`change-${height}.ts`, long);
        await editor.open(`change-${height}.ts`);
        await editor.moveTo(27);
        await hand.needs(3, async () => {
          await hand.press("ControlOrMeta+I");
          await inlineChat.input().locator(".native-edit-context:focus").waitFor({ state: "attached" });
          await waitUntilInView("Send", inFront().getByRole("button", { name: "Send" }));
          await hand.type(`Rename it in change-${height}.ts`);
          await hand.press("Enter");
          await apply();
        });
        await editor.waitForText(/renamed = 26/);
      });

      it("has what is used next in view after a long answer", async () => {
        const { editor, inlineChat } = workbench;
        write(`follow-${height}.ts`, long);
        await editor.open(`follow-${height}.ts`);
        await editor.selectLine(27);
        const more = ["let a26 = 26;", ..."// more\n".repeat(25).trimEnd().split("\n")];
        const answer = ["```typescript replace", ...more, "```"].join("\n");
        gateway.reply(answer, answer);
        await inlineChat.askFully("Write more");
        await waitUntilInView("Apply", link("Apply"));
        await inlineChat.open();
        await waitUntilInView("Send", inFront().getByRole("button", { name: "Send" }));
        await inlineChat.type("Write it again");
        await inlineChat.send();
        await inlineChat.waitFor(/Write it again[^]*\nDone/);
        await waitUntilInView("Apply", link("Apply"));
        await inlineChat.applyByKeyboard();
        await waitUntilInView("Keep", button("Keep"));
        await editor.waitForText(/more/);
      });
    });
  }

  it("needs four keys to fix the next problem", async () => {
    const { editor, page } = workbench;
    write("broken.json", '{\n  "a": 1,,\n  "b": 2\n}\n');
    await editor.open("broken.json");
    await editor.focus();
    await inFront().locator(".squiggly-error").first().waitFor();
    await hand.needs(4, async () => {
      await hand.press("Alt+F8");
      await editor.waitForLine(2);
      await hand.press("ControlOrMeta+.");
      const fix = page.locator(".action-widget .monaco-list-row.focused", { hasText: "Fix with Codex" });
      await waitUntilInView("Fix with Codex", fix);
      await hand.press("Enter");
      await apply();
    });
    await editor.waitForText(/"a": 1,\n/);
  });
});

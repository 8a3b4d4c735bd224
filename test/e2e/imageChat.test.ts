import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { LocalGateway } from "../support/gateway/gateway.ts";
import { connectedTo } from "../support/host/connectedTo.ts";
import { hostHash, sha256 } from "./support/hash.ts";
import { withOwnSession } from "./support/session.ts";
import { until } from "./support/until.ts";
import { drawnWidth } from "./support/webview.ts";
import type { Workbench } from "./support/workbench.ts";

describe("images in the chat, in a real VS Code", () => {
  let gateway: LocalGateway;
  let workbench: Workbench;

  withOwnSession(
    (local) => ({ ...connectedTo(local), builtInChat: true }),
    (session) => ({ gateway, workbench } = session),
  );

  it("are shown in the answer to @codex /image, with Open and Insert Link", async () => {
    const { chat, editor, page } = workbench;
    await editor.open("docs/plan.md");
    await chat.ask("@codex /image a red barn");
    assert.equal(await drawnWidth(page.locator(".interactive-session .rendered-markdown img").last()), 1024);
    await workbench.screenshot("image-chat");
    await chat.inAnswer("button", "Insert Link").click();
    const link = "![a red barn](../images/a-red-barn.png)";
    await until("the link", async () => (await editor.text()).replaceAll("\n", "").includes(link) || undefined);
    await chat.inAnswer("button", "Open Image").click();
    await editor.waitForTab("a-red-barn.png");
    const file = await readFile(join(workbench.workspace, "images", "a-red-barn.png"));
    assert.equal(sha256(file), await hostHash(gateway));
  });

  it("whose download fails in the chat are fetched by Retry, without a second order", async () => {
    gateway.imageHost.next(3, { status: 500 });
    assert.match(await workbench.chat.ask("@codex /image a lost kite"), /was generated, but not downloaded/);
    await workbench.notifications.click(/was generated, but not downloaded/, "Retry");
    await workbench.editor.waitForTab("a-lost-kite.png");
    assert.equal(gateway.asked.length, 1);
  });

  it("are made for an agent after a question that names size and cost", async () => {
    const { chat, page } = workbench;
    await chat.send('call codexGateway_generateImage with {"prompt":"a _blue_ boat"} #generateImage');
    const confirmation = page.locator(".part.auxiliarybar .chat-confirmation-widget-container:visible").first();
    await confirmation.waitFor();
    const question = await confirmation.innerText();
    assert.match(question, /Size: 1024x1024\. It is charged to the account of the image key/);
    assert.match(question, /“a _blue_ boat”/);
    assert.equal(gateway.asked.filter(({ operation }) => operation === "image").length, 0);
    await workbench.screenshot("image-agent-question");
    await page.locator(".part.auxiliarybar .monaco-button:visible", { hasText: "Allow" }).first().click();
    await chat.waitForAnswer(/saved in the workspace as images\/a-blue-boat\.png/);
    await workbench.screenshot("image-agent");
    const orders = gateway.asked.filter(({ operation }) => operation === "image");
    assert.deepEqual(
      orders.map(({ body }) => body),
      [{ model: "gpt-image-2", prompt: "a _blue_ boat", size: "1024x1024" }],
    );
  });
});

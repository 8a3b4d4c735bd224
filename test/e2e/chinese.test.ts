import assert from "node:assert/strict";
import type { LocalGateway } from "../support/gateway/gateway.ts";
import { openFromStatusBar } from "./support/openFromStatusBar.ts";
import { withOwnSession } from "./support/session.ts";
import type { Workbench } from "./support/workbench.ts";

describe("in Chinese, in a real VS Code", () => {
  let gateway: LocalGateway;
  let workbench: Workbench;

  withOwnSession(
    () => ({ locale: "zh-cn", settings: { "workbench.colorTheme": "Default High Contrast" } }),
    (session) => ({ gateway, workbench } = session),
    { isSequence: true },
  );

  it("leads from the status bar through set-up to a tested connection", async () => {
    const { quickInput } = workbench;
    await openFromStatusBar(workbench, "设置 Codex Gateway");
    await quickInput.waitFor(/设置向导：主入口/);
    await quickInput.type("gateway.example.com");
    await quickInput.waitForMessage("此 URL 无法使用：它不是有效的 URL。");
    await workbench.screenshot("chinese-set-up");
    await quickInput.answer(/主入口/, gateway.primary.url);
    await quickInput.answer(/备用入口/, gateway.backup.url);
    await quickInput.answer(/codex 组/, gateway.keys.codex);
    await quickInput.answer(/image 组/, "");
    const { labels, placeholder } = await quickInput.waitFor("测试连接");
    assert.equal(placeholder, "所有设有密钥的测试均已通过。");
    assert.deepEqual(labels.slice(0, 5), [
      "主入口，codex 密钥",
      "主入口，image 密钥",
      "备用入口，codex 密钥",
      "备用入口，image 密钥",
      "打开聊天",
    ]);
    await workbench.screenshot("chinese-test-connection");
  });

  it("answers, and says what fails and what helps", async () => {
    assert.match(await workbench.chat.ask("@codex 灯塔有什么用？"), /灯塔有什么用？[^]*主入口/);
    gateway.entry("primary").always({ status: 401 });
    const text = /网关不接受该 API 密钥 \(401\)/;
    assert.match(await workbench.chat.ask("@codex 再说一遍？"), text);
    const { buttons } = await workbench.notifications.waitFor(text);
    assert.deepEqual(buttons, ["设置 API 密钥", "显示日志"]);
    await workbench.notifications.dismissAll();
    await openFromStatusBar(workbench, "GPT-5.3 Codex");
    await workbench.quickInput.waitFor("Codex Gateway");
    await workbench.screenshot("chinese-menu");
  });
});

import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import type { Locator } from "playwright-core";
import { reply } from "../support/gateway/reply.ts";
import { createRepository } from "../support/git/gitFolder.ts";
import { connectedTo } from "../support/host/profile.ts";
import { withSession } from "./support/session.ts";
import { clickInWebview, readInWebview } from "./support/webview.ts";
import type { Workbench } from "./support/workbench.ts";

describe("in Chinese, in a real VS Code", () => {
  let workbench: Workbench;
  let roots: readonly [string, string];

  withSession(
    (local, cleanup) => {
      const repository = cleanup.use(createRepository());
      repository.commit("功能：添加码头", { "码头.ts": "export const 船 = 1;\n" });
      roots = [repository.folder, join(dirname(repository.folder), "副本")];
      repository.git("worktree", "add", "--quiet", "-b", "beside", roots[1]);
      repository.write("码头.ts", "export const 船 = 2;\n");
      const prices = { currency: "CNY", models: { "gpt-5.3-codex": { input: 9, output: 72 } } };
      const budgets = { dailyTokens: 1, monthlyTokens: 1e10, dailyCost: 1e5, monthlyCost: 1e5 };
      const settings = {
        "workbench.colorTheme": "Default High Contrast",
        "codexGateway.prices": prices,
        ...Object.fromEntries(Object.entries(budgets).map(([name, value]) => [`codexGateway.budget.${name}`, value])),
      };
      return { ...connectedTo(local, settings), locale: "zh-cn", workspace: dirname(repository.folder) };
    },
    (session) => ({ workbench } = session),
    {
      reply: (conversation) =>
        conversation.turns.at(-1)?.text.includes("const 船 = 2") === true
          ? { text: "提交消息：\n功能：再添一艘船", calls: [] }
          : reply(conversation),
    },
  );

  it("shows what is missing in Set Up, and tests the connection", async () => {
    const { quickInput } = workbench;
    await workbench.runCommand("Codex Gateway: 设置向导");
    await quickInput.waitFor(/设置向导：主入口/);
    await quickInput.type("gateway.example.com");
    await quickInput.waitForMessage(/将使用 https:\/\/gateway\.example\.com/);
    await workbench.runCommand("Codex Gateway: 测试连接");
    const { labels, placeholder } = await quickInput.waitFor("测试连接");
    assert.equal(placeholder, "所有设有密钥的测试均已通过。");
    assert.deepEqual(labels.slice(0, 5), [
      "主入口，codex 密钥",
      "主入口，image 密钥",
      "备用入口，codex 密钥",
      "备用入口，image 密钥",
      "Ask、Agent 和 VS Code 的内联聊天",
    ]);
    // The test has used up the budget of one token.
    const budget = await workbench.notifications.waitFor(/今日预算 1 个令牌已使用 .* 个.*只有输入时的自动补全会停止/);
    assert.deepEqual(budget.buttons, ["显示用量", "打开设置"]);
    await workbench.statusBarItem(/%$/).waitFor();
  });

  it("answers, and shows usage at the user's prices, with the budgets", async () => {
    assert.match(await workbench.chat.ask("@codex 灯塔有多高？"), /灯塔有多高？[^]*主入口/);
    await workbench.runCommand("Codex Gateway: 显示用量");
    await clickInWebview(workbench.page, "#tab-month");
    const read = (main: Locator): Promise<string> => main.innerText({ timeout: 5_000 });
    const text = await readInWebview(workbench.page, "main:has(> .note)", read);
    assert.match(text, /个请求、输入 [\d,]+ 个令牌和输出 [\d,]+ 个令牌[^]*费用：¥\d/);
    assert.match(text, /本月预算 .*100,000\.00 已花费/);
    await workbench.close("Close Editor");
  });

  it("writes commit messages, with picker and errors", async () => {
    const { sourceControl } = workbench;
    await sourceControl.open();
    await sourceControl.press("生成提交消息", roots[0]);
    await sourceControl.waitForBox("功能：再添一艘船", roots[0]);
    await sourceControl.press("生成提交消息", roots[1]);
    const text = "副本 中没有可描述的更改。请保存更改，然后重试。";
    const { buttons } = await workbench.notifications.waitFor(text);
    assert.deepEqual(buttons, ["打开源代码管理"]);
    await workbench.notifications.dismissAll();
    await workbench.runCommand("Codex Gateway: 生成提交消息");
    const { labels } = await workbench.quickInput.waitFor("选择要生成提交消息的存储库");
    assert.deepEqual(labels.toSorted(), ["repository", "副本"]);
  });
});

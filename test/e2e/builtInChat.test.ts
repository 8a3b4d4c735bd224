import assert from "node:assert/strict";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { textModels } from "../../src/gateway/models.ts";
import type { LocalGateway } from "../support/gateway/gateway.ts";
import type { Conversation } from "../support/gateway/conversation.ts";
import { isRecord } from "../support/gateway/json.ts";
import { reply, type Reply } from "../support/gateway/reply.ts";
import { connectedTo } from "../support/host/connectedTo.ts";
import { resultsIn } from "../support/resultsIn.ts";
import { hostVariable } from "../support/host/vscodeVersion.ts";
import { closeByEscape, showBy } from "./support/attempts.ts";
import { chooseEffort } from "./support/chooseEffort.ts";
import { withOwnSession } from "./support/session.ts";
import { type FirstAnswer, useEverywhere } from "./support/useEverywhere.ts";
import { until } from "./support/until.ts";
import { readInWebview } from "./support/webview.ts";
import { Workbench } from "./support/workbench.ts";

describe("the built-in chat on the gateway's models, in a real VS Code", () => {
  let gateway: LocalGateway;
  let workbench: Workbench;

  let first: FirstAnswer;

  // This host forgets the keys that are typed when it reloads; then those of the environment serve.
  withOwnSession(
    (local) => ({ env: connectedTo(local).env }),
    async (session) => {
      ({ gateway, workbench } = session);
      first = await useEverywhere(session);
    },
    {
      gateway: () => ({
        reply: (conversation) =>
          nextCall(conversation, join(workbench.workspace, "docs", "plan.md")) ?? reply(conversation),
      }),
    },
  );

  it("answers a new user in Agent after at most 8 interactions, without signing in", () => {
    console.log(`      ${first.interactions.length} interactions, ${first.seconds.toFixed(1)} s`);
    assert.ok(first.interactions.length <= 8, first.interactions.join(", "));
    assert.match(first.answer, /Answered by gpt-5\.3-codex/);
    for (const change of [
      "chat.disableAIFeatures: not set → false",
      "chat.utilityModel: not set → codex-gateway/gpt-5.3-codex",
      "chat.utilitySmallModel: not set → codex-gateway/gpt-5.4-mini",
    ]) {
      assert.ok(first.question.includes(change), first.question);
    }
  });

  it("counts what no user typed, such as titles, as AI features, and asks the small model for them", async () => {
    await workbench.chat.chooseMode("Agent");
    await workbench.chat.ask("What is a fathom?");
    const small = (): readonly unknown[] =>
      gateway.requests.filter(({ body }) => isRecord(body) && body.model === "gpt-5.4-mini");
    await until("the request for a title", () => small().length > 0 || undefined);
    await workbench.runCommand("Codex Gateway: Show Usage");
    await until("titles among the AI features", async () => {
      const rows = await readInWebview(workbench.page, "body:has(> h1)", (body) => body.innerText({ timeout: 5_000 }));
      return rows.includes("AI features") || undefined;
    });
    await workbench.screenshot("everywhere-usage");
    await workbench.runCommand("View: Close Editor");
  });

  it("reads a file, changes it, and sees the result, in one turn of Agent", async () => {
    await workbench.chat.chooseMode("Agent");
    const path = join(workbench.workspace, "docs", "plan.md");
    const answer = await workbench.chat.ask("Retitle the plan", 60_000);
    assert.match(answer, /read_file says:[^]*# Sailing plan/);
    assert.match(await readFile(path, "utf8"), /^# Sailing plan\n/);
    const results = gateway.requests.map(({ body }) => resultsIn(body).length);
    assert.deepEqual(
      results.filter((count) => count > 0),
      [1, 2, 3],
    );
    await workbench.screenshot("agent-three-tools");
  });

  it("answers in Ask with each of the five models", async () => {
    await workbench.chat.chooseMode("Ask");
    for (const { id, name } of textModels) {
      await workbench.chat.chooseModel(name);
      assert.match(await workbench.chat.ask(`What does a ${name} buoy mark?`), new RegExp(`Answered by ${id}\\.`));
    }
    await workbench.screenshot("ask-five-models");
  });

  it("asks with the reasoning effort chosen beside the model, whose name stays in view", async function () {
    // Seen in VS Code 1.139.1; an older one may have no such choice.
    if (process.env[hostVariable] !== undefined) this.skip();
    await workbench.chat.chooseMode("Ask");
    await workbench.chat.chooseModel("GPT-5.5");
    assert.equal(await workbench.page.locator("a.model-picker-name").innerText(), "GPT-5.5");
    await chooseEffort(workbench.page, "Low");
    await workbench.screenshot("reasoning-effort");
    await workbench.chat.ask("What is a mooring?");
    await chooseEffort(workbench.page, "Auto");
    await workbench.chat.ask("What is a bollard?");
    assert.deepEqual(
      gateway.requests
        .filter(({ body }) => isRecord(body) && body.model === "gpt-5.5")
        .map(({ body }) => (body as { readonly reasoning_effort?: unknown }).reasoning_effort),
      ["low", undefined],
    );
  });

  it("runs a tool in Agent, takes its result and finishes", async () => {
    await workbench.chat.chooseMode("Agent");
    const path = JSON.stringify(join(workbench.workspace, "docs"));
    const answer = await workbench.chat.ask(`Please call list_dir with {"path": ${path}}`);
    assert.match(answer, /list_dir says:[^]*plan\.md/);
    await workbench.screenshot("agent-tool");
  });

  it("edits the file from inline chat", async () => {
    await workbench.editor.open("greet.ts");
    const input = workbench.page.locator(".inline-chat .native-edit-context");
    await showBy(input, async () => {
      await workbench.editor.focus();
      await workbench.page.keyboard.press("ControlOrMeta+A");
      await workbench.page.keyboard.press("ControlOrMeta+I");
    });
    const patch = [
      "*** Begin Patch",
      `*** Update File: ${join(workbench.workspace, "greet.ts")}`,
      "@@",
      " export function greet(name: string): string {",
      '-  return "Hello, " + name + "!";',
      "+  return `Hello, ${name}!`;",
      " }",
      "*** End Patch",
    ].join("\n");
    await input.focus();
    const call = JSON.stringify({ input: patch, explanation: "A template." });
    await workbench.page.keyboard.insertText(`call apply_patch with ${call}`);
    await workbench.page.keyboard.press("Enter");
    await workbench.editor.waitForText(/return `Hello, \$\{name\}!`;/);
    await workbench.screenshot("inline-chat");
  });

  it("says plainly in Agent that the gateway takes no tools, without asking it, where the user has switched them off", async () => {
    const folder = join(workbench.workspace, ".vscode");
    await mkdir(folder);
    await writeFile(join(folder, "settings.json"), '{ "codexGateway.toolCalling": "off" }');
    await workbench.chat.chooseMode("Agent");
    const text = "This gateway does not support tools";
    await until("the setting to be followed", async () => {
      await gateway.reset();
      await workbench.chat.startAnew();
      return (await workbench.chat.ask("Rename greet once more")).includes(text) || undefined;
    });
    assert.equal(gateway.requests.filter(({ body }) => JSON.stringify(body).includes('"tools"')).length, 0);
    await rm(folder, { recursive: true });
  });

  it("says so where the gateway refuses them, and answers in Ask", async () => {
    gateway.mode({ refuses: ["tools"] });
    await workbench.chat.chooseMode("Agent");
    const text = "This gateway does not support tools, which VS Code's agent mode and built-in inline chat require.";
    assert.match(await workbench.chat.ask("Rename greet"), new RegExp(text));
    const { buttons } = await workbench.notifications.waitFor(
      /^This gateway does not support tools\. Use Ask or @codex\.$/,
    );
    assert.deepEqual(buttons.toSorted(), ["Open Chat with @codex", "Open Settings", "Show Log"]);
    await workbench.screenshot("agent-no-tools");
    await workbench.tidyUp();
    await workbench.chat.chooseMode("Ask");
    assert.match(await workbench.chat.ask("What is a sluice?"), /Answered by/);
  });

  it("shows one notification however many requests of a question fail", async () => {
    for (const name of ["primary", "backup"] as const) gateway.entry(name).always({ status: 401 });
    await workbench.chat.chooseMode("Ask");
    const text = /does not accept the API key \(401\)/;
    assert.match(await workbench.chat.ask("Who has the key?"), text);
    await workbench.notifications.waitFor(text);
    assert.equal((await workbench.notifications.all()).length, 1);
    await workbench.screenshot("ask-error");
  });

  it("offers what helps where both entries are overloaded: the question for @codex, and a test", async () => {
    for (const name of ["primary", "backup"] as const) gateway.entry(name).always({ status: 529 });
    await workbench.chat.chooseMode("Ask");
    assert.match(await workbench.chat.ask("What is a capstan?"), /Both entries failed\.[^]*overloaded \(529\)/);
    const text = /Both entries failed: overloaded \(529\)\./;
    const { buttons } = await workbench.notifications.waitFor(text);
    assert.deepEqual(buttons.toSorted(), ["Ask @codex", "Show Log", "Test Connection"]);
    await workbench.screenshot("ask-overloaded");
    await workbench.notifications.click(text, "Ask @codex");
    await until(
      "the question in the input",
      async () => (await workbench.chat.input()) === "@codex What is a capstan?" || undefined,
    );
    await workbench.chat.type("");
  });

  it("opens the picker where the gateway cannot find the model picked", async () => {
    for (const name of ["primary", "backup"] as const) {
      gateway.entry(name).always({ status: 404, code: "model_not_found" });
    }
    await workbench.chat.chooseMode("Ask");
    await workbench.chat.chooseModel("GPT-5.4");
    const text = /cannot find the model “gpt-5\.4” \(404\)/;
    assert.match(await workbench.chat.ask("What is a davit?"), text);
    await workbench.notifications.click(text, "Select Model");
    const models = workbench.page.locator(".action-list-filter-input");
    await models.waitFor();
    await closeByEscape(workbench.page, models);
  });

  it("shows in Test Connection and the menu that it is in use", async () => {
    await workbench.runCommand("Codex Gateway: Test Connection");
    const { labels } = await workbench.quickInput.waitFor("Test Connection");
    assert.ok(labels.includes("Ask, Agent, and VS Code's inline chat"), labels.join());
    await workbench.screenshot("everywhere-tested");
    await workbench.runCommand("Codex Gateway: Show Menu");
    await workbench.quickInput.row("Stop Using in VS Code's Chat").waitFor();
    await workbench.screenshot("everywhere-menu");
    await workbench.quickInput.cancel();
  });

  it("answers after a reload, and in a second window", async () => {
    await workbench.reload();
    await workbench.statusBarItem(/primary$/).waitFor();
    await workbench.waitForBuiltInChat();
    await workbench.chat.chooseMode("Agent");
    assert.match(await workbench.chat.ask("What is a cleat?"), /Answered by gpt-5/);
    const [page] = await Promise.all([
      workbench.page.context().waitForEvent("page"),
      workbench.page.evaluate("void window.open(location.href)"),
    ]);
    const second = new Workbench({
      page,
      workspace: workbench.workspace,
      userData: workbench.userData,
      end: () => page.close(),
    });
    await second.statusBarItem(/primary$/).waitFor({ timeout: 60_000 });
    await second.waitForBuiltInChat();
    assert.match(await second.chat.ask("What is a winch?"), /Answered by gpt-5/);
    await second.screenshot("everywhere-second");
    await second.close();
  });

  it("takes back what it changed, and says what stays", async () => {
    const settings = (): Promise<string> => readFile(userSettings(), "utf8");
    assert.match(await settings(), /"chat\.utilityModel"/);
    await workbench.runCommand("Codex Gateway: Stop Using in VS Code's Chat");
    await workbench.notifications.waitFor(/has its previous settings again\. It stays on/);
    assert.doesNotMatch(await settings(), /"chat\.|"inlineChat\./);
    await workbench.runCommand("Codex Gateway: Stop Using in VS Code's Chat");
    await workbench.notifications.waitFor("VS Code's chat does not use the gateway's models.");
  });

  const userSettings = (): string => join(workbench.userData, "User", "settings.json");
});

/** Reads a file, changes its first line, and reads it again, each after the result of the call before. */
function nextCall({ turns, tools }: Conversation, path: string): Reply | undefined {
  const asked = turns.findLastIndex(({ role, text }) => role === "user" && text.includes("Retitle the plan"));
  if (asked < 0 || tools.length === 0) return undefined;
  const done = turns.slice(asked).filter(({ role }) => role === "tool").length;
  const read = ["read_file", { filePath: path, startLine: 1, endLine: 20 }] as const;
  const input = `*** Begin Patch\n*** Update File: ${path}\n-# Plan\n+# Sailing plan\n*** End Patch`;
  const [name, order] = [read, ["apply_patch", { input, explanation: "A title." }] as const, read][done] ?? [];
  return name && { text: "", calls: [{ id: `call_${done}`, name, input: JSON.stringify(order) }] };
}

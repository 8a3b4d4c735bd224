import assert from "node:assert/strict";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { textModels } from "../../src/gateway/models.ts";
import type { LocalGateway } from "../support/gateway/gateway.ts";
import { connectedTo } from "../support/host/connectedTo.ts";
import { hostVariable } from "../support/host/vscodeVersion.ts";
import { closeByEscape, showBy } from "./support/attempts.ts";
import { chooseEffort } from "./support/chooseEffort.ts";
import { withOwnSession } from "./support/session.ts";
import { until } from "./support/until.ts";
import type { Workbench } from "./support/workbench.ts";

describe("the built-in chat on the gateway's models, in a real VS Code", () => {
  let gateway: LocalGateway;
  let workbench: Workbench;

  withOwnSession(
    (local) => ({ ...connectedTo(local), builtInChat: true }),
    (session) => ({ gateway, workbench } = session),
  );

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
      gateway.requests.map(({ body }) => (body as { readonly reasoning_effort?: unknown }).reasoning_effort),
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
    const { buttons } = await workbench.notifications.waitFor(/^This gateway does not support tools\. Use Ask\.$/);
    assert.deepEqual(buttons, ["Open Settings", "Show Log"]);
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

  it("answers after a reload", async () => {
    await workbench.chat.chooseMode("Ask");
    await workbench.chat.chooseModel("GPT-5.4 mini");
    assert.match(await workbench.chat.ask("What is a winch?"), /Answered by gpt-5\.4-mini\./);
    await workbench.reload();
    await workbench.statusBarItem(/primary$/).waitFor();
    await workbench.waitForBuiltInChat();
    // Even so, VS Code may still answer with an offer to sign in.
    const answerOf = async (question: string): Promise<string | undefined> => {
      await workbench.tidyUp();
      return workbench.chat.ask(question, 5_000).catch(() => undefined);
    };
    // Which one: this host writes its choice down some seconds later, so it may still be the one before.
    const answer = await until("the built-in chat to answer", () => answerOf("What is a cleat?"), 60_000);
    assert.match(answer, /Answered by gpt-5/);
  });
});

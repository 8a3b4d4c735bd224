import assert from "node:assert/strict";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { LocalGateway } from "../support/gateway/gateway.ts";
import { lastBody, lastQuestion } from "./support/chatBody.ts";
import { connected, withSession } from "./support/session.ts";
import { until } from "./support/until.ts";
import type { Workbench } from "./support/workbench.ts";

describe("@codex, in a real VS Code without a sign-in", () => {
  let gateway: LocalGateway;
  let workbench: Workbench;
  let chat: Workbench["chat"];

  withSession(connected, (session) => {
    ({ gateway, workbench } = session);
    ({ chat } = workbench);
  });

  it("streams an answer until Stop ends the request, and a follow-up question knows the first", async () => {
    gateway.mode({ hold: "midAnswer" });
    await chat.send("@codex What does a lighthouse do?");
    await chat.waitForAnswer(/What does a lighthouse do\?/);
    assert.doesNotMatch(await chat.answer(), /Answered by/);
    await chat.stop();
    await gateway.until(() => gateway.asked.at(-1)?.closed !== undefined);
    assert.match(await chat.answer(), /You asked/);
    await chat.waitUntilIdle();
    gateway.mode({ hold: "no" });
    const answer = await chat.ask("@codex And a buoy?");
    assert.match(answer, /And a buoy\?[^]*Answered by[^]*GPT-5\.3 Codex · primary entry/);
    assert.ok(lastBody(gateway).messages.some(({ content }) => content.includes("What does a lighthouse do?")));
  });

  it("is asked with the files that a question is about, which the answer lists", async () => {
    await chat.ask("@codex What does greetAll put between two greetings?");
    assert.match(lastQuestion(gateway), /^greet\.ts:\n```ts\n[^]*function greetAll[^]*What does greetAll/m);
  });

  it("reads the file in the editor for a command, suggests a follow-up, and uses the same file for it", async () => {
    await workbench.editor.open("greet.ts");
    assert.match(await chat.ask("@codex /explain"), /primary entry/);
    assert.match(lastQuestion(gateway), /^greet\.ts:\n```typescript\nexport function greet/);
    await workbench.screenshot("chat-explain");
    await chat.followUp("Document this code").click();
    await gateway.until(() => gateway.asked.length === 2);
    assert.match(lastQuestion(gateway), /greetAll[^]*documentation comments/);
    await chat.waitUntilIdle();
  });

  it("asks the model of Select Model, also one from the settings, and through the other API", async () => {
    const { quickInput } = workbench;
    const folder = join(workbench.workspace, ".vscode");
    await mkdir(folder, { recursive: true });
    const models = { "gpt-7": { name: "GPT-7 Nautilus" } };
    const settings = { "codexGateway.models": models, "codexGateway.chat.api": "responses" };
    await writeFile(join(folder, "settings.json"), JSON.stringify({ ...settings, "codexGateway.streaming": "off" }));
    await until(async () => {
      await workbench.runCommand("Codex Gateway: Select Model");
      await quickInput.waitFor("Select the model for @codex");
      await quickInput.row("GPT-5.5").waitFor();
      return (await quickInput.row("GPT-7 Nautilus").count()) > 0;
    }, "the model of the settings");
    assert.deepEqual((await quickInput.rows())[0], [
      "GPT-5.3 Codex",
      "current",
      "Built for code. Suits most questions.",
    ]);
    await quickInput.pick("GPT-7 Nautilus");
    await workbench.statusBarItem("GPT-7 Nautilus").waitFor();
    await workbench.runCommand("Codex Gateway: Select Model");
    await quickInput.pick("GPT-5.5");
    await workbench.statusBarItem("GPT-5.5").waitFor();
    gateway.mode({ strict: true });
    assert.match(await chat.ask("@codex Who are you?"), /GPT-5\.5 · primary entry/);
    assert.deepEqual(
      gateway.asked.map(({ path, status }) => [path, status]),
      [["/v1/responses", 200]],
    );
    await rm(folder, { recursive: true });
    await workbench.runCommand("Codex Gateway: Select Model");
    await quickInput.pick("GPT-5.3 Codex");
    await workbench.statusBarItem("GPT-5.3 Codex").waitFor();
  });
});

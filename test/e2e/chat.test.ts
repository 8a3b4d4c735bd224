import assert from "node:assert/strict";
import type { RecordedRequest } from "../support/gateway/types.ts";
import { type Session, sharedSession } from "./support/session.ts";

describe("@codex, in a real VS Code without a sign-in", () => {
  let session: Session;

  beforeEach(async () => {
    session = await sharedSession();
  });

  it("streams an answer, and a follow-up question knows the first", async () => {
    const { workbench, gateway } = session;
    gateway.mode({ hold: "midAnswer" });
    await workbench.chat.send("@codex What does a lighthouse do?");
    await workbench.chat.waitForAnswer(/What does a lighthouse do\?/);
    assert.doesNotMatch(await workbench.chat.answer(), /Answered by/);
    gateway.mode({ hold: "no" });
    gateway.release();
    await workbench.chat.waitForAnswer(/Answered by[^]*GPT-5\.3 Codex · primary entry/);
    assert.match(await workbench.chat.ask("@codex What did I ask before?"), /What does a lighthouse do\?/);
    await workbench.screenshot("chat-answer");
  });

  it("ends the HTTP request at once when Stop is clicked, and keeps what came", async () => {
    const { workbench, gateway } = session;
    gateway.mode({ hold: "midAnswer" });
    await workbench.page.evaluate("addEventListener('click', () => { globalThis.clickedAt = Date.now(); }, true)");
    const took: number[] = [];
    // Other windows can delay one of them; test/suite has a limit for the extension alone.
    for (const part of ["light", "wick", "clock", "lens", "bell", "flag"]) {
      const question = `Who keeps the ${part}?`;
      await workbench.chat.send(`@codex ${question}`);
      await workbench.chat.waitForAnswer(new RegExp(question.replace("?", "\\?")));
      await workbench.chat.stop();
      await gateway.until(() => gateway.asked.at(-1)?.closed !== undefined);
      const clickedAt = Number(await workbench.page.evaluate("globalThis.clickedAt"));
      took.push((gateway.asked.at(-1)?.closed ?? Infinity) - clickedAt);
      assert.match(await workbench.chat.answer(), /You asked/);
      await workbench.chat.waitUntilIdle();
      if (Math.min(...took) < 300) break;
    }
    assert.ok(Math.min(...took) < 300, `${took.join(", ")} ms`);
  });

  it("reads the file in the editor for a command, offers what comes next, and keeps to it", async () => {
    const { workbench, gateway } = session;
    await workbench.editor.open("greet.ts");
    assert.match(await workbench.chat.ask("@codex /explain"), /primary entry/);
    assert.match(question(gateway.asked[0]), /^greet\.ts:\n```typescript\nexport function greet/);
    await workbench.screenshot("chat-explain");
    await workbench.chat.followUp("Document this code").click();
    await gateway.until(() => gateway.asked.length === 2);
    assert.match(question(gateway.asked[1]), /greetAll[^]*documentation comments/);
    await workbench.chat.waitUntilIdle();
  });

  it("shows an image that /image makes, and where it is", async () => {
    const { workbench, gateway } = session;
    const answer = await workbench.chat.ask("@codex /image a ferry at night");
    assert.match(answer, /a-ferry-at-night.*\.png/);
    await workbench.chat.waitForImage("The generated image");
    await workbench.screenshot("chat-image");
    assert.deepEqual(
      gateway.asked.map(({ operation }) => operation),
      ["image"],
    );
    await workbench.chat.inAnswer("button", "Open Image").click();
    await workbench.editor.waitForTab(/^a-ferry-at-night.*\.png$/);
  });

  it("says what went wrong in the chat, with a button, and in a notification", async () => {
    const { workbench, gateway } = session;
    for (const name of ["primary", "backup"] as const) gateway.entry(name).always({ status: 401 });
    const text = /does not accept the API key \(401\)/;
    assert.match(await workbench.chat.ask("@codex Who goes there?"), text);
    assert.deepEqual((await workbench.notifications.waitFor(text)).buttons, ["Set API Key", "Show Log"]);
    await workbench.screenshot("chat-error");
    await workbench.chat.inAnswer("button", "Set API Key").click();
    await workbench.quickInput.waitFor("API key of the codex group");
  });

  it("keeps what came of an answer that every entry cuts off, and says so once", async () => {
    const { workbench, gateway } = session;
    gateway.entry("primary").always({ broken: "unfinished", after: 9 });
    const answer = await workbench.chat.ask("@codex What is a groyne?");
    assert.match(
      answer,
      /You asked[^]*The answer was interrupted\. What you received so far is kept\. Ask again for a complete answer\./,
    );
    const { buttons } = await workbench.notifications.waitFor(/^The answer was interrupted\.$/);
    assert.deepEqual(buttons, ["Retry", "Show Log"]);
    assert.equal((await workbench.notifications.all()).length, 1);
    assert.equal(gateway.asked.length, 1);
    await workbench.screenshot("chat-cut");
  });

  it("answers through the backup, quietly, while the primary is overloaded", async () => {
    const { workbench, gateway } = session;
    gateway.entry("primary").always({ status: 529 });
    assert.match(await workbench.chat.ask("@codex What is a beacon?"), /What is a beacon\?[^]*backup entry/);
    assert.deepEqual(await workbench.notifications.all(), []);
  });

  it("answers, with its earlier turns, from a gateway that takes documented fields only", async () => {
    const { workbench, gateway } = session;
    gateway.mode({ strict: true });
    await workbench.chat.ask("@codex What is a fathom?");
    assert.match(await workbench.chat.ask("@codex And a league?"), /And a league\?/);
    assert.match(JSON.stringify(gateway.asked.at(-1)?.body), /What is a fathom\?/);
    assert.deepEqual(await workbench.notifications.all(), []);
  });

  it("asks the model that Select Model sets", async () => {
    const { workbench, gateway } = session;
    await workbench.runCommand("Codex Gateway: Select Model");
    await workbench.quickInput.waitFor("Select the model for @codex");
    await workbench.quickInput.row("GPT-5.5").waitFor();
    const rows = await workbench.quickInput.rows();
    assert.equal(rows.length, 5);
    assert.deepEqual(rows[0], ["GPT-5.3 Codex", "current", "Built for code. Suits most questions."]);
    await workbench.screenshot("select-model");
    await workbench.quickInput.pick("GPT-5.5");
    assert.match(await workbench.chat.ask("@codex Who are you?"), /GPT-5\.5 · primary entry/);
    assert.equal(gateway.asked.length, 1);
    await workbench.runCommand("Codex Gateway: Select Model");
    await workbench.quickInput.pick("GPT-5.3 Codex");
  });
});

/** The last message of a recorded chat request. */
function question(request: RecordedRequest | undefined): string {
  const body: unknown = request?.body;
  const messages = typeof body === "object" && body !== null && "messages" in body ? body.messages : undefined;
  const last: unknown = Array.isArray(messages) ? messages.at(-1) : undefined;
  return typeof last === "object" && last !== null && "content" in last ? String(last.content) : "";
}

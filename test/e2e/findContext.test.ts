import assert from "node:assert/strict";
import { lastQuestion } from "./support/chatBody.ts";
import { sharedSession } from "./support/session.ts";

describe("a question without attachments in a real VS Code", () => {
  it("is asked with the files that it is about, which the answer lists", async () => {
    const { workbench, gateway } = await sharedSession();
    await workbench.chat.ask("@codex What does greetAll put between two greetings?");
    assert.match(lastQuestion(gateway), /^greet\.ts:\n```ts\n[^]*function greetAll[^]*What does greetAll/m);
    await workbench.screenshot("found-context");
  });

  it("is asked alone if it is about something else", async () => {
    const { workbench, gateway } = await sharedSession();
    await workbench.chat.ask("@codex What is the capital of France?");
    assert.equal(lastQuestion(gateway), "What is the capital of France?");
    assert.equal(gateway.asked.length, 1);
  });
});

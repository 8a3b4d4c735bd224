import assert from "node:assert/strict";
import { questionOf } from "../support/gateway/conversation.ts";
import type { LocalGateway } from "../support/gateway/gateway.ts";
import { connectedTo } from "../support/host/connectedTo.ts";
import { withOwnSession } from "./support/session.ts";
import type { Workbench } from "./support/workbench.ts";

describe("a question without attachments in a real VS Code", () => {
  let workbench: Workbench;
  let gateway: LocalGateway;
  const asked: string[] = [];
  withOwnSession(
    (local) => connectedTo(local, { "codexGateway.chat.findContext": true }),
    (session) => ({ gateway, workbench } = session),
    {
      gateway: () => ({
        reply: (conversation) => {
          asked.push(questionOf(conversation));
          return { text: "Answered.", calls: [] };
        },
      }),
    },
  );

  it("is asked with the files that it is about, which the answer lists", async () => {
    asked.length = 0;
    await workbench.chat.ask("@codex What does greetAll put between two greetings?");
    assert.match(asked.at(-1) ?? "", /^greet\.ts:\n```ts\n[^]*function greetAll[^]*What does greetAll/m);
    await workbench.screenshot("found-context");
  });

  it("is asked alone if it is about something else", async () => {
    await workbench.chat.ask("@codex What is the capital of France?");
    assert.equal(asked.at(-1), "What is the capital of France?");
    assert.equal(gateway.requests.length, 1);
  });
});

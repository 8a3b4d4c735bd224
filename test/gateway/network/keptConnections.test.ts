import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { setTimeout } from "node:timers/promises";
import { clientOn, partsOf, question } from "../../support/localClient.ts";

describe("a kept connection", () => {
  it("serves the next question although the body's end comes in a packet after [DONE]", async () => {
    let connections = 0;
    const server = createServer((request, response) => {
      request.resume().once("end", () => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.write('data: {"choices":[{"delta":{"content":"Yes"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n');
        void setTimeout(10).then(() => response.end());
      });
    });
    server.on("connection", () => (connections += 1));
    await once(server.listen(0, "127.0.0.1"), "listening");
    const address = server.address();
    assert.ok(typeof address === "object" && address);
    const primary = { url: `http://127.0.0.1:${address.port}` };
    const { gateway } = clientOn({ primary, backup: { url: "" }, keys: { codex: "sk-a", image: "sk-b" } });
    try {
      for (let turn = 1; turn <= 10; turn += 1) {
        await partsOf(gateway.ask(question("Yes?"), new AbortController().signal));
        await setTimeout(30);
      }
      // One, but for a turn that a busy machine starts before it has seen the end of the last one.
      assert.ok(connections < 10, `${connections} connections for 10 questions`);
    } finally {
      await gateway.dispose();
      server.close();
    }
  });
});

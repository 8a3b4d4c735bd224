import assert from "node:assert/strict";
import { type LocalClient, partsOf, question, textIn } from "../../support/localClient.ts";
import { withLocalClient } from "../../support/withLocalClient.ts";

describe("an answer that does not end", () => {
  let client: LocalClient;
  withLocalClient(
    (_, its) => {
      client = its;
    },
    { reply: () => ({ text: "endless ".repeat(400_000), calls: [] }) },
  );

  it("is cut after two million characters, and is told as cut", async () => {
    const parts = await partsOf(client.gateway.ask(question("Tell me."), new AbortController().signal));
    const { length } = textIn(parts);
    assert.ok(length > 2_000_000 && length < 2_500_000, String(length));
    assert.deepEqual(parts.at(-1), { type: "finish", reason: "length" });
  });
});

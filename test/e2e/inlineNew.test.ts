import assert from "node:assert/strict";
import { connectedTo } from "../support/host/connectedTo.ts";
import { type Session, withOwnSession } from "./support/session.ts";

describe("inline chat in a new window", () => {
  let session: Session;
  withOwnSession(
    (gateway) => connectedTo(gateway),
    (own) => {
      session = own;
    },
  );

  it("has a connection once its input opens, not by the start or by typing, and asks over it", async () => {
    const { gateway, workbench } = session;
    await workbench.editor.write("ahead.ts", "let one = 1;\n");
    await workbench.page.keyboard.insertText("let two = 2;\n");
    await workbench.editor.save("ahead.ts", "let two = 2;\nlet one = 1;\n");
    assert.equal(gateway.connections, 0);
    await workbench.inlineChat.open();
    await gateway.until(() => gateway.connections > 0);
    assert.deepEqual([gateway.connections, gateway.requests.length], [1, 0]);
    await workbench.inlineChat.askFully("Say three");
    assert.deepEqual([gateway.connections, gateway.requests.length], [1, 1]);
    await workbench.runCommand("View: Revert and Close Editor");
  });
});

import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { connectedTo } from "../support/host/connectedTo.ts";
import { type Session, withOwnSession } from "./support/session.ts";

describe("a connection before the question", () => {
  let session: Session;
  withOwnSession(
    (gateway) => connectedTo(gateway),
    (own) => {
      session = own;
    },
  );

  it("is opened by the input of inline chat, not by the start or by typing, and serves the question", async () => {
    const { gateway, workbench } = session;
    await writeFile(join(workbench.workspace, "ahead.ts"), "let one = 1;\n");
    await workbench.editor.open("ahead.ts");
    await workbench.editor.focus();
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

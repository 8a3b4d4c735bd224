import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { commands, lm, window, workspace } from "vscode";
import { prefix, vendor } from "../../src/manifest.ts";
import { type LocalGateway, startGateway } from "../support/gateway/gateway.ts";
import { configure } from "./editing.ts";

describe("a connection before the question", () => {
  let gateway: LocalGateway;

  beforeEach(async () => {
    gateway = await startGateway();
    await configure({ baseUrl: gateway.primary.url });
  });

  afterEach(async () => {
    await commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
    await configure({ baseUrl: undefined });
    await gateway.close();
  });

  for (const command of ["openChat", "generateImage", "inlineChat"]) {
    it(`is opened by ${command}, and nothing is sent`, async () => {
      await window.showTextDocument(await workspace.openTextDocument({ content: "a\n" }));
      const isOver = commands.executeCommand(`${prefix}.${command}`).then(() => true);
      await gateway.until(() => gateway.connections > 0);
      assert.deepEqual([gateway.connections, gateway.requests.length], [1, 0]);
      // An input that the command opens may come only after it has connected.
      while (!(await Promise.race([isOver, pause(50, false)])))
        await commands.executeCommand("workbench.action.closeQuickOpen");
    });
  }

  it("is not opened by typing or by asking for the models", async () => {
    await window.showTextDocument(await workspace.openTextDocument({ content: "a\n" }));
    await commands.executeCommand("default:type", { text: "let b = 1;" });
    await lm.selectChatModels({ vendor });
    // The gateway accepts connections in their order.
    await fetch(gateway.primary.url);
    assert.equal(gateway.connections, 1, "only the one of this test");
  });
});

import assert from "node:assert/strict";
import { connectedTo } from "../support/host/connectedTo.ts";
import { vsixPath } from "../../scripts/paths.ts";
import { packageCopilotStub } from "./support/copilotStub.ts";
import { waitForGhostText } from "./support/ghostText.ts";
import { withOwnSession } from "./support/session.ts";
import type { Workbench } from "./support/workbench.ts";

describe("completions beside GitHub Copilot", () => {
  let workbench: Workbench;
  withOwnSession(
    async (local, cleanup) => ({
      ...connectedTo(local, {
        "codexGateway.completions.mode": "automatic",
        "codexGateway.completions.model": "gpt-5.4-mini",
      }),
      // Without it, VS Code has the extension with Copilot's ID disabled until somebody sets chat up.
      builtInChat: true,
      extensions: [vsixPath, await packageCopilotStub(cleanup)],
    }),
    async (session) => {
      ({ workbench } = session);
      await workbench.statusBarItem(/primary$/).waitFor();
    },
    { gateway: () => ({ reply: () => ({ text: "1;", calls: [] }) }) },
  );

  // On a busy machine, another notification says that completions are slow.
  const questions = async (): Promise<readonly string[]> => {
    const texts = (await workbench.notifications.all()).map(({ text }) => text);
    return texts.filter((text) => text.includes("GitHub Copilot"));
  };
  it("come without a question where nobody has signed in to GitHub", async () => {
    await workbench.editor.write("alone.ts", "");
    await workbench.page.keyboard.type("let x = ", { delay: 20 });
    await waitForGhostText(workbench.page, /1;/);
    assert.deepEqual(await questions(), []);
  });
});

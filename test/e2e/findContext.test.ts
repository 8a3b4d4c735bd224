import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LocalGateway } from "../support/gateway/gateway.ts";
import { connectedTo } from "../support/host/connectedTo.ts";
import { lastQuestion } from "./support/chatBody.ts";
import { sharedSession, withOwnSession } from "./support/session.ts";
import { succeeded, until } from "./support/until.ts";
import type { Workbench } from "./support/workbench.ts";

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

describe("a question that names a method, in a real VS Code with TypeScript's own language server", () => {
  let workbench: Workbench;
  let gateway: LocalGateway;

  withOwnSession(
    (local, cleanup) => {
      const folder = mkdtempSync(join(tmpdir(), "rigging-"));
      cleanup.defer(() => {
        rmSync(folder, { recursive: true });
      });
      mkdirSync(join(folder, "logs"));
      const filler = Array.from({ length: 3_000 }, (_, line) => `  rope${line} = "sheet ${line}";`);
      const method = ["  hoistSail() {", '    return "the halyard is belayed";', "  }"];
      const lines = ["export class Rigging {", ...filler.slice(0, 2_000), ...method, ...filler.slice(2_000), "}", ""];
      writeFileSync(join(folder, "tsconfig.json"), "{}\n");
      writeFileSync(join(folder, "rigging.ts"), lines.join("\n"));
      writeFileSync(
        join(folder, "ship.ts"),
        'import { Rigging } from "./rigging";\nexport const ship = new Rigging();\n',
      );
      // These say more often than the declaration what the question asks about, so that their words count more.
      const entry = "hoistSail: end of the hoistSail, hoistSail ends\n".repeat(20);
      for (let day = 0; day < 30; day += 1) writeFileSync(join(folder, "logs", `hoistSail${day}.log`), entry);
      return { ...connectedTo(local, { "codexGateway.chat.findContext": true }), workspace: folder };
    },
    (session) => ({ workbench, gateway } = session),
  );

  it("is asked with the method, wherever in a long file it is declared", async () => {
    await workbench.editor.open("ship.ts");
    await workbench.runCommand("Go to Symbol in Workspace...");
    await until("TypeScript to know the method", async () => {
      // VS Code asks again only for other words.
      for (const words of ["#hoistSai", "#hoistSail"]) await workbench.quickInput.type(words);
      const isListed = async (): Promise<true | undefined> =>
        (await workbench.quickInput.view())?.labels.some((label) => label.startsWith("hoistSail")) ? true : undefined;
      return succeeded(until("the method in the list", isListed, 3_000));
    });
    await workbench.page.keyboard.press("Escape");
    const answer = await workbench.chat.ask("@codex What does hoistSail end with?");
    assert.match(lastQuestion(gateway), /^rigging\.ts:\d+-\d+:\n```ts\n[^]*hoistSail\(\)[^]*the halyard is belayed/m);
    assert.ok(answer);
  });
});

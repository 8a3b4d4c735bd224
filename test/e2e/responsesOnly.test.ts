import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { textModels } from "../../src/gateway/models.ts";
import type { LocalGateway } from "../support/gateway/gateway.ts";
import { isRecord } from "../support/gateway/json.ts";
import type { RecordedRequest } from "../support/gateway/types.ts";
import { connectedTo } from "../support/host/connectedTo.ts";
import { resultsIn } from "../support/resultsIn.ts";
import { withOwnSession } from "./support/session.ts";
import type { Workbench } from "./support/workbench.ts";

const turns = 30;

describe("the built-in chat on the gateway's models, served by responses only, in a real VS Code", () => {
  let gateway: LocalGateway;
  let workbench: Workbench;

  withOwnSession(
    (local) => ({ ...connectedTo(local, { "chat.agent.maxRequests": 2 * turns }), builtInChat: true }),
    async (session) => {
      ({ gateway, workbench } = session);
      for (let number = 1; number <= turns; number += 1) {
        const folder = join(workbench.workspace, "series", `folder-${number}`);
        await mkdir(folder, { recursive: true });
        await writeFile(join(folder, `found-${number}.md`), "");
      }
    },
    { gateway: () => ({ modes: { responsesOnly: "all" } }) },
  );

  /** Has the agent call a tool 30 times in one question, and gives the requests about it. */
  async function runAgent(): Promise<readonly RecordedRequest[]> {
    await workbench.chat.chooseMode("Agent");
    const path = JSON.stringify(join(workbench.workspace, "series", "folder-#"));
    const question = `Please call list_dir ${turns} times in sequence with {"path": ${path}}`;
    assert.match(await workbench.chat.ask(question, 180_000), /Answered by gpt-5/);
    return gateway.requests.filter(({ body }) => isRecord(body) && JSON.stringify([body.tools]).includes('"list_dir"'));
  }

  /** The tool results in a request: each once, in order, and under the id of its call. */
  function checkResults(request: RecordedRequest | undefined): void {
    const results = resultsIn(request?.body);
    const numbers = Array.from({ length: turns }, (_, index) => String(index + 1));
    assert.deepEqual(
      results.map(([id]) => /^call_series_(\d+)/.exec(id)?.[1]),
      numbers,
    );
    assert.deepEqual(
      results.map(([, text]) => [...text.matchAll(/found-(\d+)\.md/g)].map(([, number]) => number).join()),
      numbers,
    );
  }

  const refused = (requests: readonly RecordedRequest[]): readonly string[] =>
    requests.filter(({ status }) => status !== 200).map(({ operation = "", status = 0 }) => `${operation} ${status}`);

  it("brings 30 tool results of one question, each once, at the price of one request", async () => {
    const requests = await runAgent();
    assert.deepEqual(refused(requests), ["chat 404"]);
    assert.equal(requests.length, turns + 2);
    checkResults(requests.at(-1));
    const body = requests.at(-1)?.body;
    assert.ok(isRecord(body) && Array.isArray(body.input));
    await workbench.screenshot("agent-responses");
  }).timeout(240_000);

  it("brings them as text where the gateway takes no list", async () => {
    gateway.mode({ inputList: false });
    const requests = await runAgent();
    assert.ok(refused(requests).filter((one) => one === "chat 404").length <= 1);
    assert.equal(refused(requests).filter((one) => one === "responses 400").length, 1);
    assert.equal(requests.length, turns + 1 + refused(requests).length);
    checkResults(requests.at(-1));
  }).timeout(240_000);

  it("answers each model in Ask, @codex and inline chat, and asks in vain once for each model at the most", async () => {
    await workbench.chat.chooseMode("Ask");
    for (const { id, name } of textModels) {
      await workbench.chat.chooseModel(name);
      assert.match(await workbench.chat.ask(`What does a ${name} buoy mark?`), new RegExp(`Answered by ${id}\\.`));
    }
    assert.match(await workbench.chat.ask("@codex What is a sluice?"), /Answered by gpt-5/);
    await workbench.editor.open("greet.ts");
    await workbench.editor.focus();
    await workbench.inlineChat.askFully("Explain it briefly");
    const inVain = gateway.requests
      .filter(({ status }) => status !== 200)
      .map(({ body }) => (isRecord(body) ? `${String(body.model)} ${"tools" in body}` : ""));
    assert.ok(inVain.length > 0);
    assert.equal(new Set(inVain).size, inVain.length, inVain.join());
    await workbench.screenshot("responses-inline");
  });
});

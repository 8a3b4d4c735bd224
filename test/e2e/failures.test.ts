import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { LocalGateway } from "../support/gateway/gateway.ts";
import type { Fault } from "../support/gateway/types.ts";
import { connectedTo } from "../support/host/connectedTo.ts";
import { withOwnSession } from "./support/session.ts";
import { until } from "./support/until.ts";
import type { Workbench } from "./support/workbench.ts";

/** A failure of both entries, and the notification that is to say so. */
interface Case {
  readonly what: string;
  readonly fault: Fault;
  readonly text: RegExp;
  readonly buttons: readonly string[];
}

const chatCases: readonly Case[] = [
  { what: "401", fault: { status: 401 }, text: /does not accept the API key \(401\)/, buttons: ["Set API Key"] },
  {
    what: "403",
    fault: { status: 403 },
    text: /lacks the permission for this model.*\(403\)/,
    buttons: ["Set API Key"],
  },
  { what: "404", fault: { status: 404 }, text: /does not know this path \(404\)/, buttons: ["Open Settings"] },
  {
    what: "429 with a Retry-After of a minute",
    fault: { status: 429, retryAfter: 60 },
    text: /Too many requests \(429\)\. Try again in 60 s/,
    buttons: ["Retry"],
  },
  { what: "500", fault: { status: 500 }, text: /internal error \(500\)/, buttons: ["Retry"] },
  { what: "529", fault: { status: 529 }, text: /overloaded \(529\)/, buttons: ["Retry"] },
  {
    what: "model_not_found",
    fault: { status: 400, code: "model_not_found" },
    text: /does not find this model \(400\)/,
    buttons: ["Open Settings"],
  },
];

const imageCases: readonly Case[] = [
  { what: "401", fault: { status: 401 }, text: /not of the image group/, buttons: ["Set API Key"] },
  {
    what: "model_not_found",
    fault: { status: 404, code: "model_not_found" },
    text: /image account may not be bound/,
    buttons: ["Show Log"],
  },
  { what: "no image", fault: { image: "emptyData" }, text: /returned no image/, buttons: ["Retry"] },
];

describe("failures, in a real VS Code", () => {
  let gateway: LocalGateway;
  let workbench: Workbench;

  withOwnSession(
    (local) => connectedTo(local, { "codexGateway.image.size": "1024x1024" }),
    (session) => ({ gateway, workbench } = session),
  );

  function failBoth(fault: Fault): void {
    gateway.entry("primary").always(fault);
    gateway.entry("backup").always(fault);
  }

  async function orderImage(prompt: string): Promise<void> {
    await workbench.runCommand("Codex Gateway: Generate Image");
    await workbench.quickInput.answer(/image/i, prompt);
  }

  async function assertOneNotification({ text, buttons }: Case): Promise<void> {
    const notification = await workbench.notifications.waitFor(text);
    assert.equal(notification.severity, "error");
    assert.deepEqual(
      buttons.filter((button) => !notification.buttons.includes(button)),
      [],
    );
    await until("one notification alone", async () => (await workbench.notifications.all()).length === 1 || undefined);
  }

  for (const failure of chatCases) {
    it(`says the cause of ${failure.what} in the chat and in one notification`, async () => {
      failBoth(failure.fault);
      assert.match(await workbench.chat.ask("@codex Why is the sea blue?"), failure.text);
      await assertOneNotification(failure);
    });
  }

  for (const failure of imageCases) {
    it(`says the cause of ${failure.what} for an image in one notification`, async () => {
      failBoth(failure.fault);
      await orderImage("a pier in the fog");
      await assertOneNotification(failure);
      assert.equal(gateway.requests.length, 1);
    });
  }

  it("answers and paints through the backup when the primary is stopped", async () => {
    await gateway.stopEntry("primary");
    assert.match(await workbench.chat.ask("@codex Who answers now?"), /Who answers now\?[^]*backup entry/);
    await orderImage("a harbor at dawn");
    const name = await workbench.editor.waitForTab(/^a-harbor-at-dawn.*\.png$/);
    const [path] = globSync(`**/${name}`, { cwd: workbench.workspace });
    assert.ok(path);
    assert.equal(readFileSync(join(workbench.workspace, path)).toString("latin1", 1, 4), "PNG");
    assert.ok(gateway.requests.every(({ entry }) => entry === "backup"));
    assert.equal(gateway.requests.filter(({ processed }) => processed).length, 2);
  });

  it("says so when neither entry can be reached, and Retry goes on where one is back", async () => {
    await gateway.stopEntry("primary");
    await gateway.stopEntry("backup");
    const text = /Neither the primary nor the backup entry can be reached/;
    assert.match(await workbench.chat.ask("@codex Is anybody there?"), text);
    await workbench.screenshot("error-both-entries-down");
    await gateway.startEntry("backup");
    await workbench.notifications.click(text, "Retry");
    await workbench.chat.waitForAnswer(/Is anybody there\?/);
  });
});

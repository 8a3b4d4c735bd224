import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { LocalGateway } from "../support/gateway/gateway.ts";
import type { Fault } from "../support/gateway/types.ts";
import { connectedTo } from "../support/host/connectedTo.ts";
import { closeByEscape } from "./support/attempts.ts";
import { withOwnSession } from "./support/session.ts";
import { until } from "./support/until.ts";
import type { Workbench } from "./support/workbench.ts";

/** A failure of both entries, and the notification that is to say so: with these buttons, and no Retry unless it is one. */
interface Case {
  readonly what: string;
  readonly fault: Fault;
  readonly text: RegExp;
  readonly buttons: readonly string[];
  /** What the chat says; by default the same. */
  readonly whole?: RegExp;
}

/** A gateway's words about a prompt that is too long. */
const tooLong: Fault = {
  status: 400,
  code: "context_length_exceeded",
  message: "This model's maximum context length is 272000 tokens. However, your messages resulted in 310250 tokens.",
};

const chatCases: readonly Case[] = [
  {
    what: "401",
    fault: { status: 401 },
    text: /^The gateway does not accept the API key \(401\)\.$/,
    whole: /does not accept the API key \(401\)\. The key is wrong.* Set a valid key of the codex group\./,
    buttons: ["Set API Key", "Show Log"],
  },
  {
    what: "500",
    fault: { status: 500 },
    text: /^Both entries failed: internal error \(500\)\.$/,
    whole:
      /The primary entry has an internal error \(500\)\. The backup entry has an internal error \(500\)\. Try again later\./,
    buttons: ["Retry", "Show Log"],
  },
  {
    what: "a prompt that is too long",
    fault: tooLong,
    text: /^The prompt is too long for the model “gpt-5\.3-codex”, which handles 272,000 tokens including the answer \(400\)\.$/,
    whole: /including the answer \(400\)\. Start a new chat, attach less, or choose a model that accepts more\./,
    buttons: ["Set Limit", "Retry", "Select Model"],
  },
  {
    what: "a web page",
    fault: { broken: "html" },
    text: /^Both entries failed: web page instead of an answer\.$/,
    whole:
      /The primary entry returned a web page .*: “Please log in”\. The backup entry .*: “Please log in”\. This is often the sign-in page/,
    buttons: ["Open Settings", "Test Connection", "Retry"],
  },
];

/** Nothing is asked for an hour afterwards. */
const limited: Case = {
  what: "429 with a Retry-After of an hour",
  fault: { status: 429, retryAfter: 3_600 },
  text: /too many requests \(429\)\. Try again (at|on) .*\d:\d\d.* \(in (1 h|60 min)\)\.$/i,
  buttons: ["Show Log"],
};

const imageCases: readonly Case[] = [
  { what: "401", fault: { status: 401 }, text: /not of the image group/, buttons: ["Set API Key", "Show Log"] },
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
    assert.deepEqual(notification.buttons.toSorted(), buttons.toSorted());
    await until("one notification alone", async () => (await workbench.notifications.all()).length === 1 || undefined);
  }

  const sayingCause = (failure: Case): string =>
    `says the cause of ${failure.what} in the chat with its remedy, and in few words in one notification`;

  async function saysCause(failure: Case): Promise<void> {
    failBoth(failure.fault);
    const answer = await workbench.chat.ask("@codex Why is the sea blue?");
    assert.match(answer, failure.whole ?? new RegExp(failure.text.source.replace(/^\^|\$$/g, ""), failure.text.flags));
    // VS Code has a Retry of its own below.
    await workbench.chat
      .inAnswer("button", failure.buttons[0] ?? "")
      .first()
      .waitFor();
    await assertOneNotification(failure);
    await workbench.screenshot(`error-${failure.what.replaceAll(" ", "-")}`);
  }

  for (const failure of chatCases) it(sayingCause(failure), () => saysCause(failure));

  it("names what each entry suffers from, and its button asks once more", async () => {
    gateway.entry("primary").always({ broken: "closed" });
    gateway.entry("backup").always({ status: 529 });
    const text = /^Both entries failed: connection lost; overloaded \(529\)\.$/;
    const answer = await workbench.chat.ask("@codex Who is there?");
    assert.match(answer, /The connection to the primary entry was lost.* The backup entry is overloaded \(529\)\./);
    assert.deepEqual((await workbench.notifications.waitFor(text)).buttons.toSorted(), ["Retry", "Show Log"]);
    await workbench.screenshot("error-both-entries");
    await gateway.reset();
    await workbench.chat.inAnswer("button", "Retry").first().click();
    await workbench.chat.waitForAnswer(/Answered by/);
  });

  it("saves the limit that the gateway names with Set Limit, and does not offer it again", async () => {
    const text = /The prompt is too long for the model “gpt-5\.3-codex”/;
    failBoth(tooLong);
    await workbench.chat.ask("@codex Who has this much to say?");
    await workbench.notifications.click(text, "Set Limit");
    await workbench.notifications.waitFor("Prompts to the model “gpt-5.3-codex” are now limited to 240,000 tokens.");
    await workbench.screenshot("limit-set");
    await workbench.notifications.dismissAll();
    await workbench.chat.ask("@codex Who says it once more?");
    const { buttons } = await workbench.notifications.waitFor(text);
    assert.deepEqual(buttons.toSorted(), ["Open Settings", "Select Model"]);
    assert.ok(gateway.asked.every(({ entry }) => entry === "primary"));
    assert.equal(gateway.asked.length, 2);
  });

  it("shows the gateway's words as they are, and links nothing", async () => {
    failBoth({ status: 400, message: "**No** to https://example.com ![i](https://example.com/i.png) `x` <b>y</b>" });
    const answer = await workbench.chat.ask("@codex Who speaks?");
    assert.match(
      answer,
      /\*\*No\*\* to https:\/\/example\.com !\[i\] \(https:\/\/example\.com\/i\.png\) `x` <b>y<\/b>\./,
    );
    assert.equal(await workbench.chat.inAnswer("link", /example/).count(), 0);
  });

  it("names the model that inline chat asked, and opens inline chat's own setting", async () => {
    failBoth({ status: 404, code: "model_not_found" });
    await workbench.editor.open("greet.ts");
    await workbench.editor.focus();
    await workbench.inlineChat.ask("What is this?");
    const text = /cannot find the model “gpt-5\.3-codex” \(404\)\. Choose another model\./;
    await workbench.inlineChat.waitFor(text);
    await workbench.notifications.click(text, "Open Settings");
    const setting = workbench.page.getByText("Model that inline chat uses");
    await setting.first().waitFor();
    await workbench.screenshot("error-inline-model");
    // The settings open above everything else.
    await closeByEscape(workbench.page, setting);
    await workbench.runCommand("Codex Gateway: Close Inline Chat");
  });

  for (const failure of imageCases) {
    it(`says the cause of ${failure.what} for an image in one notification`, async () => {
      failBoth(failure.fault);
      await orderImage("a pier in the fog");
      await assertOneNotification(failure);
      assert.equal(gateway.asked.length, 1);
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
    assert.ok(gateway.asked.every(({ entry }) => entry === "backup"));
    assert.equal(gateway.asked.filter(({ processed }) => processed).length, 2);
  });

  it("says so when neither entry can be reached, and Retry goes on where one is back", async () => {
    await gateway.stopEntry("primary");
    await gateway.stopEntry("backup");
    const text = /Neither the primary nor the backup entry can be reached\./;
    assert.match(await workbench.chat.ask("@codex Is anybody there?"), text);
    await workbench.screenshot("error-both-entries-down");
    await gateway.startEntry("backup");
    await workbench.notifications.click(text, "Retry");
    await workbench.chat.waitForAnswer(/Is anybody there\?/);
  });

  it(sayingCause(limited), () => saysCause(limited));
});

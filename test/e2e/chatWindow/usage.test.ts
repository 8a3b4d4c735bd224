import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pageNumbers } from "../../../src/usage/page/pageTexts.ts";
import { tokensIn as tokensOf } from "../../support/gateway/textHandler.ts";
import type { LocalGateway } from "../../support/gateway/gateway.ts";
import { orderImage } from "../support/images.ts";
import type { PageElement } from "../support/text.ts";
import { connected, type Session, withSession } from "../support/session.ts";
import { succeeded } from "../support/attempts.ts";
import { until } from "../support/until.ts";
import { clickInWebview, inWebview, readInWebview } from "../support/webview.ts";
import type { Workbench } from "../support/workbench.ts";

const { count } = pageNumbers("en", "");
/** Of a square image, as the local gateway counts. */
const imageTokens = (1024 * 1024) / 256;

describe("Show Usage, in a real VS Code", () => {
  let gateway: LocalGateway;
  let workbench: Workbench;
  /** What the gateway has counted. */
  const counted = { input: 0, output: 0 };

  const prepare = (session: Session): void => {
    ({ gateway, workbench } = session);
    counted.input = counted.output = 0;
  };
  withSession(connected, prepare, {
    isSequence: true,
    reply: ({ turns }) => {
      const text = "It greets whoever it is told to.";
      counted.input += tokensOf(turns.map((turn) => turn.text).join(""));
      counted.output += tokensOf(text);
      return { text, calls: [] };
    },
  });

  it("shows the usage of chat, inline chat, and an image, as the gateway has counted it", async () => {
    await workbench.chat.ask("@codex What does greet do?");
    await workbench.editor.open("greet.ts");
    await workbench.editor.focus();
    await workbench.inlineChat.askFully("What is this for?");
    await workbench.close("Revert and Close Editor");
    await orderImage(workbench, "a counted fox");
    await workbench.editor.waitForTab("a-counted-fox.png");
    const asked = gateway.requests.filter(({ operation }) => operation !== undefined);
    assert.deepEqual(asked.map(({ operation }) => operation).sort(), ["chat", "chat", "image"]);
    const [input, output] = [counted.input + tokensOf("a counted fox"), counted.output + imageTokens];
    await workbench.runCommand("Codex Gateway: Show Usage");
    const sums = `3 requests, ${count(input)} tokens in, ${count(output)} tokens out, and 1 image.`;
    await until(async () => (await bodyText(workbench)).includes(sums), "the sums");
    const features = await tableText(workbench, "features-today");
    assert.deepEqual(features.map((cells) => [...cells.slice(0, 2), ...cells.slice(-2)]).sort(), [
      ["Chat", "1", "0", "0"],
      ["Images", "1", "0", "0"],
      ["Inline chat", "1", "0", "0"],
    ]);
    const [image] = (await tableText(workbench, "models-today")).filter(([name]) => name === "gpt-image-2");
    assert.deepEqual(image, ["gpt-image-2", "1", "4", count(imageTokens), "1", "0", "0"]);
  });

  it("is linked in the status bar, which shows the usage of today", async () => {
    await workbench.close("Close All Editors");
    // An item that changes while the mouse is over it takes its tooltip away (VS Code 1.139).
    await until(async () => {
      const tooltip = await workbench.showTooltip("· primary", "Today: 3 requests, ");
      return succeeded(tooltip.getByRole("link", { name: "Show Usage" }).click({ timeout: 3_000 }));
    }, "a click in the tooltip");
    assert.match(await bodyText(workbench), /3 requests, /);
  });

  it("changes the period by keyboard, and announces it to a screen reader", async () => {
    const { page } = workbench;
    await clickInWebview(page, "#tab-today");
    await page.keyboard.press("ArrowRight");
    assert.equal(await focused(workbench), "tab-week");
    await (
      await inWebview(page, "#panel-week:not([hidden]) svg[role=img][aria-label^='Tokens by day. Highest: ']")
    ).waitFor();
    assert.match(await (await inWebview(page, "[role=status]")).innerText(), /^3 requests, /);
    await page.keyboard.press("End");
    assert.equal(await focused(workbench), "tab-month");
    await page.keyboard.press("ArrowRight");
    assert.equal(await focused(workbench), "tab-today");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("Tab");
    assert.equal(await focused(workbench), "export");
    assert.equal(await (await inWebview(page, "[role=tabpanel]:not([hidden])")).count(), 1);
  });

  it("shows the same period again after it was in the background, with new usage", async () => {
    await workbench.editor.open("README.md");
    await workbench.chat.ask("@codex And once more?");
    await workbench.close("Close Editor");
    await until(async () => (await bodyText(workbench)).includes("4 requests"), "the new sum");
    await (await inWebview(workbench.page, "#panel-month:not([hidden])")).waitFor();
  });

  it("exports everything as CSV", async () => {
    await clickInWebview(workbench.page, "[data-action=export]");
    // The input shows the folder first.
    const value = await until(async () => {
      const { value: shown } = await workbench.quickInput.waitFor("Export Usage");
      return /codex-gateway-usage-\d{4}-\d\d-\d\d\.csv$/.test(shown) ? shown : undefined;
    }, "the name of the file");
    await workbench.quickInput.accept();
    await workbench.notifications.waitFor("The usage was exported. It contains no prompts.");
    const csv = await readFile(join(workbench.workspace, value.split("/").at(-1) ?? ""), "utf8");
    const tokens = `${tokensOf("a counted fox")},0,${imageTokens}`;
    assert.ok(csv.includes(`,gpt-image-2,image,primary,1,0,0,0,${tokens},0,0,1,`), csv);
    assert.doesNotMatch(csv, /fox|greet/);
  });

  it("clears it after a confirmation", async () => {
    const { dialog, page } = workbench;
    await dialog.textAfter(() => clickInWebview(page, "[data-action=clear]"));
    await dialog.cancel();
    assert.match(await bodyText(workbench), /4 requests/);
    const text = await dialog.textAfter(() => clickInWebview(page, "[data-action=clear]"));
    assert.match(text, /Clear the recorded usage\?/);
    await dialog.click("Clear");
    await until(async () => (await bodyText(workbench)).includes("No usage yet"), "an empty page");
  });
});

/** What the page shows. */
async function bodyText({ page }: Workbench): Promise<string> {
  return readInWebview(page, "main:has(> .note)", (main) => main.innerText({ timeout: 5_000 }));
}

/** The cells of a table, row by row. */
async function tableText({ page }: Workbench, id: string): Promise<readonly (readonly string[])[]> {
  return readInWebview(page, `table:has(#${id}) tbody tr`, (rows) =>
    rows.evaluateAll((elements: PageElement[]) =>
      elements.map((row) => [...row.querySelectorAll("th, td")].map((cell) => cell.innerText)),
    ),
  );
}

/** The id or action of the element that has the keyboard. */
async function focused({ page }: Workbench): Promise<string> {
  const element = await inWebview(page, ":focus");
  return (await element.getAttribute("id")) ?? (await element.getAttribute("data-action")) ?? "";
}

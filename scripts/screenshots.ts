import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { dayOf } from "../src/usage/localDay.ts";
import { until } from "../test/e2e/support/until.ts";
import { clickInWebview, drawnWidth, inWebview } from "../test/e2e/support/webview.ts";
import { openWorkbench, type Workbench } from "../test/e2e/support/workbench.ts";
import type { Conversation } from "../test/support/gateway/conversation.ts";
import { type LocalGateway, startGateway } from "../test/support/gateway/gateway.ts";
import { inlineQuestionOf, type Reply } from "../test/support/gateway/reply.ts";
import { connectedTo, copyWorkspace } from "../test/support/host/profile.ts";
import { packageExtension } from "./packageExtension.ts";
import { root, sampleWorkspace } from "./paths.ts";
import { type Frame, withFewColors } from "./withFewColors.ts";
import { writeYear } from "../test/bench/yearOfUsage.ts";

/**
 * `npm run screenshots [-- agent|codex]`: takes the pictures of the README and of docs anew, those of Agent or those of `@codex`,
 * with the extension, the local gateway, and a small project, in both default themes. What a model would say and draw stands here.
 */
const sample = join(sampleWorkspace, "..", "checkout");

const explanation = `\`total\` rounds the price of each piece before it multiplies, so the error of one piece counts for all:

- 12 mugs at €9.99, less 15 %, are €101.898, so €101.90.
- The code makes 8.49 of each mug, and **€101.88** of twelve.

Add what is exact:

\`\`\`ts
sum += each * quantity;
\`\`\`

Then round once, at the end.`;

const shipping = [
  "Shipping is €4.90, and free from €50. `total` adds it after the discounts.",
  "",
  "`````",
  "*** Begin Patch",
  "*** Update File: src/cart.ts",
  "@@",
  ' import { type Discount, reduced } from "./discounts.ts";',
  '+import { shipping } from "./shipping.ts";',
  " ",
  "@@",
  "   }",
  "-  return sum;",
  "+  return sum + shipping(sum);",
  " }",
  "*** Add File: src/shipping.ts",
  "+/** What it costs to send goods of this worth, in euros. */",
  "+export function shipping(worth: number): number {",
  "+  return worth === 0 || worth >= 50 ? 0 : 4.9;",
  "+}",
  "*** Update File: test/cart.test.ts",
  "@@",
  '-  assert.equal(total(items, [{ code: "FALL", percent: 10 }]), 18);',
  '+  assert.equal(total(items, [{ code: "FALL", percent: 10 }]), 22.9);',
  " });",
  "+",
  '+test("shipping is free from 50 euros", () => {',
  '+  assert.equal(total([{ name: "Lamp", price: 50, quantity: 1 }], []), 50);',
  "+});",
  "*** End Patch",
  "`````",
].join("\n");

const boat = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1536 1024">
  <rect width="1536" height="1024" fill="#f8d9b0"/>
  <circle cx="1080" cy="480" r="120" fill="#fff3da"/>
  <path d="M0 560 Q260 380 520 520 T1040 500 T1536 470 V640 H0Z" fill="#c98f86"/>
  <path d="M0 600 Q330 470 640 580 T1180 560 T1536 560 V680 H0Z" fill="#9c6f83"/>
  <rect y="620" width="1536" height="404" fill="#5d7c9e"/>
  <path d="M900 640 H1260 M860 690 H1300 M930 740 H1230 M980 790 H1180" stroke="#fff3da" stroke-width="14" stroke-linecap="round" opacity=".55"/>
  <path d="M430 700 L940 700 L860 830 H510Z" fill="#fdfdfb"/>
  <path d="M685 440 L860 700 H510Z" fill="#fdfdfb"/>
  <path d="M685 440 L685 700 H510Z" fill="#dfe4ea"/>
  <path d="M430 700 L685 700 L620 830 H510Z" fill="#e9edf1"/>
  <path d="M300 850 H760 M660 890 H1040 M220 930 H560" stroke="#86a1bd" stroke-width="12" stroke-linecap="round"/>
</svg>`;

const prices = {
  currency: "USD",
  models: {
    "gpt-5.3-codex": { input: 1.5, cachedInput: 0.15, output: 12 },
    "gpt-5.3-codex-spark": { input: 0.4, output: 3 },
    "gpt-5.4": { input: 2, cachedInput: 0.2, output: 16 },
    "gpt-5.4-mini": { input: 0.3, output: 2.4 },
    "gpt-5.5": { input: 3, cachedInput: 0.3, output: 24 },
    "gpt-image-2": { image: 0.04 },
  },
};

const tidy = {
  "editor.minimap.enabled": false,
  "window.commandCenter": false,
  "window.title": "${activeEditorShort}",
  "workbench.activityBar.location": "hidden",
};
const ordinary = { width: 1000, height: 625 };
/** For pictures of an editor alone, with large text. */
const narrow = { width: 800, height: 680 };

/** A photo of a receipt, as a customer would send it. */
const receipt = `<body style="margin: 0; background: #6b6f76"><pre style="margin: 40px auto; width: 300px; padding: 28px 34px;
  background: #fbfaf6; color: #333; font: 19px/1.6 monospace; transform: rotate(-1.5deg); box-shadow: 0 6px 18px #0006">
     HARBOR MUGS

12 Mug            119.88
FALL  -15 %       -18.00
------------------------
TOTAL EUR         101.88

  Paid by card. Thanks!
</pre></body>`;

const receiptAnswer = `The receipt shows €101.88. Twelve mugs at €9.99, less 15 %, are €101.898, so it should be **€101.90**.

\`total\` rounds the price of each mug before it multiplies: 12 × €8.49. Shall I round once, at the end?`;

const chosen = process.argv.slice(2);
await packageExtension();
for (const [theme, ending] of [
  ["Dark 2026", ""],
  ["Light 2026", "-light"],
] as const) {
  if (chosen.length === 0 || chosen.includes("agent")) await askInAgent(theme, ending);
  if (chosen.length === 0 || chosen.includes("codex")) await takePictures(theme, ending);
}

async function takePictures(theme: string, ending: string): Promise<void> {
  await using gateway = await startGateway({ reply });
  await using workspace = await copyWorkspace(sample);
  const settings = { ...tidy, "codexGateway.image.size": "1536x1024", "codexGateway.prices": prices };
  await using workbench = await openWorkbench({
    ...connectedTo(gateway, { ...settings, "workbench.colorTheme": theme }),
    workspace: workspace.folder,
  });
  await workbench.page.setViewportSize(ordinary);
  // VS Code shows them for a moment after each change of what they scroll.
  await workbench.page.addStyleTag({ content: ".monaco-scrollable-element > .scrollbar { visibility: hidden }" });
  await workbench.editor.open("src/cart.ts");
  await workbench.runCommand("View: Toggle Primary Side Bar Visibility");
  await editFiles(workbench, ending);
  await changeInline(workbench, ending);
  await askInChat(workbench, ending);
  await generateImage(workbench, ending);
  await failOver(workbench, ending, gateway);
  await showUsage(workbench, ending);
}

/** Asks Codex Lean about an image, in a VS Code whose chat uses the gateway's models. */
async function askInAgent(theme: string, ending: string): Promise<void> {
  await using gateway = await startGateway({ reply: replyInAgent });
  await using workspace = await copyWorkspace(sample);
  await using workbench = await openWorkbench({
    ...connectedTo(gateway, { ...tidy, "workbench.colorTheme": theme }),
    workspace: workspace.folder,
  });
  const { chat, dialog, page } = workbench;
  await page.setViewportSize(ordinary);
  await page.addStyleTag({ content: ".monaco-scrollable-element > .scrollbar { visibility: hidden }" });
  await workbench.runCommand("Codex Gateway: Use in VS Code's Chat");
  await dialog.click("Use Everywhere");
  await chat.mode("Codex Lean").waitFor();
  await paint(workbench, receipt, { width: 480, height: 420 }, "receipt.png");
  await page.locator(".explorer-folders-view .monaco-list-row", { hasText: "receipt.png" }).dblclick();
  await drawnWidth(await inWebview(page, "img.scale-to-fit"));
  await copyImage(page, await readFile(join(workbench.workspace, "receipt.png")));
  await chat.focus();
  await page.keyboard.press("ControlOrMeta+V");
  await page.locator(".part.auxiliarybar .chat-attached-context-attachment").waitFor();
  await workbench.runCommand("View: Toggle Primary Side Bar Visibility");
  await chat.ask("Why is this receipt two cents too low?");
  await workbench.notifications.dismissAll();
  await page.locator(".part.auxiliarybar .chat-mode-picker-item a.action-label").click();
  await page.locator(".actionList.action-widget-dropdown").waitFor();
  await page.mouse.move(0, 0);
  await page.locator(".workbench-hover", { hasText: "Send" }).waitFor({ state: "hidden" });
  await write(`agent${ending}`, await frame(page));
}

async function editFiles(workbench: Workbench, ending: string): Promise<void> {
  const { chat, editor, notifications, page } = workbench;
  await chat.ask("@codex /edit Add shipping: €4.90, free from €50");
  await chat.inAnswer("link", "Review").click();
  await page.getByRole("tab", { name: /^Changes by Codex/ }).waitFor();
  await page.locator(".multiDiffEntry").nth(1).waitFor();
  await page.mouse.move(0, 0);
  await write(`edit${ending}`, await frame(page));
  await workbench.close("Close Editor");
  await chat.inAnswer("button", "Apply").click();
  await notifications.click(/^3 files were changed/, "Next");
  await editor.waitForTab("cart.ts");
  const lenses = page.locator(".codelens-decoration", { hasText: /Keep.*Undo/ });
  await lenses.nth(1).waitFor();
  await page.mouse.move(0, 0);
  await write(`hunks${ending}`, await frame(page));
  await workbench.runCommand("Codex Gateway: Undo Last Edit");
  await lenses.first().waitFor({ state: "detached" });
  await notifications.dismissAll();
  await workbench.close("Close All Editors");
  await editor.open("src/cart.ts");
  await chat.startAnew();
}

async function changeInline(workbench: Workbench, ending: string): Promise<void> {
  const { editor, inlineChat, page } = workbench;
  await workbench.runCommand("View: Toggle Secondary Side Bar Visibility");
  await page.setViewportSize(narrow);
  await editor.focus();
  await page.keyboard.press("ControlOrMeta+Home");
  for (let line = 1; line < 11; line += 1) await page.keyboard.press("ArrowDown");
  const first = await frame(page, 800);
  await inlineChat.open();
  const typed = [await frame(page, 600)];
  for (const [text, duration] of [
    ["Round once", 400],
    ["Round once, at the end", 900],
  ] as const) {
    await inlineChat.type(text);
    typed.push(await frame(page, duration));
  }
  await inlineChat.send();
  await inlineChat.waitFor(/\nDone/);
  const answered = await frame(page, 2_500);
  await inlineChat.applyByKeyboard();
  const lenses = page.locator(".codelens-decoration", { hasText: "Keep" });
  await lenses.nth(1).waitFor();
  await write(`inlineChat${ending}`, first, ...typed, answered, await frame(page));
  await workbench.runCommand("Codex Gateway: Undo All Changes");
  await lenses.first().waitFor({ state: "detached" });
  await workbench.runCommand("Codex Gateway: Close Inline Chat");
  await editor.focus();
  await page.keyboard.press("ControlOrMeta+Home");
  await page.setViewportSize(ordinary);
  await workbench.runCommand("View: Toggle Secondary Side Bar Visibility");
}

async function askInChat(workbench: Workbench, ending: string): Promise<void> {
  await workbench.chat.ask("@codex Why can the total be off by a few cents?");
  await workbench.page.mouse.move(0, 0);
  await write(`chat${ending}`, await frame(workbench.page));
  await workbench.chat.startAnew();
}

async function generateImage(workbench: Workbench, ending: string): Promise<void> {
  const { editor, notifications, page, quickInput } = workbench;
  await workbench.runCommand("View: Toggle Primary Side Bar Visibility");
  await workbench.runCommand("View: Toggle Secondary Side Bar Visibility");
  await workbench.runCommand("Codex Gateway: Generate Image");
  await quickInput.answer("Generate an image", "a paper boat on a lake at dawn");
  await editor.waitForTab(/\.png$/);
  await notifications.waitFor(/The image is saved/);
  await notifications.waitForNone(/Generating|Downloading/);
  await workbench.close("Close Editor");
  // The local gateway paints lines of one color.
  const file = "images/a-paper-boat-on-a-lake-at-dawn.png";
  await paint(workbench, `<body style="margin: 0">${boat}</body>`, { width: 1536, height: 1024 }, file);
  await page.locator(".explorer-folders-view .monaco-list-row", { hasText: "a-paper-boat" }).dblclick();
  await drawnWidth(await inWebview(page, "img.scale-to-fit"));
  await write(`image${ending}`, await frame(page));
  await notifications.dismissAll();
  await workbench.close("Close Editor");
}

async function failOver(workbench: Workbench, ending: string, gateway: LocalGateway): Promise<void> {
  const { page } = workbench;
  await workbench.runCommand("View: Toggle Primary Side Bar Visibility");
  await workbench.runCommand("View: Toggle Secondary Side Bar Visibility");
  await gateway.stopEntry("primary");
  await workbench.chat.ask("@codex Why can the total be off by a few cents?");
  await until(async () => {
    await workbench.statusBarItem(/backup/).hover();
    const tooltip = page.locator(".workbench-hover", { hasText: "Primary entry" });
    await tooltip.waitFor();
    if ((await tooltip.innerText()).includes("5 requests")) return true;
    await page.mouse.move(500, 20);
    await tooltip.waitFor({ state: "hidden" });
    return undefined;
  }, "all requests in the tooltip");
  await write(`failover${ending}`, await frame(page));
}

async function showUsage(workbench: Workbench, ending: string): Promise<void> {
  const { page } = workbench;
  await workbench.runCommand("View: Close All Editors");
  await workbench.runCommand("View: Toggle Secondary Side Bar Visibility");
  writeYear(join(workbench.userData, "User/globalStorage/codex-gateway.codex-gateway/usage"), dayOf(Date.now()));
  await workbench.runCommand("Codex Gateway: Show Usage");
  await clickInWebview(page, "#tab-month");
  await (await inWebview(page, "#panel-month .days")).first().waitFor();
  await write(`usage${ending}`, await frame(page));
}

/** Draws a page of HTML as an image file of the workspace. */
async function paint(
  { page, workspace }: Workbench,
  html: string,
  viewport: Readonly<Record<"width" | "height", number>>,
  file: string,
): Promise<void> {
  const canvas = await page.context().browser()?.newPage({ viewport });
  await canvas?.setContent(html);
  const painted = await canvas?.screenshot();
  await canvas?.close();
  if (painted) await writeFile(join(workspace, file), painted);
}

/** Puts an image into the clipboard. */
async function copyImage(page: Page, png: Buffer): Promise<void> {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.evaluate(`navigator.clipboard.write([new ClipboardItem({
    "image/png": new Blob([Uint8Array.from(atob("${png.toString("base64")}"), (byte) => byte.charCodeAt(0))], { type: "image/png" }),
  })])`);
}

/** Reads the code, then answers about the image. */
function replyInAgent({ turns, tools }: Conversation): Reply {
  if (tools.length === 0) return { text: "A receipt two cents too low", calls: [] };
  if (turns.at(-1)?.role === "tool") return { text: receiptAnswer, calls: [] };
  const query = JSON.stringify({ query: "Math.round", isRegexp: false });
  return { text: "", calls: [{ id: "call_1", name: "grep_search", input: query }] };
}

/** Answers as a model would. */
function reply(conversation: Conversation): Reply {
  if (JSON.stringify(conversation).includes("Add shipping")) return { text: shipping, calls: [] };
  const asked = inlineQuestionOf(conversation);
  if (asked === undefined) return { text: explanation, calls: [] };
  const { fence, language, mark, code } = asked;
  const changed = code
    .replace("(Math.round(each * 100) / 100) * quantity", "each * quantity")
    .replace("return sum;", "return Math.round(sum * 100) / 100;");
  return {
    text: `The error of one piece no longer counts for all:\n\n${fence}${language} ${mark}\n${changed}\n${fence}`,
    calls: [],
  };
}

/** The window, and for how long it is shown in an animation. */
async function frame(page: Page, duration = 0): Promise<Frame> {
  return { png: await page.screenshot({ caret: "initial" }), duration };
}

async function write(name: string, ...frames: readonly [Frame, ...Frame[]]): Promise<void> {
  const folder = join(root, "media", "screenshots");
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `${name}.png`), withFewColors(...frames));
}

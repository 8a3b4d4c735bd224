import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { dayOf } from "../src/usage/localDay.ts";
import { until } from "../test/e2e/support/until.ts";
import { clickInWebview, drawnWidth, inWebview } from "../test/e2e/support/webview.ts";
import { openWorkbench } from "../test/e2e/support/workbench.ts";
import type { Conversation } from "../test/support/gateway/conversation.ts";
import { startGateway } from "../test/support/gateway/gateway.ts";
import { inlineQuestionOf } from "../test/support/gateway/inlineEdit.ts";
import type { Reply } from "../test/support/gateway/reply.ts";
import { connectedTo } from "../test/support/host/connectedTo.ts";
import { packageExtension } from "./packageExtension.ts";
import { root } from "./paths.ts";
import { withFewColors } from "./pictures/withFewColors.ts";
import { writeYear } from "../test/support/usage/yearOfUsage.ts";

/** `npm run screenshots`: retakes the README's screenshots with the extension and the local gateway. */
const explanation = `\`greetAll\` greets everyone in a list, one line for each name:

1. It starts with an empty text.
2. For every name it appends what \`greet\` gives, and a line break.

The loop can be a single expression:

\`\`\`ts
return names.map((name) => greet(name) + "\\n").join("");
\`\`\``;

const sign = [
  "`greet` also takes a word other than Hello, and the README says so.",
  "",
  "`````",
  "*** Begin Patch",
  "*** Update File: greet.ts",
  "@@",
  "-export function greet(name: string): string {",
  '-  return "Hello, " + name + "!";',
  '+export function greet(name: string, word = "Hello"): string {',
  "+  return `${word}, ${name}!`;",
  " }",
  "*** Update File: README.md",
  "@@",
  " # Greetings",
  " ",
  '+Greet people with any word: `greet("Ada", "Welcome")`.',
  "+",
  "*** Add File: greet.test.ts",
  '+import assert from "node:assert/strict";',
  '+import { greet } from "./greet.ts";',
  "+",
  '+assert.equal(greet("Ada", "Welcome"), "Welcome, Ada!");',
  "*** End Patch",
  "`````",
].join("\n");

const prices = {
  currency: "USD",
  models: {
    "gpt-5.3-codex": { input: 1.5, output: 12 },
    "gpt-5.3-codex-spark": { input: 0.4, output: 3 },
    "gpt-5.4": { input: 2, output: 16 },
    "gpt-5.4-mini": { input: 0.3, output: 2.4 },
    "gpt-5.5": { input: 3, output: 24 },
    "gpt-image-2": { image: 0.04 },
  },
};

const shorter = `  return names.map((name) => greet(name) + "\\n").join("");`;

await packageExtension();
await using gateway = await startGateway({ reply });
const tidy = {
  "editor.minimap.enabled": false,
  "window.commandCenter": false,
  "window.title": "${activeEditorShort}",
  "workbench.activityBar.location": "hidden",
};
const workbench = await openWorkbench(
  connectedTo(gateway, { ...tidy, "codexGateway.image.size": "1536x1024", "codexGateway.prices": prices }),
);
const { chat, editor, inlineChat, notifications, page, quickInput } = workbench;
try {
  await page.setViewportSize({ width: 1000, height: 625 });
  await editor.open("greet.ts");
  await askInChat();
  await editFiles();
  await changeInline();
  await generateImage();
  await failOver();
  await showUsage();
} finally {
  await workbench.close();
}

async function askInChat(): Promise<void> {
  await workbench.runCommand("View: Toggle Primary Side Bar Visibility");
  await chat.ask("@codex What does greetAll do?");
  await take("chat");
  await chat.startAnew();
  await workbench.runCommand("View: Toggle Primary Side Bar Visibility");
}

async function editFiles(): Promise<void> {
  await workbench.runCommand("View: Toggle Primary Side Bar Visibility");
  await chat.ask("@codex /edit Greet with any word, not only Hello");
  await chat.inAnswer("button", "Review").click();
  await page.getByRole("tab", { name: /^Changes by Codex/ }).waitFor();
  await page.locator(".multiDiffEntry").nth(2).waitFor();
  await take("edit");
  await workbench.runCommand("View: Close Editor");
  await chat.startAnew();
  await workbench.runCommand("View: Toggle Primary Side Bar Visibility");
}

async function changeInline(): Promise<void> {
  await workbench.runCommand("View: Toggle Secondary Side Bar Visibility");
  await editor.focus();
  await page.keyboard.press("ControlOrMeta+Home");
  for (let line = 1; line < 6; line += 1) await page.keyboard.press("ArrowDown");
  for (let line = 6; line < 11; line += 1) await page.keyboard.press("Shift+ArrowDown");
  await inlineChat.askFully("Make this one expression");
  await inlineChat.press("a");
  await inlineChat.waitFor(/Applied\s+Keep/);
  // The selection's color would cover the highlights.
  await page.keyboard.press("ArrowRight");
  await take("inlineChat");
  await workbench.runCommand("Codex Gateway: Keep Change");
  await workbench.runCommand("Codex Gateway: Close Inline Chat");
}

async function generateImage(): Promise<void> {
  await workbench.runCommand("Codex Gateway: Generate Image");
  await quickInput.answer("Generate an image", "a lighthouse that greets the ships");
  await editor.waitForTab(/\.png$/);
  await notifications.waitFor(/The image is saved/);
  await notifications.waitForNone(/Generating|Downloading/);
  await drawnWidth(await inWebview(page, "img.scale-to-fit"));
  await take("image");
  await notifications.dismissAll();
}

async function failOver(): Promise<void> {
  await workbench.runCommand("View: Toggle Secondary Side Bar Visibility");
  await gateway.stopEntry("primary");
  await chat.ask("@codex What does greetAll do?");
  await until("all requests in the tooltip", async () => {
    await workbench.statusBarItem(/backup/).hover();
    const tooltip = page.locator(".workbench-hover", { hasText: "Primary entry" });
    await tooltip.waitFor();
    if ((await tooltip.innerText()).includes("5 requests")) return true;
    await page.mouse.move(500, 20);
    await tooltip.waitFor({ state: "hidden" });
    return undefined;
  });
  await take("failover");
}

async function showUsage(): Promise<void> {
  await workbench.runCommand("View: Close All Editors");
  await workbench.runCommand("View: Toggle Secondary Side Bar Visibility");
  writeYear(join(workbench.userData, "User/globalStorage/codex-gateway.codex-gateway/usage"), dayOf(Date.now()));
  await workbench.runCommand("Codex Gateway: Show Usage");
  await clickInWebview(page, "#tab-month");
  await (await inWebview(page, "#panel-month .days")).first().waitFor();
  await take("usage");
}

function reply(conversation: Conversation): Reply {
  if (JSON.stringify(conversation).includes("Greet with any word")) return { text: sign, calls: [] };
  const asked = inlineQuestionOf(conversation);
  if (asked === undefined) return { text: explanation, calls: [] };
  const { fence, language, mark, code } = asked;
  const changed = code.replace(/^ {2}let[^]*return text;/m, shorter);
  return { text: `One expression does it:\n\n${fence}${language} ${mark}\n${changed}\n${fence}`, calls: [] };
}

async function take(name: string): Promise<void> {
  const folder = join(root, "media", "screenshots");
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `${name}.png`), withFewColors(await page.screenshot()));
}

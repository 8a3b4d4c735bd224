import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { drawnWidth, inWebview } from "../e2e/support/webview.ts";
import { openWorkbench } from "../e2e/support/workbench.ts";
import type { Conversation } from "./gateway/conversation.ts";
import { startGateway } from "./gateway/gateway.ts";
import { inlineQuestionOf } from "./gateway/inlineEdit.ts";
import type { Reply } from "./gateway/reply.ts";
import { connectedTo } from "./host/connectedTo.ts";
import { packageExtension } from "./host/packageExtension.ts";
import { root } from "./host/paths.ts";
import { withFewColors } from "./pictures/withFewColors.ts";

/** `npm run screenshots`: retakes the README's screenshots with the extension and the local gateway. */
const explanation = `\`greetAll\` greets everyone in a list, one line for each name:

1. It starts with an empty text.
2. For every name it appends what \`greet\` gives, and a line break.

The loop can be a single expression:

\`\`\`ts
return names.map((name) => greet(name) + "\\n").join("");
\`\`\``;

const shorter = `  return names.map((name) => greet(name) + "\\n").join("");`;

await packageExtension();
await using gateway = await startGateway({ reply });
const tidy = {
  "editor.minimap.enabled": false,
  "window.commandCenter": false,
  "window.title": "${activeEditorShort}",
  "workbench.activityBar.location": "hidden",
};
const workbench = await openWorkbench(connectedTo(gateway, { ...tidy, "codexGateway.image.size": "1536x1024" }));
const { chat, editor, inlineChat, notifications, page, quickInput } = workbench;
try {
  await page.setViewportSize({ width: 1000, height: 625 });
  await editor.open("greet.ts");
  await askInChat();
  await changeInline();
  await generateImage();
  await failOver();
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
  await workbench.statusBarItem(/backup/).hover();
  await page.locator(".workbench-hover", { hasText: "Primary entry" }).waitFor();
  await take("failover");
}

function reply(conversation: Conversation): Reply {
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

import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { type LocalGateway, startGateway } from "../support/gateway/gateway.ts";
import { hostileReply, imageLinks } from "../support/gateway/hostile.ts";
import { samples } from "../support/gateway/samples.ts";
import { connectedTo } from "../support/host/connectedTo.ts";
import { copyWorkspace } from "../support/host/copyWorkspace.ts";
import type { Notification } from "./support/notifications.ts";
import { withOwnSession } from "./support/session.ts";
import { until } from "./support/until.ts";
import type { Workbench } from "./support/workbench.ts";

/** A trusted workspace that was prepared by somebody else, and a gateway that was taken over. */
describe("a hostile gateway and a hostile workspace, in a real VS Code", () => {
  let gateway: LocalGateway;
  let stranger: LocalGateway;
  let workbench: Workbench;
  let outside: string;

  withOwnSession(
    async (local, cleanup) => {
      outside = await mkdtemp(join(tmpdir(), "codex-gateway-outside-"));
      cleanup.defer(() => rm(outside, { recursive: true }));
      const workspace = cleanup.use(await copyWorkspace()).folder;
      await mkdir(join(workspace, ".vscode"));
      const settings = {
        "files.associations": { "*.prices": "codex-image-prompt" },
        "codexGateway.image.size": "1024x1024",
      };
      await writeFile(join(workspace, ".vscode", "settings.json"), JSON.stringify(settings));
      await symlink(outside, join(workspace, "linked"), "junction");
      return { ...connectedTo(local), workspace };
    },
    (session) => ({ gateway, workbench } = session),
    {
      gateway: async (cleanup) => {
        stranger = cleanup.use(await startGateway());
        return { reply: hostileReply(stranger.imageHost.url) };
      },
    },
  );

  it("neither moves nor deletes a file that an image answer names as if it were the extension's own", async () => {
    const victim = join(workbench.workspace, "diploma.webp");
    await writeFile(victim, samples.webp);
    const storage = join(workbench.userData, "User", "globalStorage", "codex-gateway.codex-gateway");
    const climbing = relative(storage, victim).split(sep).join("/");
    const urls = [`${pathToFileURL(storage).href}/${climbing}`, pathToFileURL(victim).href];
    gateway.entry("primary").next(1, imageLinks(urls));
    await orderImage("a stolen diploma");
    const { buttons } = await failure();
    // Whatever gives the image up, it is not the file.
    const way = buttons.find((button) => /forget|discard/i.test(button));
    if (way !== undefined) await workbench.notifications.click(/./, way);
    await workbench.notifications.dismissAll();
    assert.deepEqual(await readFile(victim), samples.webp);
    assert.deepEqual(await imagesNamed("a-stolen-diploma"), []);
  });

  it("fetches ten images of an answer that names two hundred, two at a time", async () => {
    gateway.imageHost.mode({ delay: 200 });
    const urls = Array.from({ length: 200 }, (_, index) => `${gateway.imageHost.url}/links/none-${index}.png`);
    gateway.entry("primary").next(1, imageLinks(urls));
    await orderImage("a flood");
    await failure();
    await workbench.notifications.waitForNone(/a flood/);
    const paths = new Set(gateway.downloads.map(({ path }) => path.replace(/\?.*/, "")));
    assert.ok(paths.size > 0 && paths.size <= 10, `${paths.size} addresses`);
    assert.ok(mostAtOnce(gateway) <= 2, `${mostAtOnce(gateway)} downloads at a time`);
  });

  it("shows a gateway's words without its links and without the key", async () => {
    const message = `Go to [Set API Key](command:workbench.action.closeAllEditors) with ${gateway.keys.codex}`;
    const fault = { status: 400, shape: "openai", message, headers: { "x-request-id": gateway.keys.codex } } as const;
    for (const name of ["primary", "backup"] as const) gateway.entry(name).always(fault);
    const answer = await workbench.chat.ask("@codex Who are you?");
    assert.match(answer, /Set API Key/);
    assert.equal(await workbench.chat.inAnswer("link", /Set API Key/).count(), 0);
    const toasts = workbench.page.locator(".notification-list-item-message");
    const texts = [answer, ...(await toasts.allInnerTexts())];
    for (const text of texts) assert.ok(!text.includes(gateway.keys.codex), text);
    assert.equal(await toasts.locator("a").count(), 0);
  });

  it("loads no picture and runs no command by what a model writes", async () => {
    const answer = await workbench.chat.ask("@codex What does a lighthouse do?");
    assert.match(answer, /A lighthouse shines\.[^]*That is all\./);
    const links = workbench.page.locator(".interactive-session .response a[data-href^='command:']");
    assert.equal(await links.filter({ hasText: "Read more" }).count(), 0);
    await workbench.screenshot("hostile-answer");
    assert.deepEqual([...stranger.downloads], []);
  });

  it("applies no change that stands in an HTML comment of the answer", async () => {
    const code = "export function price(): number {\n  return 1;\n}\n";
    await workbench.editor.write("price.ts", code);
    await workbench.editor.selectLine(2);
    await workbench.inlineChat.ask("Look at this");
    const thread = await workbench.inlineChat.waitFor(/These lines are fine\.[^]*\nDone/);
    assert.match(thread, /Done, but [^\n]* cannot be applied/);
    assert.doesNotMatch(thread, /\b(?:Apply|Insert Below)\b/);
    await workbench.runCommand("Codex Gateway: Apply Change");
    await workbench.inlineChat.press("a");
    await workbench.editor.save("price.ts", code);
  });

  it("takes no file for a prompt, whatever language the workspace gives it", async () => {
    await workbench.editor.write("today.prices", "a list of prices");
    await workbench.page.keyboard.press("ControlOrMeta+Enter");
    await workbench.runCommand("Codex Gateway: Generate Image");
    await workbench.quickInput.waitFor("Generate an image");
    await workbench.quickInput.cancel();
    assert.deepEqual([...gateway.asked], []);
  });

  it("shows a workspace's model without icons, and makes it none of the user's settings", async () => {
    await writeSettings({ "codexGateway.chat.model": "gpt-5.4 $(error)\n\nThis is free of charge." });
    const item = workbench.statusBarItem("This is free of charge.");
    await item.waitFor();
    assert.match(await item.innerText(), /gpt-5\.4 \$ \(error\)/);
    assert.equal(await item.locator(".codicon-error").count(), 0);
    await workbench.runCommand("Codex Gateway: Use in VS Code's Chat");
    const question = await workbench.dialog.text();
    assert.match(question, /chat\.utilityModel: [^\n]* → codex-gateway\/gpt-5\.3-codex/);
    assert.doesNotMatch(question, /free of charge/);
    await workbench.dialog.cancel();
  });

  it("makes no link of a pasted URL", async () => {
    await workbench.runCommand("Codex Gateway: Set Up");
    await workbench.quickInput.waitFor(/primary entry/);
    await workbench.quickInput.type("https://a.example/[x](command:workbench.action.closeAllEditors)/v1");
    await workbench.quickInput.waitForMessage(/^Used as https:\/\/a\.example\//);
    assert.equal(await workbench.page.locator(".quick-input-message a").count(), 0);
    await workbench.quickInput.cancel();
  });

  it("writes no image through a link of the workspace", async () => {
    await writeSettings({ "codexGateway.image.folder": "linked/images", "codexGateway.image.size": "1024x1024" });
    // A window that opens has read its settings; one that is open reads them when it finds the time.
    await workbench.reload();
    await workbench.statusBarItem(/primary$/).waitFor();
    await orderImage("a picture for elsewhere");
    assert.match((await failure()).text, /linked/);
    assert.deepEqual(await readdir(outside), []);
    assert.deepEqual([...gateway.asked], []);
  });

  async function orderImage(prompt: string): Promise<void> {
    await workbench.runCommand("Codex Gateway: Generate Image");
    // A folder that is refused is refused before anything is asked.
    const box = until("the question or a refusal", async () => {
      if ((await workbench.quickInput.view())?.title === "Generate an image") return "question";
      return (await workbench.notifications.all()).some(isError) ? "refusal" : undefined;
    });
    if ((await box) === "question") await workbench.quickInput.answer("Generate an image", prompt);
  }

  async function writeSettings(settings: object): Promise<void> {
    await writeFile(join(workbench.workspace, ".vscode", "settings.json"), JSON.stringify(settings));
  }

  /** The first notification of a failure. */
  async function failure(): Promise<Notification> {
    return await until("a notification of a failure", async () => (await workbench.notifications.all()).find(isError));
  }

  async function imagesNamed(name: string): Promise<readonly string[]> {
    const files = await readdir(workbench.workspace, { recursive: true });
    return files.filter((file) => file.includes(name));
  }
});

function isError({ severity }: Notification): boolean {
  return severity === "error";
}

/** How many downloads ran at the same time, at most. */
function mostAtOnce({ downloads }: LocalGateway): number {
  const running = (time: number): number =>
    downloads.filter(({ at, ended, closed }) => at <= time && time < (ended ?? closed ?? Infinity)).length;
  return Math.max(...downloads.map(({ at }) => running(at)));
}

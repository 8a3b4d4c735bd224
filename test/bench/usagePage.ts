import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Frame } from "playwright-core";
import { dayOf } from "../../src/usage/localDay.ts";
import { until } from "../e2e/support/until.ts";
import type { Workbench } from "../e2e/support/workbench.ts";
import { writeYear } from "../support/usage/yearOfUsage.ts";
import { inWorkbench, measureWindow } from "./benchExtension.ts";
import { type Group, noTimes, row, type Times } from "./rows.ts";

const windows = 3;
const laterTimes = 3;

/** Until the first page in a window, in milliseconds: the window has settled by then, as it has for a person. */
const settling = 2_000;

/**
 * The limit for the page, as a multiple of an empty page, which is VS Code's own part. What VS Code loads for the first one of
 * a window differs more, and there are fewer of them.
 */
const limits = { first: 1.5, later: 1.3 };

/** The limit for the page on an idle machine, in milliseconds. */
const promised = 300;

/** A page that a command opens in an editor, and what it shows when it is complete. */
interface PageCommand {
  readonly title: string;
  readonly content: string;
}

const usage: PageCommand = { title: "Codex Gateway: Show Usage", content: "[role=tabpanel]:not([hidden]) .sentence" };
const empty: PageCommand = { title: "Bench: Open Empty Page", content: "#empty" };

/**
 * Time from the click in the Command Palette to the content of Show Usage on the screen of a real VS Code, with a year of
 * usage: against an empty page of an extension. As the first webview of a window, for which VS Code loads what all of
 * them need, and later.
 */
export const usagePage: Group = async () => {
  const times = { usage: noTimes(), empty: noTimes() };
  await inWorkbench(async (workbench) => {
    writeYear(join(workbench.userData, "User/globalStorage/codex-gateway.codex-gateway/usage"), dayOf(Date.now()));
    await workbench.page.addInitScript(stopwatch(`${usage.content},${empty.content}`));
    // The very first window is slow, whatever it shows: browser and server have loaded nothing yet.
    await measurePage(workbench, empty, noTimes());
    for (let window = 0; window < windows; window += 1) {
      await measurePage(workbench, usage, times.usage);
      await measurePage(workbench, empty, times.empty);
    }
  });
  const [first, later] = ["Show Usage, a year, the first webview of a window", "Show Usage, a year, later"];
  // Milliseconds depend on the machine too much for a verdict; that they are in the table shows how far away the limit is.
  return [
    row(`${first}, vs an empty page`, "ms", times.usage.first, times.empty.first, limits.first),
    row(`${later}, vs an empty page`, "ms", times.usage.later, times.empty.later, limits.later),
    row(`${later}, vs the 300 ms that were promised`, "ms", times.usage.later, [promised]),
  ];
};

function measurePage(workbench: Workbench, command: PageCommand, times: Times): Promise<void> {
  const { editor, page } = workbench;
  const prepare = async (): Promise<void> => {
    await editor.open("README.md");
    await sleep(settling);
    if ((await page.locator("iframe.webview").count()) > 0) throw new Error("The window has a webview already.");
  };
  return measureWindow(workbench, times, { prepare, measure: () => timeToContent(workbench, command), laterTimes });
}

/** Opens the page, measures, and closes it. README.md is then in front again. */
async function timeToContent(workbench: Workbench, { title }: PageCommand): Promise<number> {
  const { editor, page } = workbench;
  await workbench.runCommand(title);
  const shown = await until(() => timeIn(page.frames().slice(1), "contentShown"), `the content of ${title}`);
  const clicked = Number(await page.evaluate("lastClick"));
  await workbench.runCommand("View: Close Editor");
  await editor.waitForTab("README.md");
  return shown - clicked;
}

/** The time that one of the frames has noted. */
async function timeIn(frames: readonly Frame[], name: string): Promise<number | undefined> {
  // A frame may be removed meanwhile.
  const times = await Promise.all(frames.map((frame) => frame.evaluate(`globalThis.${name}`).catch(() => undefined)));
  return times.find((time) => typeof time === "number");
}

/**
 * Runs in each frame, with times since the epoch, which all frames share: the window notes the last click, and the frame
 * with the page's content the first frame that shows it. VS Code fills a hidden frame and then makes it the active one.
 */
function stopwatch(content: string): string {
  return `{
    const now = () => performance.timeOrigin + performance.now();
    if (window === top) addEventListener("click", ({ timeStamp }) => {
      globalThis.lastClick = performance.timeOrigin + timeStamp;
    }, { capture: true });
    const isPainted = new MessageChannel();
    isPainted.port1.onmessage = () => { globalThis.contentShown = now(); };
    const look = () => {
      const isShown = frameElement?.id === "active-frame" && frameElement.style.visibility !== "hidden";
      if (!isShown || !document.querySelector(${JSON.stringify(content)})) return;
      clearInterval(timer);
      // A message posted in a frame's callback arrives once the frame is drawn.
      requestAnimationFrame(() => isPainted.port2.postMessage(undefined));
    };
    // No callbacks of frames and no observers: VS Code writes the page into the document anew, and these end with the old one.
    const timer = window === top ? undefined : setInterval(look, 4);
  }`;
}

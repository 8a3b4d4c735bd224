import { setTimeout as sleep } from "node:timers/promises";
import type { Workbench } from "../e2e/support/workbench.ts";
import { answer, inWorkbench } from "./benchExtension.ts";
import { type Group, row } from "./rows.ts";

const question = "Why is the sky blue?";
const [firstWord] = answer.split(" ");
const windows = 5;

/** Until the question, in milliseconds: nobody types one as soon as the window is there. */
const typing = 4_000;

/**
 * How much longer the first question in a window may take than one that is answered at once. VS Code's own share grows
 * to more than twice its later one (seen in 1.139), so no multiple of later questions can be promised.
 */
const limit = 1.3;

/**
 * Time from Send to the first word of the answer on the screen of a real VS Code, for the first question in a window. A
 * participant that gives the same answer at once says what VS Code's own part in it is.
 */
export const firstQuestion: Group = async () => {
  const times = { codex: [] as number[], plain: [] as number[] };
  const measure = async (workbench: Workbench): Promise<void> => {
    await workbench.page.addInitScript(stopwatch);
    // The very first window fills VS Code's caches.
    await timeToText(workbench, "plain");
    for (let window = 0; window < windows; window += 1) {
      times.codex.push(await timeToText(workbench, "codex"));
      times.plain.push(await timeToText(workbench, "plain"));
    }
  };
  await inWorkbench(measure, { reply: () => ({ text: answer, calls: [] }) });
  const name = "Send to first text, the first question in a window, vs an answer at once";
  return [row(name, "ms", times.codex, times.plain, limit)];
};

/** Asks in a new window, which a reload makes with an extension host of its own. */
async function timeToText(workbench: Workbench, participant: string): Promise<number> {
  const { chat, page } = workbench;
  await workbench.reload();
  await workbench.statusBarItem(/primary$/).waitFor();
  await chat.startAnew();
  await sleep(typing);
  await page.evaluate("stopwatch.start()");
  await chat.ask(`@${participant} ${question}`);
  return Number(await page.evaluate("stopwatch.time"));
}

/**
 * Runs in the page: measures from the click on Send until the next answer holds its first word. VS Code types an answer
 * that is not complete word by word, at first 8 in a second (`getProgressiveRenderRate`, 1.139), so later words say
 * nothing about us.
 */
const stopwatch = `globalThis.stopwatch = {
  start() {
    this.time = undefined;
    const rows = () => [...document.querySelectorAll(".monaco-list-row.response")];
    const earlier = Math.max(-1, ...rows().map(({ dataset }) => Number(dataset.index)));
    let sent;
    const clicks = new AbortController();
    addEventListener("click", ({ timeStamp }) => { sent = timeStamp; }, { capture: true, signal: clicks.signal });
    const observer = new MutationObserver(() => {
      const answer = rows().find(({ dataset }) => Number(dataset.index) > earlier)?.querySelector(".value");
      if (!answer?.textContent.includes(${JSON.stringify(firstWord)})) return;
      this.time = performance.now() - sent;
      clicks.abort();
      observer.disconnect();
    });
    observer.observe(document.body, { subtree: true, childList: true, characterData: true });
  },
};`;

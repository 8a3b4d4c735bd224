import { setTimeout as sleep } from "node:timers/promises";
import type { Workbench } from "../e2e/support/workbench.ts";
import { answer, inWorkbench, measureWindow, question } from "./benchExtension.ts";
import { type Group, noTimes, row } from "./rows.ts";

const [firstWord] = answer.split(" ");
const windows = 5;
const laterQuestions = 4;

/** Until the first question in a window, in milliseconds: nobody types one as soon as the window is there. */
const typing = 4_000;

/**
 * How much longer the first question in a window may take than one that is answered at once. VS Code's own share grows
 * to more than twice its later one (seen in 1.139), so no multiple of later questions can be promised.
 */
const limit = 1.3;

/** The participants, in the order in which their windows open. */
const participants = ["codex", "plain"] as const;

/**
 * Time from Send to the first word of the answer on the screen of a real VS Code: for the first question in a window
 * and for later ones. A participant that gives the same answer at once says what VS Code's own part in it is. The very
 * first window, which fills VS Code's caches, does not count.
 */
export const firstQuestion: Group = async () => {
  const times = { codex: noTimes(), plain: noTimes() };
  await inWorkbench(async (workbench) => {
    await workbench.page.addInitScript(stopwatch);
    await measureWindow(workbench, noTimes(), {
      prepare: () => workbench.chat.startAnew(),
      measure: () => timeToText(workbench, "plain"),
      laterTimes: 0,
    });
    for (let window = 0; window < windows; window += 1) {
      for (const participant of participants) {
        await measureWindow(workbench, times[participant], {
          async prepare() {
            await workbench.chat.startAnew();
            await sleep(typing);
          },
          measure: () => timeToText(workbench, participant),
          laterTimes: laterQuestions,
        });
      }
    }
  });
  const { codex, plain } = times;
  const name = "Send to first text, the first question in a window";
  return [
    row(`${name}, vs later ones`, "ms", codex.first, codex.later),
    row(`${name}, vs later ones, of an answer at once`, "ms", plain.first, plain.later),
    row(`${name}, vs an answer at once`, "ms", codex.first, plain.first, limit),
    row("Send to first text, later questions, vs an answer at once", "ms", codex.later, plain.later),
  ];
};

async function timeToText({ chat, page }: Workbench, participant: string): Promise<number> {
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

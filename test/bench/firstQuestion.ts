import { setTimeout as sleep } from "node:timers/promises";
import type { Workbench } from "../e2e/support/workbench.ts";
import { inWorkbench, measureWindow } from "./benchExtension.ts";
import { type Group, noTimes, row } from "./rows.ts";

const windows = 3;
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
 * Time from Send to the first text of the answer on the screen of a real VS Code: for the first question in a window
 * and for later ones. The same of a participant that answers at once says what VS Code's own part in it is.
 */
export const firstQuestion: Group = async () => {
  const times = { codex: noTimes(), plain: noTimes() };
  await inWorkbench(async (workbench) => {
    await workbench.page.addInitScript(stopwatch);
    for (let window = 0; window < windows; window += 1) {
      for (const participant of participants) {
        let count = 0;
        await measureWindow(workbench, times[participant], {
          async prepare() {
            await workbench.chat.startAnew();
            await sleep(typing);
          },
          measure: () => timeToText(workbench, `@${participant} Question ${count++}`),
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

async function timeToText({ chat, page }: Workbench, question: string): Promise<number> {
  const text = question.replace(/^@\S+ /, "");
  await page.evaluate(`stopwatch.start(${JSON.stringify(text)})`);
  await chat.ask(question);
  return Number(await page.evaluate("stopwatch.time"));
}

/** Runs in the page: measures from the click on Send until the last answer holds a text. */
const stopwatch = `globalThis.stopwatch = {
  start(text) {
    this.time = undefined;
    let sent;
    const clicks = new AbortController();
    addEventListener("click", ({ timeStamp }) => { sent = timeStamp; }, { capture: true, signal: clicks.signal });
    const observer = new MutationObserver(() => {
      const answers = document.querySelectorAll(".monaco-list-row.response[data-last-element='true'] .value");
      if (![...answers].some(({ textContent }) => textContent.includes(text))) return;
      this.time = performance.now() - sent;
      clicks.abort();
      observer.disconnect();
    });
    observer.observe(document.body, { subtree: true, childList: true, characterData: true });
  },
};`;

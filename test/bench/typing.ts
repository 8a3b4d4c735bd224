import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { until } from "../e2e/support/until.ts";
import type { Workbench } from "../e2e/support/workbench.ts";
import type { LocalGateway } from "../support/gateway/gateway.ts";
import { inWorkbench } from "./benchExtension.ts";
import { type Group, row } from "./rows.ts";

const fileName = "long.py";
const lineCount = 20_000;

/** Pairs of blocks of keys, one without threads and one while answers stream: other work of the machine meets both. */
const rounds = 4;
const keysInBlock = 80;

/** From key to key of a fast typist, in milliseconds. Not a multiple of a frame, so that keys fall anywhere in frames. */
const pace = 109;

/** Milliseconds between the words of an answer: about 75 of them a second. */
const chunkDelay = 12;

/** The lines that the questions are about, counted from 1. The keys go into the first line, above them. */
const askedLines = [4, 8, 12];

/** The limit for typing while answers stream, as a multiple of typing without them. */
const limit = 1.2;

/**
 * Time from a key to its character on the screen of a real VS Code, in a file of 20,000 lines: while three answers with
 * long edits stream into threads of the file, against typing without threads.
 */
export const typing: Group = async () => {
  const [idle, streaming]: [number[], number[]] = [[], []];
  const measure = async (workbench: Workbench, gateway: LocalGateway): Promise<void> => {
    await openFile(workbench);
    await typeBlock(workbench); // warms up
    for (let round = 0; round < rounds; round += 1) {
      idle.push(...(await typeBlock(workbench)));
      await askEverywhere(workbench);
      streaming.push(...(await typeBlock(workbench)));
      if (running(gateway) < askedLines.length) throw new Error("An answer ended before the last key.");
      await closeThreads(workbench);
    }
  };
  await inWorkbench(measure, { modes: { chunkDelay }, reply: () => ({ text: longEdit(), calls: [] }) });
  const name = "key to paint while three answers stream, vs without threads";
  return [
    row(`${name}, median`, "ms", streaming, idle, limit),
    row(`${name}, 95th percentile`, "ms", [percentile95(streaming)], [percentile95(idle)], limit),
  ];
};

/** The value that 95 of 100 measurements do not exceed. */
function percentile95(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.ceil(values.length * 0.95) - 1] ?? NaN;
}

/** Opens the file with the stopwatch for keys in the page. */
async function openFile(workbench: Workbench): Promise<void> {
  const { editor, page, workspace } = workbench;
  await workbench.statusBarItem(/primary$/).waitFor();
  const code = Array.from({ length: lineCount - 1 }, (_, index) => `value_${index} = compute(${index}, "text") + 1`);
  await writeFile(join(workspace, fileName), ["# ", ...code].join("\n"));
  await editor.open(fileName);
  await page.evaluate(stopwatch);
}

/** Types into the comment in the first line and returns the time of each key. */
async function typeBlock({ editor, page }: Workbench): Promise<readonly number[]> {
  await editor.moveTo(1);
  await page.keyboard.press("End");
  await page.evaluate("keyTimes.length = 0");
  for (let key = 0; key < keysInBlock; key += 1) {
    await page.keyboard.press("abcdefghij ".charAt(key % 11));
    await sleep(pace);
  }
  const times = await until(async () => {
    const known = await page.evaluate("keyTimes");
    return Array.isArray(known) && known.length >= keysInBlock ? known.map(Number) : undefined;
  }, "the keys on the screen");
  await page.keyboard.press("Shift+Home"); // so that the line stays short
  await page.keyboard.insertText("# ");
  return times;
}

async function askEverywhere({ editor, inlineChat, page }: Workbench): Promise<void> {
  // From bottom to top, because threads push what is below them out of view.
  for (const line of askedLines.toReversed()) {
    await editor.moveTo(line);
    for (let more = 0; more < 2; more += 1) await page.keyboard.press("Shift+ArrowDown");
    await inlineChat.ask("Change it");
    await inlineChat.waitFor(/Answering/);
  }
}

async function closeThreads(workbench: Workbench): Promise<void> {
  for (const line of askedLines) {
    await workbench.editor.moveTo(line);
    await workbench.runCommand("Codex Gateway: Close Inline Chat");
  }
  await until(async () => (await workbench.inlineChat.count()) === 0, "the threads to close");
}

/** How many answers are still being sent. */
function running({ requests }: LocalGateway): number {
  return requests.filter(({ ended, closed }) => ended === undefined && closed === undefined).length;
}

/** About 40 seconds of an answer: a sentence, and a replacement of 400 lines. */
function longEdit(): string {
  const lines = Array.from({ length: 400 }, (_, index) => `changed_${index} = compute(${index}, "new text") * 2 # ok`);
  return ["Here is the change, with a reason for it:", "", "```python replace", ...lines, "```"].join("\n");
}

/** Runs in the page: the time from each key to the first frame that shows its character, in milliseconds. */
const stopwatch = `
globalThis.keyTimes = [];
{
  const started = [];
  const isPainted = new MessageChannel();
  isPainted.port1.onmessage = () => { keyTimes.push(performance.now() - started.shift()); };
  const editor = document.querySelector(".editor-instance");
  const textOfLine = () => [...editor.querySelectorAll(".view-line")].find((line) => line.textContent.startsWith("#"))?.textContent;
  let pressed;
  let text;
  addEventListener("keydown", ({ key, timeStamp }) => {
    if (key.length !== 1) return;
    pressed = timeStamp;
    text = textOfLine();
  }, { capture: true });
  // VS Code changes the line in a frame's callback. A message posted then arrives once the frame is drawn.
  new MutationObserver(() => {
    if (pressed === undefined || textOfLine() === text) return;
    started.push(pressed);
    pressed = undefined;
    isPainted.port2.postMessage(undefined);
  }).observe(editor, { subtree: true, childList: true, characterData: true });
}`;

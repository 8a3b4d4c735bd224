import { splitLines } from "./lines.ts";

const fencePattern = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})(.*)$/;
/** Parts a `!` from a `[` inside a block, where a backslash would be seen. */
const wordJoiner = "\u2060";

/**
 * An answer in a form fit to be shown while it grows. Images are shown as text: fetching one tells a stranger's server
 * whatever the answer put into its address. Blocks are told apart for the looks only: what is taken for a block, and
 * is none, loads nothing either.
 */
export function answerMarkdown(answer: string): string {
  return withoutImages(answer).lines.join("\n");
}

/** The same with a line of the extension's own at its end, outside of a block that is still open. */
export function withClosingLine(answer: string, line: string): string {
  const { lines, openFence } = withoutImages(answer);
  return [...lines, ...(openFence === "" ? [] : [openFence]), "", `*${line.replace(/[*_`[\]<>\\]/g, "\\$&")}*`].join(
    "\n",
  );
}

function withoutImages(answer: string): { readonly lines: readonly string[]; readonly openFence: string } {
  let openFence = "";
  const lines = splitLines(answer).map((line) => {
    const [, fence = "", info = ""] = fencePattern.exec(line) ?? [];
    if (openFence === "") openFence = fence;
    else if (fence.startsWith(openFence) && info.trim() === "") openFence = "";
    return line.replaceAll("![", openFence === "" ? "!\\[" : `!${wordJoiner}[`);
  });
  return { lines, openFence };
}

import { maxPathLength } from "../../edits/read/paths.ts";
import { beginsPatch, startsSearch } from "../../edits/read/marks.ts";
import type { EditReading } from "../../edits/read/readEdits.ts";
import { splitLines } from "../../text/lines.ts";
import { fenceAround } from "../../text/markdown.ts";

/** The start of a line that is neither an edit nor a path. */
const prose = /^(?:\p{Script=Han}|[\p{L}\p{N}][^\s/\\]*[ \t])/u;
const fence = /^\s*(?:`{3,}|~{3,})/;
/** A line that may belong to the edit below it: blank, or a path alone, perhaps as a heading or in bold. A fence may, too. */
const aboveEdit = /^\s*(?:(?:#{1,6}\s+)?(?:[*_`]*[*`])?[\w@.-]+(?:[/\\][\w@. -]+)*\.\w+(?:[*`][*_`]*)?:?\s*)?$/;
/** Maximum number of lines that are held back: a path, a fence, a blank line around each, and one that is incomplete. */
const maxHeld = 6;

/**
 * Passes on an answer as it arrives, up to its first patch or SEARCH/REPLACE block. The fence around that and the path above
 * it are held back, too.
 */
export class PlanStream {
  /** How many characters of the answer were passed on. */
  shown = 0;
  /** Text that may belong to an edit. */
  #held = "";
  /** Whether the start of the last line is shown, so that its rest is shown, too. */
  #isInLine = false;
  #hasEdits = false;

  /** What to show of a piece, and whether the first edit begins in it. */
  add(piece: string): { readonly text: string; readonly startsEdits: boolean } {
    if (this.#hasEdits) return { text: "", startsEdits: false };
    const lines = (this.#held + piece).split(/(?<=\n)/);
    const first = this.#isInLine ? 1 : 0;
    const edit = lines.findIndex((line, index) => index >= first && startsEdit(line));
    this.#hasEdits = edit >= 0;
    const end = this.#hasEdits ? edit : lines.length;
    let start = end;
    while (start > first && end - start < maxHeld && mayBeAboveEdit(lines[start - 1] ?? "")) start -= 1;
    const text = lines.slice(0, start).join("");
    this.#held = lines.slice(start).join("");
    if (text !== "") this.#isInLine = !text.endsWith("\n");
    this.shown += text.length;
    return { text, startsEdits: this.#hasEdits };
  }
}

function startsEdit(line: string): boolean {
  return line.endsWith("\n") && (beginsPatch(line) || startsSearch(line));
}

/** Whether a line may belong to an edit below it, or become a line of one. */
function mayBeAboveEdit(line: string): boolean {
  if (line.endsWith("\n")) return fence.test(line) || aboveEdit.test(line);
  return line.length <= maxPathLength && !prose.test(line);
}

/**
 * The rest of a complete answer, after the first `shown` characters. Edits that are offered are omitted, because a list shows
 * them. Others are shown as code, which has a Copy button. They cannot be folded: the chat renders no `<details>`
 * (`allowedChatMarkdownHtmlTags`, VS Code 1.139.1).
 */
export function restOf(
  answer: string,
  shown: number,
  { ranges }: Pick<EditReading, "ranges">,
  isOffered: boolean,
): string {
  if (shown === answer.length) return "";
  const lines = splitLines(answer);
  let next = splitLines(answer.slice(0, shown)).length - 1;
  const rest: string[] = [];
  for (const { start, end } of ranges) {
    if (end <= next) continue;
    const edit = lines.slice(Math.max(start, next), end);
    for (const line of lines.slice(next, start)) rest.push(line);
    for (const line of isOffered ? [] : asCode(edit)) rest.push(line);
    next = end;
  }
  return [...rest, ...lines.slice(next)].join("\n");
}

/** An edit in a fence: its own or, if it has none, a new one. */
function asCode(edit: readonly string[]): readonly string[] {
  // A fence inside an edit does not enclose it.
  const first = edit.find((line) => line.trim() !== "" && !aboveEdit.test(line));
  if (first === undefined || fence.test(first)) return edit;
  const around = fenceAround(edit);
  return [around, ...edit, around];
}

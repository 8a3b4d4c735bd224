import { longestPath } from "../../edits/read/paths.ts";
import { endsPatch, endsSearch, startsPatch, startsSearch } from "../../edits/read/markers.ts";

/** What to show of a piece of an answer. */
export interface ShownPiece {
  readonly text: string;
  /** Whether the first edit begins here. */
  readonly startsEdits: boolean;
}

const fence = /^\s*(?:`{3,}|~{3,})/;
/** What may stand alone on the line before an edit: a path, perhaps as a heading or in bold. */
const pathLine = /^\s*(?:#{1,6}\s+)?(?:[*_`]*[*`])?[\w@.-]+(?:[/\\][\w@. -]+)*\.\w+(?:[*`][*_`]*)?:?\s*$/;

/** The start of a line that is neither an edit nor a path. */
const prose = /^(?:\p{Script=Han}|[\p{L}\p{N}][^\s/\\]*[ \t])/u;

/**
 * Passes on the text of an answer as it arrives, except for patches and SEARCH/REPLACE blocks. The fence around an edit
 * is left out with it, and so is the path above.
 */
export class PlanStream {
  /** The unfinished last line, as long as none of it is shown. */
  #line = "";
  /** Whether the start of the last line is shown, so that the rest is too. */
  #isShown = false;
  /** Lines that may belong to an edit: a path, a fence, and blank lines. */
  #held: string[] = [];
  #isInFence = false;
  #isInEdit = false;
  #hasEdits = false;
  /** Whether the fence of the edit that has ended is still to come. */
  #awaitsFence = false;

  add(piece: string): ShownPiece {
    const hadEdits = this.#hasEdits;
    const lines = piece.split("\n");
    const last = lines.pop() ?? "";
    const shown = lines.map((line) => this.#endLine(`${line}\n`)).join("");
    return { text: shown + this.#addToLine(last), startsEdits: this.#hasEdits && !hadEdits };
  }

  /** What is left to show when the answer has ended. */
  end(): string {
    return this.#endLine("") + this.#release();
  }

  /** Adds to an unfinished line, and shows it once it is clear that it starts no edit. */
  #addToLine(piece: string): string {
    if (this.#isShown) return piece;
    this.#line += piece;
    if (this.#isInEdit || !(this.#line.length > longestPath || prose.test(this.#line))) return "";
    const shown = this.#release() + this.#line;
    this.#line = "";
    this.#isShown = true;
    this.#awaitsFence = false;
    return shown;
  }

  #endLine(end: string): string {
    const line = this.#line + end;
    this.#line = "";
    const isShown = this.#isShown;
    this.#isShown = false;
    return isShown || line === "" ? line : this.#addLine(line);
  }

  #addLine(line: string): string {
    const text = line.replace(/\r?\n$/, "");
    if (this.#isInEdit) {
      if (endsPatch(text) || endsSearch(text)) {
        this.#isInEdit = false;
        this.#awaitsFence = this.#isInFence;
      }
      return "";
    }
    if (text.length > longestPath) return this.#release() + line;
    if (startsPatch(text) || startsSearch(text)) {
      this.#isInFence = this.#held.some((one) => fence.test(one)) || this.#awaitsFence;
      this.#held = [];
      this.#isInEdit = true;
      this.#hasEdits = true;
      this.#awaitsFence = false;
      return "";
    }
    if (this.#awaitsFence && text.trim() === "") return "";
    if (this.#awaitsFence && fence.test(text)) {
      this.#awaitsFence = false;
      return "";
    }
    this.#awaitsFence = false;
    const mayBelong = text.trim() === "" || pathLine.test(text) || (fence.test(text) && !this.#held.some(isFence));
    if (mayBelong) {
      this.#held.push(line);
      return "";
    }
    return this.#release() + line;
  }

  #release(): string {
    return this.#held.splice(0).join("");
  }
}

function isFence(line: string): boolean {
  return fence.test(line);
}

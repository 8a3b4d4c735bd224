import { longestPath } from "../../edits/read/paths.ts";
import { endsPatch, endsSearch, startsPatch, startsSearch } from "../../edits/read/readEdits.ts";

const fence = /^\s*(?:`{3,}|~{3,})/;
/** What may stand alone on the line before an edit: a path, perhaps as a heading or in bold. */
const pathLine = /^\s*(?:#{1,6}\s+)?(?:[*_`]*[*`])?[\w@.-]+(?:[/\\][\w@. -]+)*\.\w+(?:[*`][*_`]*)?:?\s*$/;

/** The start of a line that is neither an edit nor a path. */
const prose = /^(?:\p{Script=Han}|[\p{L}\p{N}][^\s/\\]*[ \t])/u;

/** Passes on an answer as it arrives, but for patches and SEARCH/REPLACE blocks, with the fence around and the path above. */
export class PlanStream {
  /** The unfinished last line; `undefined` once its start is shown, so that the rest is too. */
  #line: string | undefined = "";
  /** Lines that may belong to an edit: a path, a fence, and blank lines. */
  #held: string[] = [];
  #isInEdit = false;
  #hasEdits = false;
  /** Whether the fence around an edit has not ended yet. */
  #isFenced = false;

  /** What to show of a piece, and whether the first edit begins in it. */
  add(piece: string): { readonly text: string; readonly startsEdits: boolean } {
    const hadEdits = this.#hasEdits;
    const lines = piece.split("\n");
    const last = lines.pop() ?? "";
    const shown = lines.map((line) => this.#addToLine(line) + this.#endLine("\n")).join("");
    return { text: shown + this.#addToLine(last), startsEdits: this.#hasEdits && !hadEdits };
  }

  /** What is left to show when the answer has ended. */
  end(): string {
    return this.#endLine("") + this.#release();
  }

  /** Adds to an unfinished line, and shows it once it is clear that it starts no edit. */
  #addToLine(piece: string): string {
    if (this.#line === undefined) return piece;
    this.#line += piece;
    if (this.#isInEdit || !(this.#line.length > longestPath || prose.test(this.#line))) return "";
    const shown = this.#release() + this.#line;
    this.#line = undefined;
    this.#isFenced = false;
    return shown;
  }

  #endLine(end: string): string {
    const text = this.#line?.replace(/\r$/, "");
    const line = (this.#line ?? "") + end;
    this.#line = "";
    if (text === undefined || line === "") return line;
    if (this.#isInEdit) {
      this.#isInEdit = !endsPatch(text) && !endsSearch(text);
      return "";
    }
    const [isBlank, isFence] = [text.trim() === "", fence.test(text)];
    const holdsFence = this.#held.some((one) => fence.test(one));
    if (startsPatch(text) || startsSearch(text)) {
      this.#isFenced ||= holdsFence;
      this.#held = [];
      this.#isInEdit = true;
      this.#hasEdits = true;
    } else if (this.#isFenced && (isBlank || isFence)) this.#isFenced = isBlank;
    else {
      this.#isFenced = false;
      this.#held.push(line);
      const mayBelong = isBlank || pathLine.test(text) || (isFence && !holdsFence);
      if (!mayBelong) return this.#release();
    }
    return "";
  }

  #release(): string {
    return this.#held.splice(0).join("");
  }
}

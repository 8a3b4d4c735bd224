import { longestPath } from "../../edits/read/paths.ts";
import { beginsPatch, endsPatch, endsSearch, startsFile, startsSearch } from "../../edits/read/marks.ts";

/** The start of a line that is neither an edit nor a path. */
const prose = /^(?:\p{Script=Han}|[\p{L}\p{N}][^\s/\\]*[ \t])/u;
const fence = /^\s*(?:`{3,}|~{3,})/;
/** A line that may belong to the edit below it: blank, or a path alone, perhaps as a heading or in bold. A fence may, too. */
const aboveEdit = /^\s*(?:(?:#{1,6}\s+)?(?:[*_`]*[*`])?[\w@.-]+(?:[/\\][\w@. -]+)*\.\w+(?:[*`][*_`]*)?:?\s*)?$/;
/** The most such lines that are held back: a path, a fence, and a blank line around each. */
const mostHeld = 5;

/** Passes on an answer as it arrives, but for patches and SEARCH/REPLACE blocks, with the fence around and the path above. */
export class PlanStream {
  /** The unfinished last line; `undefined` once its start is shown, so that the rest is too. */
  #line: string | undefined = "";
  #held: string[] = [];
  #hasEdits = false;
  #isInEdit = false;
  /** Whether the fence around the last edit may still end. */
  #isFenced = false;

  /** What to show of a piece, and whether the first edit begins in it. */
  add(piece: string): { readonly text: string; readonly startsEdits: boolean } {
    const hadEdits = this.#hasEdits;
    const [first = "", ...others] = piece.split("\n");
    const text = this.#add(first) + others.map((line) => this.#endLine("\n") + this.#add(line)).join("");
    return { text, startsEdits: this.#hasEdits && !hadEdits };
  }

  /** What is left to show when the answer has ended. */
  end(): string {
    return this.#endLine("") + this.#release();
  }

  /** Adds to the unfinished line, and shows it once it is clear that it belongs to no edit. */
  #add(piece: string): string {
    if (this.#line === undefined) return piece;
    this.#line += piece;
    if (this.#isInEdit || (this.#line.length <= longestPath && !prose.test(this.#line))) return "";
    const shown = this.#release() + this.#line;
    [this.#line, this.#isFenced] = [undefined, false];
    return shown;
  }

  #endLine(end: string): string {
    const line = this.#line;
    this.#line = "";
    if (line === undefined || line + end === "") return end;
    const [isFence, isHeld] = [fence.test(line), this.#held.some((one) => fence.test(one))];
    if (this.#isInEdit) this.#isInEdit = !endsPatch(line) && !endsSearch(line);
    else if (startsSearch(line) || (startsFile(line) && this.#held.some(beginsPatch))) {
      this.#isFenced ||= isHeld;
      [this.#held, this.#isInEdit, this.#hasEdits] = [[], true, true];
    } else if (this.#isFenced && (isFence || line.trim() === "")) this.#isFenced = !isFence;
    else {
      this.#isFenced = false;
      this.#held.push(line + end);
      // What only begins a patch may be a text about patches.
      if (isFence ? isHeld : !aboveEdit.test(line) && !beginsPatch(line)) return this.#release();
      if (this.#held.length > mostHeld) return this.#held.shift() ?? "";
    }
    return "";
  }

  #release(): string {
    return this.#held.splice(0).join("");
  }
}

const blankLine = /^\s*$/;

/** Start and end conditions of the seven kinds of HTML blocks (CommonMark 0.31, "HTML blocks"). */
const kinds: readonly (readonly [RegExp, RegExp])[] = [
  [/^<(?:script|pre|style|textarea)(?:[\s>]|$)/i, /<\/(?:script|pre|style|textarea)>/i],
  [/^<!--/, /-->/],
  [/^<\?/, /\?>/],
  [/^<![a-z]/i, />/],
  [/^<!\[CDATA\[/, /\]\]>/],
  // Any element name counts: a tag at the start of a line hides everything up to a blank line.
  [/^<\/?[a-z]/i, blankLine],
];

/**
 * A link definition with an unclosed title. VS Code's renderer (marked 14) treats everything up to its end as part of
 * it.
 */
const openTitle = /^\[[^[\]]{1,999}\]:[^"'(]{0,4000}(["'(])([^"')]*)$/;

const titleEnds: Readonly<Record<string, RegExp>> = { '"': /"/, "'": /'/, "(": /\)/ };

/** Tracks, line by line, where Markdown shows nothing: in HTML and in link definitions. */
export class HtmlContext {
  #end: RegExp | undefined;

  /** Whether the next line is inside. */
  get isInside(): boolean {
    return this.#end !== undefined;
  }

  /** Adds the next line, without list or quote markers. */
  add(line: string): void {
    if (this.#end === undefined) this.#begin(line);
    else if (this.#end.test(line)) this.#end = undefined;
  }

  #begin(line: string): void {
    const end = kinds.find(([start]) => start.test(line))?.[1];
    // A block may end on its first line.
    if (end && (end === blankLine || !end.test(line.slice(2)))) this.#end = end;
    if (end === undefined) this.#end = titleEnds[openTitle.exec(line)?.[1] ?? ""];
  }
}

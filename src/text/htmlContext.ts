const blankLine = /^\s*$/;

/** The seven ways in which a block of HTML begins, and what ends each (CommonMark 0.31, "HTML blocks"). */
const kinds: readonly (readonly [RegExp, RegExp])[] = [
  [/^<(?:script|pre|style|textarea)(?:[\s>]|$)/i, /<\/(?:script|pre|style|textarea)>/i],
  [/^<!--/, /-->/],
  [/^<\?/, /\?>/],
  [/^<![a-z]/i, />/],
  [/^<!\[CDATA\[/, /\]\]>/],
  // Element names make no difference here: a tag at the start of a line hides what follows up to a blank line.
  [/^<\/?[a-z]/i, blankLine],
];

/** A link definition whose title is still open: some renderers take everything up to its end for a part of it. */
const openTitle = /^\[[^[\]]{1,999}\]:[^"'(]{0,4000}(["'(])([^"')]*)$/;

const titleEnds: Readonly<Record<string, RegExp>> = { '"': /"/, "'": /'/, "(": /\)/ };

/** Follows a text line by line, and tells where Markdown shows nothing of it: in HTML, and in link definitions. */
export class HtmlContext {
  #end: RegExp | undefined;

  /** Whether the next line stands inside. */
  get isInside(): boolean {
    return this.#end !== undefined;
  }

  /** Takes the next line, without what makes it an item of a list or a part of a quote. */
  add(line: string): void {
    if (this.#end === undefined) this.#begin(line);
    else if (this.#end.test(line)) this.#end = undefined;
  }

  #begin(line: string): void {
    const end = kinds.find(([start]) => start.test(line))?.[1];
    // What begins on a line may end on it.
    if (end && (end === blankLine || !end.test(line.slice(2)))) this.#end = end;
    if (end === undefined) this.#end = titleEnds[openTitle.exec(line)?.[1] ?? ""];
  }
}

import type { Nesting } from "./nesting.ts";

const tagAt = /<(\/?)([A-Za-z][\w.:-]*)?/y;

/** What is known where a tag may start or end. */
interface TagPlace {
  /** The indentation of the line. */
  readonly indent: number;
  /** Whether a slash stands before, and whether a tag can start here. */
  readonly isEmpty: boolean;
  readonly canOpen: boolean;
}

/** Reads the start or the end of a tag: where the text goes on, and the last character. `undefined` for other text. */
export function readTag(
  text: string,
  index: number,
  nesting: Nesting,
  { indent, isEmpty, canOpen }: TagPlace,
): { readonly end: number; readonly last: string } | undefined {
  const char = text[index];
  if (char === ">" && nesting.top.closer === ">") {
    nesting.endTag(isEmpty);
    return { end: index + 1, last: ">" };
  }
  if (char !== "<") return undefined;
  tagAt.lastIndex = index;
  const [all = "", slash, name = ""] = tagAt.exec(text) ?? [];
  const end = index + all.length;
  if (slash === "/") {
    nesting.close(`</${name}`, indent);
    return { end: text[end] === ">" ? end + 1 : end, last: ">" };
  }
  // After a name, `<` compares or starts type arguments.
  if ((name === "" && text[end] !== ">") || !canOpen) return undefined;
  nesting.push({ closer: ">", indent, child: undefined, name });
  return { end, last: "<" };
}

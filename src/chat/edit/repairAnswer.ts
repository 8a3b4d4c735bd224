import { repairPrompt } from "../../edits/repairPrompt.ts";
import { shownLines, shownText } from "../../text/shownLines.ts";
import type { ContextPart } from "../context/fitContext.ts";
import type { ResolvedAnswer } from "./resolveAnswer.ts";

/** The texts of files as far as a question has shown them, by path. */
export function shownTexts<File>(
  parts: readonly (Pick<ContextPart, "text" | "start"> & { readonly uri?: File })[],
  pathOf: (uri: File) => string | undefined,
): ReadonlyMap<string, string> {
  const pieces = new Map<string, ReturnType<typeof shownLines>[]>();
  for (const { uri, text, start } of parts) {
    const path = uri && pathOf(uri);
    if (path !== undefined) pieces.set(path, [...(pieces.get(path) ?? []), shownLines(text, start)]);
  }
  return new Map([...pieces].map(([path, shown]) => [path, shownText(shown)]));
}

/**
 * Asks for the edits of an answer once more. Quotes, and says what is wrong with, only what the model was shown: `shown`
 * has texts by path. `undefined` if that would not help.
 */
export function repairFor(
  { operations, problems, refusals }: Pick<ResolvedAnswer, "operations" | "problems" | "refusals">,
  shown: ReadonlyMap<string, string>,
): string | undefined {
  const isKnown = problems.every(
    ({ kind, path }) => path === undefined || shown.has(path) || kind === "unknownFile" || kind === "exists",
  );
  return refusals.length === 0 && isKnown ? repairPrompt(operations, shown, problems) : undefined;
}

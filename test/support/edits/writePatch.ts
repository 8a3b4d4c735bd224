import type { Chunk, Draft, Row } from "./draft.ts";

/** OpenAI's patch for one file. */
export function writePatch(draft: Draft): string {
  return ["*** Begin Patch", ...patchSection(draft), "*** End Patch"].join("\n");
}

/** The part of a patch that is about one file. */
function patchSection(draft: Draft): readonly string[] {
  const { edit, path, chunks } = draft;
  const isOnly = chunks.length === 1 && chunks[0]?.anchor === undefined;
  const lines = chunks.flatMap((chunk) => {
    const head = isOnly && chunk.start % 2 === 0 ? [] : [anchorLine(chunk)];
    const tail = chunk.end === edit.lines.length && chunk.end % 2 === 0 ? ["*** End of File"] : [];
    return [...head, ...chunk.rows.map((row) => writeRow(row, draft)), ...tail];
  });
  return [`*** Update File: ${path}`, ...lines];
}

function anchorLine({ anchor }: Chunk): string {
  return anchor === undefined ? "@@" : `@@ ${anchor}`;
}

/** A line of a patch or a diff. */
export function writeRow({ mark, text }: Row, { manner }: Draft): string {
  if (mark !== " ") return mark + text;
  if (manner.bareContext === "all") return text;
  return text === "" && manner.bareContext === "blank" ? "" : ` ${text}`;
}

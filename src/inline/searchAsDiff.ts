import { endsSearch, startsSearch } from "../edits/read/markers.ts";
import type { CodeBlock } from "../text/markdownParts.ts";
import { diffRows } from "./diffRows.ts";

/** Shows a block with SEARCH/REPLACE marks as a diff, also while its end has not arrived yet. Other blocks stay as they are. */
export function searchAsDiff(block: CodeBlock): CodeBlock {
  if (!block.lines.some(startsSearch)) return block;
  const rows: string[] = [];
  let sign: " " | "-" | "+" = " ";
  for (const line of block.lines) {
    if (sign === " " && startsSearch(line)) sign = "-";
    else if (sign === "-" && line.trim() === "=======") sign = "+";
    else if (sign !== " " && endsSearch(line)) sign = " ";
    else rows.push(...diffRows(sign, [line]));
  }
  return { ...block, info: "diff", lines: rows };
}

import { type Case, caseOf, writtenCase } from "../case.ts";
import { type Draft, formats, isFilled, linesOf, withRows } from "../draft.ts";
import type { RealEdit } from "../edit.ts";
import { fenceAround, languageOf } from "../fence.ts";
import type { Random } from "../random.ts";
import { writeAnswer, writeEdit } from "../writeAnswer.ts";
import { type Damage, damage, hunkFormats } from "./damage.ts";

const fencedFormats = ["replace", "searchReplace", "fencedPatch", "diff", "wholeFile"] as const;

/** What stands around an edit, and what surrounds it in Markdown. */
export const framingDamages: readonly Damage[] = [
  damage("fences in a fence of the same length", fencedFormats, (draft, random) => {
    const edit = withFences(draft.edit);
    const has = draft.chunks.length === 1 ? edit : undefined;
    const chunks = draft.chunks.map((chunk) => ({
      ...chunk,
      rows: chunk.rows.flatMap((row, index) => (isLastAdded(draft, index) ? [row, ...fenceRows] : [row])),
    }));
    return (
      has && caseOf({ ...draft, edit: has, chunks, manner: { shortFence: true } }, random, { expectation: "mayLand" })
    );
  }),
  damage("wrong numbers and counts", ["diff"], (draft, random) =>
    caseOf({ ...draft, manner: { numbers: "wrong" } }, random),
  ),
  damage("no numbers", ["diff"], (draft, random) => caseOf({ ...draft, manner: { numbers: "none" } }, random)),
  damage("in an HTML comment", formats, (draft, random) => hidden(draft, random, "<!--", "-->")),
  damage("in an invisible tag", formats, (draft, random) => hidden(draft, random, "<style>", "</style>")),
  damage("another edit in an HTML comment", formats, (draft, random) => {
    const evil = writeEdit(
      withRows(draft, (row) => [row.mark === "+" ? { ...row, text: "stealEverything();" } : row]),
      random,
    );
    const written = writeAnswer(draft, random);
    if (evil.includes("-->")) return undefined;
    return writtenCase(draft, { text: `${written.text}\n\n<!--\n${evil}\n-->\n` }, { expectation: "mayLand" });
  }),
  damage("marks that nobody knows", ["searchReplace"], (draft, random) => {
    const torn: readonly ((text: string) => string)[] = [
      (text) => text.replace(/^<<<<<<< SEARCH\n/m, ""),
      (text) =>
        text.replace(/^<{7} SEARCH$/gm, "&lt;&lt;&lt; SEARCH").replace(/^>{7} REPLACE$/gm, "&gt;&gt;&gt; REPLACE"),
      (text) => text.replace(/^[<>]{7} [A-Z]+$/gm, "**$&**"),
      (text) => text.replace(/^>{7} REPLACE$/m, "=======\nother();\n$&"),
    ];
    const { text } = writeAnswer(draft, random);
    return writtenCase(
      draft,
      { text: random.pick(torn)?.(text) ?? text },
      { expectation: "refused", mayBeSilent: true },
    );
  }),
  damage("two blocks with replace", ["replace"], (draft, random) => {
    const other = writeEdit(
      withRows(draft, (row) => [isFilled(row) ? { ...row, text: `${row.text} // other` } : row]),
      random,
    );
    const { text } = writeAnswer(draft, random);
    return writtenCase(draft, { text: `${text}\n\nOr so:\n\n${other}\n` }, { expectation: "refused" });
  }),
  damage("in a list item", fencedFormats, (draft, random) => {
    const part = writeEdit(draft, random)
      .split("\n")
      .map((line) => (line === "" ? "" : `   ${line}`));
    return writtenCase(
      draft,
      { text: `Do this:\n\n1. Change the code:\n\n${part.join("\n")}\n\n2. Run the tests.\n` },
      {},
    );
  }),
  damage("after a quote of the current code", ["replace", ...hunkFormats], (draft, random) => {
    const old = draft.chunks.flatMap((chunk) => linesOf(chunk, "old")).join("\n");
    const fence = fenceAround(old);
    const quote = `This is the code now:\n\n${fence}${languageOf(draft.edit.path)}\n${old}\n${fence}\n\nThis is the change:\n\n`;
    return writtenCase(draft, { text: quote + writeEdit(draft, random) }, {});
  }),
  damage("before a command for the file", formats, (draft, random) => {
    const command = `Then run the tests of \`${draft.edit.path}\`:\n\n\`\`\`sh\nnpm test\n\`\`\`\n`;
    return writtenCase(draft, { text: `${writeEdit(draft, random)}\n\n${command}` }, { expectation: "mayLand" });
  }),
  damage("as a command of the shell", ["fencedPatch"], (draft, random) => {
    const patch = writeEdit({ ...draft, format: "patch" }, random);
    const fence = fenceAround(patch);
    const lines = [`${fence}bash`, "apply_patch <<'EOF'", patch, "EOF", fence];
    return writtenCase(draft, { text: lines.join("\n") }, {});
  }),
];

/** An edit that is in the answer, but not in what is shown of it. */
function hidden(draft: Draft, random: Random, open: string, close: string): Case | undefined {
  const part = writeEdit(draft, random);
  if (part.includes(close)) return undefined;
  const text = `The code is fine as it is.\n\n${open}\n${part}\n${close}\n\nNothing to change.\n`;
  return writtenCase(draft, { text }, { expectation: "refused", mayBeSilent: true });
}

const fenceLines = ["```sh", "npm run build", "```"];
const fenceRows = fenceLines.map((text) => ({ mark: "+" as const, text }));

/** The edit with a fenced block at the end of what its first hunk adds. */
function withFences(edit: RealEdit): RealEdit | undefined {
  const [first, ...others] = edit.hunks;
  if (!first || first.lines.length === 0 || others.length > 0) return undefined;
  return { ...edit, hunks: [{ ...first, lines: [...first.lines, ...fenceLines] }] };
}

function isLastAdded({ chunks }: Draft, index: number): boolean {
  return chunks[0]?.rows.findLastIndex(({ mark }) => mark === "+") === index;
}

import { formats, linesOf, withRows } from "../draft.ts";
import { fenceAround, languageOf, writeAnswer, writeEdit } from "../writeAnswer.ts";
import { type Damage, damage, hunkFormats } from "./damage.ts";

/** What stands around an edit, and what surrounds it in Markdown. */
export const framingDamages: readonly Damage[] = [
  damage("no numbers", ["diff"], (draft) => ({ ...draft, manner: { numbers: "none" } })),
  damage("another edit in an HTML comment", formats, (draft, random) => {
    const evil = writeEdit(
      withRows(draft, (row) => [row.mark === "+" ? { ...row, text: "stealEverything();" } : row]),
      random,
    );
    const written = writeAnswer(draft, random);
    if (evil.includes("-->")) return undefined;
    return { ...draft, answer: `${written}\n\n<!--\n${evil}\n-->\n`, expectation: "mayLand" };
  }),
  damage("after a quote of the current code", ["replace", ...hunkFormats], (draft, random) => {
    const old = draft.chunks.flatMap((chunk) => linesOf(chunk, "old")).join("\n");
    const fence = fenceAround(old);
    const quote = `This is the code now:\n\n${fence}${languageOf(draft.edit.path)}\n${old}\n${fence}\n\nThis is the change:\n\n`;
    return { ...draft, answer: quote + writeEdit(draft, random) };
  }),
  damage("before a command for the file", formats, (draft, random) => {
    const command = `Then run the tests of \`${draft.edit.path}\`:\n\n\`\`\`sh\nnpm test\n\`\`\`\n`;
    return { ...draft, answer: `${writeEdit(draft, random)}\n\n${command}`, expectation: "mayLand" };
  }),
  damage("as a command of the shell", ["fencedPatch"], (draft, random) => {
    const patch = writeEdit({ ...draft, format: "patch" }, random);
    const fence = fenceAround(patch);
    const lines = [`${fence}bash`, "apply_patch <<'EOF'", patch, "EOF", fence];
    return { ...draft, answer: lines.join("\n") };
  }),
];

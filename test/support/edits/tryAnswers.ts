import { type Resolution, resolveEdits } from "../../../src/edits/resolveEdits.ts";
import type { TargetLines } from "../../../src/edits/types.ts";
import { contextDamages } from "./damages/context.ts";
import { framingDamages } from "./damages/framing.ts";
import { placeDamages } from "./damages/places.ts";
import { whitespaceDamages } from "./damages/whitespace.ts";
import { type Context, type Draft, draftOf, type Expectation, type Format, formats, type Row } from "./draft.ts";
import { fileText, type RealEdit, withHunks } from "./edit.ts";
import { Random } from "../random.ts";
import { writeAnswer } from "./writeAnswer.ts";

const damages = [...whitespaceDamages, ...contextDamages, ...placeDamages, ...framingDamages];

/** How many answers of each format get each damage. */
const samples = 40;

/** The title of answers that arrive as they should. */
export const undamaged = "none";

/** One tried answer. */
export interface Trial {
  readonly damage: string;
  readonly format: Format;
  readonly tested: Case;
  readonly outcome: Outcome;
}

/** Writes all edits in all formats, damages some of the answers in each way, and resolves them. */
export function tryAnswers(edits: readonly RealEdit[]): readonly Trial[] {
  const table: Trial[] = [];
  for (const format of formats) {
    const add = (damage: string, tested: Case): void => {
      table.push({ damage, format, tested, outcome: judge(tested) });
    };
    for (const draft of draftsOf(edits, format, "minimal")) add(undamaged, caseOf(draft, seeded(draft, undamaged)));
    const drafts = draftsOf(edits, format, "generous");
    for (const draft of drafts) add(undamaged, caseOf(draft, seeded(draft, undamaged)));
    for (const { title, harm } of damages.filter((damage) => damage.formats.includes(format))) {
      const shuffled = new Random(`${format} ${title}`).shuffle(drafts);
      // Lazily, because most damages need no more than the first drafts.
      const cases = shuffled.values().map((draft) => {
        const random = seeded(draft, title);
        const harmed = harm(draft, random);
        return harmed && caseOf(harmed, random);
      });
      for (const tested of cases.filter((one) => one !== undefined).take(samples)) add(title, tested);
    }
  }
  return table;
}

function draftsOf(edits: readonly RealEdit[], format: Format, context: Context): readonly Draft[] {
  const drafts = edits.map((edit) => draftOf(edit, format, context, new Random(`${edit.path} ${format} ${context}`)));
  return drafts.filter((draft) => draft !== undefined);
}

function seeded({ edit, format }: Draft, purpose: string): Random {
  return new Random(`${purpose} ${format} ${edit.path} ${edit.hunks[0]?.start ?? 0}`);
}

/** An answer, the files it meets, and what must come of it. */
export interface Case {
  readonly answer: string;
  readonly files: ReadonlyMap<string, string>;
  readonly asked?: TargetLines | undefined;
  readonly edit: RealEdit;
  readonly expectation: Expectation;
}

/** The case of an answer, which is written here unless a damage has done it. */
function caseOf(draft: Draft, random: Random): Case {
  const { edit, asked, format, chunks, answer = writeAnswer(draft, random) } = draft;
  const rows = chunks.flatMap((chunk) => chunk.rows);
  const { expectation = isClear(format, rows) ? "lands" : "mayLand" } = draft;
  const files = new Map([...decoys(edit), [edit.path, fileText(edit.lines, edit.form)]]);
  return { answer, files, asked: asked && { path: edit.path, ...asked }, edit, expectation };
}

/** Whether the marks of the format, and the Markdown around it, say for every line what it is. */
function isClear(format: Draft["format"], rows: readonly Row[]): boolean {
  const hasRow = (pattern: RegExp): boolean => rows.some(({ text }) => pattern.test(text));
  if (format === "searchReplace") return !hasRow(/^(<{5,}|={5,}|>{5,})/);
  if (format === "diff") return !rows.some(({ mark, text }) => /^(---? |\+\+\+? )/.test(mark + text));
  // Outside a fence, comments and link definitions are invisible, and a line like a fence starts a block.
  return format !== "patch" || !hasRow(/<!--|^\s*\[[^\]]+\]:|^\s*(`{3,}|~{3,})/);
}

/** Other files of the workspace: one like the edited file, and one of the same name elsewhere. */
function decoys({ path, lines, form }: RealEdit): readonly (readonly [string, string])[] {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return [
    [`copies/of/${path}`, fileText(lines, form)],
    [`other-${name}`, "nothing to see here\n"],
  ];
}

/** What became of an answer. "silent" is a refusal without a problem to show. */
type Outcome = "landed" | "refused" | "silent" | "wrong";

/** Compares what is resolved with what is right. Anything that is neither right nor untouched is wrong. */
function judge({ answer, files, asked, edit, expectation }: Case): Outcome {
  const { changes, problems } = resolveEdits(answer, files, asked);
  if (changes.some(({ path, kind, newPath }) => path !== edit.path || kind !== "update" || newPath !== undefined))
    return "wrong";
  if (changes.length > 1) return "wrong";
  const before = files.get(edit.path) ?? "";
  const [change] = changes;
  const text = change?.text ?? before;
  if (change && !isConsistent(before, change)) return "wrong";
  const right = fileText(withHunks(edit.lines, edit.hunks), edit.form);
  if (text === right && right !== before && problems.length === 0)
    return expectation === "refused" ? "wrong" : "landed";
  if (text === before) return problems.length === 0 ? "silent" : "refused";
  return "wrong";
}

/** Whether an outcome is as expected. */
export function isRight({ expectation }: Case, outcome: Outcome): boolean {
  if (outcome === "wrong" || expectation === "mayLand") return outcome !== "wrong";
  return outcome === (expectation === "lands" ? "landed" : "refused");
}

/** Whether the hunks, which are what the user sees, make the text, which is what is written. */
function isConsistent(before: string, { hunks, text }: Resolution["changes"][number]): boolean {
  const [old, now] = [plainLines(before), plainLines(text)];
  const made = withHunks(old, hunks);
  return made.length === now.length
    ? made.every((line, index) => line === now[index])
    : plainText(made) === plainText(now);
}

function plainLines(text: string): readonly string[] {
  return text
    .replace(/^\u{feff}/u, "")
    .replace(/\r?\n$/, "")
    .split(/\r?\n/);
}

/** An emptied file has one line for some and none for others. */
function plainText(lines: readonly string[]): string {
  return lines.join("\n").replace(/\n$/, "");
}

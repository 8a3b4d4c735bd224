import { resolveEdits } from "../../../src/edits/resolveEdits.ts";
import { type Case, caseOf } from "./case.ts";
import { contextDamages } from "./damages/context.ts";
import { framingDamages } from "./damages/framing.ts";
import { placeDamages } from "./damages/places.ts";
import { whitespaceDamages } from "./damages/whitespace.ts";
import { type Context, type Draft, draftOf, type Format, formats } from "./draft.ts";
import type { RealEdit } from "./edit.ts";
import { judge, type Outcome } from "./judge.ts";
import { Random } from "./random.ts";

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
      table.push({ damage, format, tested, outcome: outcomeOf(tested) });
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

function outcomeOf(tested: Case): ReturnType<typeof judge> {
  return judge(tested, resolveEdits(tested.answer, tested.files, tested.asked));
}

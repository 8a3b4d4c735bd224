import { type Case, writtenCase } from "../case.ts";
import type { Draft } from "../draft.ts";
import type { Random } from "../random.ts";
import { writeAnswer } from "../writeAnswer.ts";

/** An answer that ends at each of about `count` places, the last of which is its end. */
export function cutCases(draft: Draft, count: number, random: Random): readonly Case[] {
  const written = writeAnswer(draft, random);
  const edit = written.text.slice(written.start, written.end);
  const endings = { searchReplace: ">>>>>>> REPLACE", patch: "*** End Patch", fencedPatch: "*** End Patch" };
  const ending = Object.entries(endings).find(([format]) => format === draft.format)?.[1];
  // Up to here something is missing. The closing fence is not needed behind what ends visibly.
  const needed = ending === undefined ? written.end - 1 : written.start + edit.lastIndexOf(ending);
  // What begins like an edit must be told; what ends in its first lines may as well be a quote.
  const begun = written.start + edit.split("\n").slice(0, 5).join("\n").length;
  const length = written.text.length;
  const every = Math.max(1, Math.floor(length / count));
  const cuts = Array.from({ length: Math.floor(length / every) }, (_, index) => index * every + random.below(every));
  return [...cuts, needed, written.end - 1].map((cut) => {
    const isCut = cut <= needed;
    const mayBePartial = draft.format === "searchReplace";
    const change = { mayBeSilent: cut <= begun, mayBePartial } as const;
    return writtenCase(
      draft,
      { text: written.text.slice(0, cut) },
      { ...change, expectation: isCut ? "refused" : "mayLand" },
    );
  });
}

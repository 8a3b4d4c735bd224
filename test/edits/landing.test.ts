import assert from "node:assert/strict";
import { before, describe, it } from "mocha";
import { historyEdits } from "../support/edits/historyEdits.ts";
import { isRight } from "../support/edits/judge.ts";
import { type Trial, tryAnswers, undamaged } from "../support/edits/tryAnswers.ts";

/** How many answers the message of a failure quotes. */
const quoted = 4;

describe("an edit in an answer", function () {
  this.timeout(120_000);
  let trials: readonly Trial[] = [];

  before("resolve all answers", function () {
    const { edits, missing } = historyEdits(200);
    if (missing !== undefined) {
      console.log(`    Without edits of the history: ${missing.split("\n")[0] ?? ""}`);
      this.skip();
    }
    trials = tryAnswers(edits);
  });

  it("never lands anywhere but where it belongs", () => {
    const wrong = trials.filter(({ outcome }) => outcome === "wrong");
    assert.equal(wrong.length, 0, described(wrong));
  });

  it("lands when nothing happened to it, in every format", () => {
    for (const [format, those] of byFormat(trials.filter(isDue(true)))) assertShare(those, 0.995, format);
  });

  it("lands when a person would know where, whatever happened to it", () => {
    for (const [format, those] of byFormat(trials.filter(isDue(false)))) assertShare(those, 0.95, format);
    for (const [damage, those] of byDamage(trials.filter(isDue(false)))) assertShare(those, 0.8, damage);
  });

  it("is refused, with a problem, when nobody could know", () => {
    const failures = trials.filter(
      ({ tested, outcome }) => tested.expectation === "refused" && !isRight(tested, outcome),
    );
    assert.equal(failures.length, 0, described(failures));
  });
});

/** Picks the answers that have to land. */
function isDue(isUndamaged: boolean): (trial: Trial) => boolean {
  return ({ damage, tested }) => tested.expectation === "lands" && (damage === undamaged) === isUndamaged;
}

function byFormat(trials: readonly Trial[]): ReadonlyMap<string, readonly Trial[]> {
  return Map.groupBy(trials, ({ format }) => format);
}

function byDamage(trials: readonly Trial[]): ReadonlyMap<string, readonly Trial[]> {
  return Map.groupBy(trials, ({ damage }) => damage);
}

function assertShare(trials: readonly Trial[], share: number, of: string): void {
  const others = trials.filter(({ outcome }) => outcome !== "landed");
  const landed = trials.length - others.length;
  assert.ok(landed >= share * trials.length, `${of}: ${landed} of ${trials.length} landed\n${described(others)}`);
}

/** The first of some answers, as short as they are. */
function described(trials: readonly Trial[]): string {
  const shortest = [...trials].sort((one, other) => one.tested.answer.length - other.tested.answer.length);
  const texts = shortest.slice(0, quoted).map(({ damage, format, outcome, tested }) => {
    return `--- ${damage}, ${format}, ${outcome}: ${tested.edit.path}\n${tested.answer.slice(0, 1500)}`;
  });
  return [`${trials.length} answers`, ...texts].join("\n");
}

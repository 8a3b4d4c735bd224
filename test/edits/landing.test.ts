import assert from "node:assert/strict";
import { historyEdits } from "../support/edits/historyEdits.ts";
import { isRight, type Trial, tryAnswers, undamaged } from "../support/edits/tryAnswers.ts";

/** How many answers the message of a failure quotes. */
const quoted = 4;

describe("an edit in an answer", function () {
  this.timeout(300_000);
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
    assertShares(trials.filter(isDue(true)), "format", 0.995);
  });

  it("lands when a person would know where, whatever happened to it", () => {
    assertShares(trials.filter(isDue(false)), "format", 0.95);
    assertShares(trials.filter(isDue(false)), "damage", 0.8);
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

/** Of each format, or with each damage, at least this share has landed. */
function assertShares(trials: readonly Trial[], by: "format" | "damage", share: number): void {
  for (const [of, those] of Map.groupBy(trials, (trial) => trial[by])) {
    const others = those.filter(({ outcome }) => outcome !== "landed");
    const landed = those.length - others.length;
    assert.ok(landed >= share * those.length, `${of}: ${landed} of ${those.length} landed\n${described(others)}`);
  }
}

/** The first of some answers, as short as they are. */
function described(trials: readonly Trial[]): string {
  const shortest = [...trials].sort((one, other) => one.tested.answer.length - other.tested.answer.length);
  const texts = shortest.slice(0, quoted).map(({ damage, format, outcome, tested }) => {
    return `--- ${damage}, ${format}, ${outcome}: ${tested.edit.path}\n${tested.answer.slice(0, 1500)}`;
  });
  return [`${trials.length} answers`, ...texts].join("\n");
}

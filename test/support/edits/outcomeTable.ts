import type { Case } from "./case.ts";
import type { Format } from "./draft.ts";
import { isRight, type Outcome } from "./judge.ts";

/** One tried answer. */
export interface Trial {
  readonly damage: string;
  readonly format: Format;
  readonly tested: Case;
  readonly outcome: Outcome;
}

/** What became of many answers, by damage and format. */
export class OutcomeTable {
  readonly #trials: Trial[] = [];

  add(trial: Trial): void {
    this.#trials.push(trial);
  }

  /** The trials that fit. */
  which(fits: (trial: Trial) => boolean): readonly Trial[] {
    return this.#trials.filter(fits);
  }

  /** The trials that did not end as they had to. */
  failures(fits: (trial: Trial) => boolean = () => true): readonly Trial[] {
    return this.#trials.filter((trial) => fits(trial) && !isRight(trial.tested, trial.outcome));
  }

  toString(): string {
    const groups = Map.groupBy(this.#trials, ({ damage, format }) => `${damage}\0${format}`);
    const rows = [...groups].map(([key, trials]) => {
      const [damage = "", format = ""] = key.split("\0");
      const count = (...outcomes: readonly Outcome[]): string => {
        const those = trials.filter(({ outcome }) => outcomes.includes(outcome));
        return String(those.length);
      };
      const failed = trials.filter(({ tested, outcome }) => !isRight(tested, outcome)).length;
      return [
        damage,
        format,
        count("landed"),
        count("refused", "silent"),
        count("wrong"),
        failed > 0 ? `${failed} not as expected` : "",
      ];
    });
    const sorted = rows.sort(([one = ""], [other = ""]) => one.localeCompare(other, "en"));
    return [["damage", "format", "landed", "refused", "wrong", ""], ...sorted].map(writeRow).join("\n");
  }
}

function writeRow([damage = "", format = "", ...counts]: readonly string[]): string {
  return `${damage.padEnd(60)}${format.padEnd(14)}${counts.map((count) => count.padStart(8)).join(" ")}`.trimEnd();
}

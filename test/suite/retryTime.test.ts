import assert from "node:assert/strict";
import { retryTime } from "../../src/failures/sentences.ts";

const now = new Date(2026, 10, 21, 13, 5, 0).getTime();
const second = 1_000;
const hour = 3_600 * second;

describe("the time to try again", () => {
  const cases: readonly (readonly [string, number, string | undefined, string?])[] = [
    ["is told in seconds under a minute", 19_100, "in 20 s"],
    ["is never now", 0, "in 1 s"],
    ["has the time of day from a minute on", 60 * second, "at 1:06 PM (in 1 min)"],
    ["is told as the language does", hour, "at 14:05 (in 1 h)", "de"],
    ["is an hour, not 60 minutes", hour, "at 2:05 PM (in 1 h)"],
    ["has hours and minutes", 1.5 * hour, "at 2:35 PM (in 1 h 30 min)"],
    ["is never a minute too early", hour + 1, "at 2:06 PM (in 1 h 1 min)"],
    ["has the date on another day", 12 * hour, "on Nov 22, 1:05 AM (in 12 h)"],
    ["is told in days beyond two", 72 * hour, "on Nov 24, 1:05 PM (in 3 days)"],
    ["is not named beyond a year", 9_000 * hour, undefined],
    ["is not named without a number", NaN, undefined],
  ];
  for (const [title, wait, expected, language = "en"] of cases) {
    it(title, () => {
      assert.equal(retryTime(wait, now, language), expected);
    });
  }
});

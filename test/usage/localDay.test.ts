import assert from "node:assert/strict";
import fc from "fast-check";
import { addDays, daysIn, periodsOf, weekStartOf } from "../../src/usage/localDay.ts";
import { each } from "../support/each.ts";

const [monday, saturday, sunday] = [1, 6, 7] as const;

describe("the periods of a day", () => {
  type Days = readonly [from: string, to: string];
  each<[string, number, Days], Days>([
    ["cross the year", "2027-01-01", monday, ["2026-12-28", "2027-01-03"], ["2027-01-01", "2027-01-31"]],
    [
      "begin on Sunday, and have leap days",
      "2028-02-29",
      sunday,
      ["2028-02-27", "2028-03-04"],
      ["2028-02-01", "2028-02-29"],
    ],
  ]).hold((today, weekStart, week, month) => {
    const periods = periodsOf(today, weekStart).map(({ from, to }) => [from, to]);
    assert.deepEqual(periods, [[today, today], week, month]);
  });

  it("contain the day, in a week of seven days that starts on the right one and a month that starts on the first", () => {
    const days = fc.integer({ min: 0, max: 20_000 }).map((days) => addDays("2000-01-01", days));
    fc.assert(
      fc.property(days, fc.integer({ min: 1, max: 7 }), (today, weekStart) => {
        const [, week, month] = periodsOf(today, weekStart);
        assert.ok(week && month);
        for (const period of [week, month]) assert.ok(daysIn(period).includes(today));
        assert.equal(daysIn(week).length, 7);
        assert.equal(new Date(`${week.from}T00:00Z`).getUTCDay(), weekStart % 7);
        assert.ok(month.from.endsWith("-01") && addDays(month.to, 1).endsWith("-01"));
        assert.ok(daysIn(month).length >= 28 && daysIn(month).length <= 31);
      }),
    );
  });
});

describe("the first day of the week", () => {
  each([
    ["is Monday in Chinese", "zh-cn", "en-US", monday],
    ["is that of the system for English", "en", "en-US", sunday],
    ["is that of another English system", "en", "en-GB", monday],
    // The system's language says nothing about the habits of those who read another one.
    ["is that of another language", "de", "en-US", monday],
    ["is that of English on a system in another language", "en", "de-DE", sunday],
    ["is Saturday in Arabic", "ar", "en-US", saturday],
    ["is Monday in what is no language", "not a language", "also_none", monday],
  ]).gives(weekStartOf);
});

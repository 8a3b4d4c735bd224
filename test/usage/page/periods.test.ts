import assert from "node:assert/strict";
import fc from "fast-check";
import { dayAfter } from "../../../src/usage/localDay.ts";
import { daysOf, periodsOf, weekStartOf } from "../../../src/usage/page/periods.ts";

const [monday, saturday, sunday] = [1, 6, 7] as const;

describe("the periods of a day", () => {
  const cases = [
    ["2026-11-22", monday, ["2026-11-16", "2026-11-22"], ["2026-11-01", "2026-11-30"]],
    ["2026-11-22", sunday, ["2026-11-22", "2026-11-28"], ["2026-11-01", "2026-11-30"]],
    ["2026-11-21", saturday, ["2026-11-21", "2026-11-27"], ["2026-11-01", "2026-11-30"]],
    ["2027-01-01", monday, ["2026-12-28", "2027-01-03"], ["2027-01-01", "2027-01-31"]],
    ["2028-02-29", monday, ["2028-02-28", "2028-03-05"], ["2028-02-01", "2028-02-29"]],
    // Daylight saving begins and ends in Europe.
    ["2026-03-29", monday, ["2026-03-23", "2026-03-29"], ["2026-03-01", "2026-03-31"]],
    ["2026-10-25", monday, ["2026-10-19", "2026-10-25"], ["2026-10-01", "2026-10-31"]],
  ] as const;
  for (const [today, weekStart, week, month] of cases) {
    it(`are right on ${today} where weeks start on day ${weekStart}`, () => {
      const periods = periodsOf(today, weekStart).map(({ from, to }) => [from, to]);
      assert.deepEqual(periods, [[today, today], week, month]);
    });
  }

  it("contain the day, in a week of seven days that starts on the right one and a month that starts on the first", () => {
    const days = fc.integer({ min: 0, max: 20_000 }).map((days) => dayAfter("2000-01-01", days));
    fc.assert(
      fc.property(days, fc.integer({ min: 1, max: 7 }), (today, weekStart) => {
        const [, week, month] = periodsOf(today, weekStart);
        assert.ok(week && month);
        for (const period of [week, month]) assert.ok(daysOf(period).includes(today));
        assert.equal(daysOf(week).length, 7);
        assert.equal(new Date(`${week.from}T00:00Z`).getUTCDay(), weekStart % 7);
        assert.ok(month.from.endsWith("-01") && dayAfter(month.to, 1).endsWith("-01"));
        assert.ok(daysOf(month).length >= 28 && daysOf(month).length <= 31);
      }),
    );
  });
});

describe("the first day of the week", () => {
  const cases = [
    { language: "zh-cn", system: "en-US", start: monday },
    { language: "en", system: "en-US", start: sunday },
    { language: "en", system: "en-GB", start: monday },
    // The system's language says nothing about the habits of those who read another one.
    { language: "de", system: "en-US", start: monday },
    { language: "en", system: "de-DE", start: sunday },
    { language: "ar", system: "en-US", start: saturday },
    { language: "not a language", system: "also_none", start: monday },
  ] as const;
  for (const { language, system, start } of cases) {
    it(`is ${start} in ${language} on a system in ${system}`, () => {
      assert.equal(weekStartOf(language, system), start);
    });
  }
});

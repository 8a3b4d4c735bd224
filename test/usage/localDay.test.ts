import assert from "node:assert/strict";
import { periodsOf, weekStartOf } from "../../src/usage/localDay.ts";
import { each } from "../support/each.ts";

const [monday, saturday, sunday] = [1, 6, 7] as const;

describe("the periods of a day", () => {
  type Days = readonly [from: string, to: string];
  each<[string, number, Days], Days>([
    ["begin with it", "2026-06-01", monday, ["2026-06-01", "2026-06-07"], ["2026-06-01", "2026-06-30"]],
    ["end with it", "2027-01-31", monday, ["2027-01-25", "2027-01-31"], ["2027-01-01", "2027-01-31"]],
    ["cross the year", "2027-01-01", monday, ["2026-12-28", "2027-01-03"], ["2027-01-01", "2027-01-31"]],
    ["begin on Sunday in leap years", "2028-02-29", sunday, ["2028-02-27", "2028-03-04"], ["2028-02-01", "2028-02-29"]],
  ]).hold((today, weekStart, week, month) => {
    const periods = periodsOf(today, weekStart).map(({ from, to }) => [from, to]);
    assert.deepEqual(periods, [[today, today], week, month]);
  });
});

describe("the first day of the week", () => {
  each([
    ["is Monday in Chinese", "zh-cn", "en-US", monday],
    ["is that of the system for English", "en", "en-US", sunday],
    // The system's language says nothing about the habits of those who read another one.
    ["is that of another language", "de", "en-US", monday],
    ["is that of English on a system in another language", "en", "de-DE", sunday],
    ["is Saturday in Arabic", "ar", "en-US", saturday],
    ["is Monday in what is no language", "not a language", "also_none", monday],
  ]).gives(weekStartOf);
});

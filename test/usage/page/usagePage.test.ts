import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import fc from "fast-check";
import type { Budget } from "../../../src/settings/settings.ts";
import { budgetStates } from "../../../src/usage/budget.ts";
import { niceCeiling } from "../../../src/usage/page/dayChart.ts";
import { pageNumbers } from "../../../src/usage/page/pageTexts.ts";
import { periodsOf } from "../../../src/usage/localDay.ts";
import { summarize } from "../../../src/usage/page/summary.ts";
import { usagePage } from "../../../src/usage/page/usagePage.ts";
import { type Prices, readPrices } from "../../../src/settings/prices.ts";
import type { UsageRow } from "../../../src/usage/usageRow.ts";
import { each } from "../../support/each.ts";
import { plainL10n } from "../../support/plainL10n.ts";
import { usageRow } from "../../support/usageRow.ts";

const assetAt = (name: string): string => readFileSync(new URL(`../../../media/${name}`, import.meta.url), "utf8");
const assets = { style: assetAt("usage.css"), script: assetAt("usage.js") };
const today = "2026-11-21";
const noBudget: Budget = { dailyTokens: 0, monthlyTokens: 0, dailyCost: 0, monthlyCost: 0 };

describe("the page of the usage", () => {
  it("loads nothing, and runs only what carries the nonce", () => {
    const page = pageOf([usageRow({ requests: 1 })]);
    const policy = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(page)?.[1]?.replaceAll("&#39;", "'");
    assert.equal(policy, "default-src 'none'; style-src 'nonce-n0nce'; script-src 'nonce-n0nce'");
    assert.doesNotMatch(page, /\s(?:src|href|style|on\w+)=/);
    assert.deepEqual(page.match(/<(?:script|style)[^>]*>/g), ['<style nonce="n0nce">', '<script nonce="n0nce">']);
  });

  it("has the same elements whatever models are called, and their names only in text", () => {
    const name = fc.oneof(
      fc.constantFrom("</script><script>", '"><img src=x onerror=y>', "</td>", "${x}", "$&", "<!--", "&lt;", "\0", "'"),
      fc.string({ unit: "binary", maxLength: 30 }),
    );
    const row = (model: string): UsageRow => usageRow({ model, requests: 1, inputTokens: 5 });
    const expected = tagsOf(pageOf([row("x")]));
    const isSame = fc.property(name, (model) => {
      assert.deepEqual(tagsOf(pageOf([row(model)])), expected);
    });
    fc.assert(isSame, { seed: 16, numRuns: 100 });
  });

  it("says in a sentence what a period took, and what of it failed and is estimated, and offers to set missing prices", () => {
    const rows = [
      usageRow({ requests: 1_200, inputTokens: 30_000, outputTokens: 4_000, failures: 3, cancelled: 1 }),
      usageRow({ requests: 1, feature: "image", images: 1, estimatedInputTokens: 500 }),
    ];
    const prices = readPrices({ currency: "EUR", models: { "gpt-5.5": { input: 1, output: 10, image: 0.1 } } });
    const page = pageOf(rows, { prices });
    const panel = panelOf(page, "month");
    assert.match(panel, />1,201 requests, 30,500 tokens in, 4,000 tokens out, and 1 image\.</);
    const facts = />Cost: €0\.17\. 500 of the tokens are estimated\. Failed requests: 3\. Canceled requests: 1\.</;
    assert.match(panel, facts);
    assert.match(panel, /<td>≈ 30,500<.*≈ contains tokens/);
    assert.match(pageOf(rows), /data-action="prices"/);
    assert.doesNotMatch(page, /data-action="prices"/);
  });

  it("says how many of the tokens in were cached, only where some were, and that they count at the input price", () => {
    const row = { requests: 1, inputTokens: 1_000, outputTokens: 50, cachedInputTokens: 800 };
    const other = usageRow({ model: "gpt-5.4", requests: 1, inputTokens: 10, outputTokens: 5 });
    const prices = readPrices({ currency: "EUR", models: { "gpt-5.5": { input: 1_000, output: 0 } } });
    const panel = panelOf(pageOf([usageRow(row), other], { prices }), "week");
    assert.match(panel, />2 requests, 1,010 tokens in \(of which 800 cached\), and 55 tokens out\.</);
    assert.match(panel, /No price is set for cached tokens, so they count at the input price: gpt-5\.5\.</);
    assert.match(panel, /<th scope="col">Of which cached</);
    assert.match(panel, /<td>1,000<\/td><td>800<\/td><td>50<.*<td>10<\/td><td>0<\/td><td>5</);
    assert.match(panelOf(pageOf([usageRow(row)]), "week"), /<title>[^<]*\nTokens in: 1,000 \(of which 800 cached\)\n/);
    assert.doesNotMatch(pageOf([other], { prices }), /cached/);
  });

  it("has a labelled picture and a table of the days, with a bar only where there is something", () => {
    const rows = [
      usageRow({ day: "2026-11-20", requests: 1, inputTokens: 800, outputTokens: 200 }),
      usageRow({ requests: 1, inputTokens: 10 }),
    ];
    const panel = panelOf(pageOf(rows), "week");
    assert.match(panel, /<svg[^>]* role="img"[^>]* aria-label="Tokens by day\. Highest: 1,000 on Fri, Nov 20\."/);
    assert.equal(panel.match(/<g><title>/g)?.length, 2);
    assert.match(panel, /<g><title>Fri, Nov 20\nTokens in: 800\nTokens out: 200<\/title>/);
    const table = /<caption id="days-week">By day<[^]*?<\/table>/.exec(panel)?.[0];
    assert.equal(table?.match(/<th scope="row">/g)?.length, 2);
  });

  it("has a row for a day that has only the tokens of a request from the day before", () => {
    const rows = [usageRow({ day: "2026-11-20", requests: 1 }), usageRow({ inputTokens: 900, outputTokens: 100 })];
    const table = /<caption id="days-week">By day<[^]*?<\/table>/.exec(panelOf(pageOf(rows), "week"))?.[0];
    assert.match(table ?? "", /Sat, Nov 21<\/th><td>0<\/td><td>900<\/td><td>100</);
  });

  it("shows each budget with the period it is for", () => {
    const page = pageOf([usageRow({ requests: 1, inputTokens: 850 })], {
      budget: { ...noBudget, dailyTokens: 1_000, monthlyTokens: 10_000 },
    });
    assert.match(panelOf(page, "today"), /850 of today&#39;s budget of 1,000 tokens used \(85%\)/);
    assert.match(panelOf(page, "today"), /<rect class="near" width="85.00%"/);
    assert.match(panelOf(page, "month"), /850 of this month&#39;s budget of 10,000 tokens used \(9%\)/);
    assert.doesNotMatch(panelOf(page, "week"), /budget/);
  });

  it("is one sentence in a fresh profile, and one in a period without requests", () => {
    assert.match(pageOf([]), /No usage yet\./);
    assert.doesNotMatch(pageOf([]), /<button|<table|<figure/);
    const page = pageOf([usageRow({ day: "2025-12-24", requests: 1 })]);
    assert.match(panelOf(page, "month"), /0 requests[^]*No requests in this period\./);
  });

  it("has short shares, also of a tiny budget", () => {
    const shares = [0, 0.004, 0.5, 9.99, 349_159].map(pageNumbers("en", "").percent);
    assert.deepEqual(shares, ["0%", "0.4%", "50%", "999%", ">999%"]);
  });

  each([
    ["ends the scale of an empty chart at 1", 0, 1],
    ["ends the scale of a chart at the next round number", 7, 8],
    ["ends the scale of a chart of millions at half a million", 1_234_567, 1_500_000],
    ["ends the scale of a chart of cents at a cent", 0.025, 0.03],
  ]).gives((most) => Number(niceCeiling(most).toFixed(9)));
});

/** The page, without blanks between its elements. */
function pageOf(rows: readonly UsageRow[], more: Partial<{ prices: Prices; budget: Budget }> = {}): string {
  const { prices = readPrices({}), budget = noBudget } = more;
  const periods = periodsOf(today, 1);
  const page = {
    summaries: periods.map((period) => summarize(rows, period, prices)),
    budgets: budgetStates(rows, { today, budget, prices }),
    hasPrices: prices.models.size > 0,
    isEmpty: rows.length === 0,
  };
  const numbers = pageNumbers("en", prices.currency);
  const text = usagePage(page, { l10n: plainL10n, numbers, language: "en", nonce: "n0nce", ...assets });
  return text.replace(/>\s+/g, ">").replace(/\s+</g, "<");
}

function panelOf(page: string, name: string): string {
  const start = page.indexOf(`<section role="tabpanel" id="panel-${name}"`);
  return page.slice(start).split(/(?!^)<section role="tabpanel"|<script/)[0] ?? "";
}

/** All tags with their attributes. */
function tagsOf(page: string): readonly string[] {
  return [...page.matchAll(/<[^>]*>/g)].map(([tag]) => tag);
}

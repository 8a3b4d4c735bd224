import assert from "node:assert/strict";
import fc from "fast-check";
import { usageCsv } from "../../../src/usage/page/usageCsv.ts";
import { readPrices } from "../../../src/settings/prices.ts";
import { usageRow } from "../../support/usageRow.ts";

const noPrices = readPrices({});

describe("usage as comma-separated values", () => {
  it("has a line for each row, with the cost where there is a price", () => {
    const rows = [
      usageRow({ requests: 2, failures: 1, inputTokens: 1_000, estimatedOutputTokens: 7 }),
      usageRow({ model: "gpt-image-2", feature: "image", entry: "backup", requests: 1, images: 2 }),
    ];
    const prices = readPrices({ currency: "EUR", models: { "gpt-5.5": { input: 0.5 } } });
    assert.deepEqual(usageCsv(rows, prices).split("\r\n"), [
      "\uFEFFday,model,feature,entry,requests,failed,canceled,not_sent,input_tokens,cached_input_tokens,output_tokens,estimated_input_tokens,estimated_output_tokens,images,cost,currency",
      "2026-11-21,gpt-5.5,chat,primary,2,1,0,0,1000,0,0,0,7,0,0.0005,EUR",
      "2026-11-21,gpt-image-2,image,backup,1,0,0,0,0,0,0,0,0,2,,",
      "",
    ]);
  });

  it("has the cost of a single cached token, and of millions without digits that are not theirs", () => {
    const prices = readPrices({ currency: "USD", models: { "gpt-5.5": { input: 1.25, cachedInput: 0.125 } } });
    const costIn = (inputTokens: number, cachedInputTokens: number): string | undefined => {
      const csv = usageCsv([usageRow({ inputTokens, cachedInputTokens })], prices);
      return csv.split("\r\n")[1]?.split(",").at(-2);
    };
    const costs = [costIn(1, 1), costIn(3, 2), costIn(2_000_001e6, 2_000_000e6)];
    assert.deepEqual(costs, ["0.000000125", "0.0000015", "250001.25"]);
  });

  it("lets no spreadsheet run the name of a model, whatever it takes for a separator", () => {
    const formulas = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\0=1", "＝1", '"=1', "x;=1", "x\t-1", "x,\n|@1"];
    for (const model of formulas) assert.match(safeName(model), /'/, JSON.stringify(model));
  });

  it("keeps every other name as it is, in one cell", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 40 }), (model) => {
        const name = safeName(model);
        assert.equal(name.replaceAll("'", ""), model.replaceAll("'", ""));
        if (/^[\p{L}\p{N}/.:-]*$/u.test(model) && !/(?:^|:)-/.test(model)) assert.equal(name, model);
      }),
      { numRuns: 500 },
    );
  });
});

/** The name of a model as RFC 4180 reads it, after no cell begins like a formula with any character as the separator. */
function safeName(model: string): string {
  const csv = usageCsv([usageRow({ model })], noPrices);
  for (const separator of [",", ";", "\t", "|", ":", " "]) {
    for (const cell of csv.split(/\r\n|\r|\n/).flatMap((line) => line.split(separator))) {
      assert.doesNotMatch(cell.replace(/^[\s\p{C}"]+/u, ""), /^[=+\-@＝＋－＠]/, JSON.stringify([separator, cell]));
    }
  }
  const line = csv.slice(csv.indexOf("\r\n") + 2);
  const [, quoted, plain = ""] = /^2026-11-21,(?:"((?:[^"]|"")*)"|([^",\r\n]*)),chat,/.exec(line) ?? [];
  const name = quoted === undefined ? plain : quoted.replaceAll('""', '"');
  assert.doesNotMatch(name, /^[=+\-@\t\r]/);
  return name;
}

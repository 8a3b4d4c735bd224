import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ledger } from "../../../src/usage/ledger.ts";
import { sumOf } from "../../../src/usage/usageRow.ts";
import { writeYear, yearOfRows } from "./yearOfUsage.ts";

describe("a generated year of usage", () => {
  it("is read from the ledger as it was generated", async () => {
    const folder = mkdtempSync(join(tmpdir(), "usage-"));
    try {
      writeYear(folder, "2026-11-21");
      const ledger = new Ledger({ folder, now: Date.now });
      const { rows, away } = await ledger.read();
      assert.deepEqual(sumOf(rows), sumOf(yearOfRows("2026-11-21")));
      assert.deepEqual([rows.at(0)?.day, rows.at(-1)?.day], ["2025-11-22", "2026-11-21"]);
      assert.equal(away.length, 16);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

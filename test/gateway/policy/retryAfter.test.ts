import assert from "node:assert/strict";
import { retryAfter } from "../../../src/gateway/policy/retryAfter.ts";

describe("Retry-After", () => {
  const now = Date.UTC(2026, 0, 31, 12, 0, 0);
  const cases = [
    [{}, undefined],
    [{ "retry-after": "5" }, 5_000],
    [{ "retry-after": " 5 " }, 5_000],
    [{ "retry-after": "0" }, 0],
    [{ "retry-after": "-1" }, undefined],
    [{ "retry-after": "1.5" }, 1_500],
    [{ "retry-after": "" }, undefined],
    [{ "retry-after": "soon" }, undefined],
    [{ "retry-after": "5 s" }, undefined],
    [{ "retry-after": "1e3" }, undefined],
    [{ "retry-after": "0x10" }, undefined],
    [{ "retry-after": "Infinity" }, undefined],
    [{ "retry-after": "3600" }, 3_600_000],
    [{ "retry-after": "Sat, 31 Jan 2026 12:00:07 GMT" }, 7_000],
    [{ "retry-after": "Sat, 31 Jan 2026 11:59:59 GMT" }, 0],
    [{ "retry-after": "Sat, 99 Jan 2026 12:00:07 GMT" }, undefined],
    [{ "retry-after": "2026-01-31T12:00:07Z" }, undefined],
    [{ "retry-after": ["3", "9"] }, 3_000],
    [{ "retry-after-ms": "250" }, 250],
    [{ "retry-after-ms": "250", "retry-after": "9" }, 250],
    [{ "retry-after-ms": "-1", "retry-after": "9" }, 9_000],
    [{ "retry-after-ms": "", "retry-after": "9" }, 9_000],
  ] as const;
  for (const [headers, delay] of cases) {
    it(`${JSON.stringify(headers)} means ${delay === undefined ? "nothing" : `${delay} ms`}`, () => {
      assert.equal(retryAfter(headers, now), delay);
    });
  }
});

import assert from "node:assert/strict";
import { retryAfter } from "../../../src/gateway/wire/headers.ts";

describe("Retry-After", () => {
  const now = Date.UTC(2026, 0, 31, 12, 0, 0);
  const longest = 365 * 24 * 3_600_000;
  const cases = [
    [{}, undefined],
    [{ "retry-after": " 5 " }, 5_000],
    [{ "retry-after": "0" }, 0],
    [{ "retry-after": "1.5" }, 1_500],
    [{ "retry-after": "Sat, 31 Jan 2026 12:00:07 GMT" }, 7_000],
    [{ "retry-after": "Sat, 31 Jan 2026 11:59:59 GMT" }, 0],
    [{ "retry-after": ["3", "9"] }, 3_000],
    [{ "retry-after": "9".repeat(400) }, longest],
    [{ date: "Sat, 31 Jan 2026 13:00:00 GMT", "retry-after": "Sat, 31 Jan 2026 13:00:05 GMT" }, 5_000],
    [{ date: "Sat, 31 Jan 2026 13:00:00 GMT", "retry-after": "Sat, 31 Jan 2026 12:00:05 GMT" }, 0],
    [{ date: "yesterday", "retry-after": "Sat, 31 Jan 2026 12:00:05 GMT" }, 5_000],
    [{ "retry-after-ms": "250" }, 250],
    [{ "retry-after-ms": "250", "retry-after": "9" }, 250],
    [{ "retry-after-ms": "-1", "retry-after": "9" }, 9_000],
  ] as const;
  const nonsense = "-1 |  | 9, 3 | soon | 1e3 | 0x10 | 2026-01-31T12:00:07Z | Tue, 31 Feb 2026 12:00:07 GMT".split(
    " | ",
  );
  const none = nonsense.map((value) => [{ "retry-after": value }, undefined] as const);
  for (const [headers, delay] of [...cases, ...none]) {
    it(`${JSON.stringify(headers)} means ${delay === undefined ? "nothing" : `${delay} ms`}`, () => {
      assert.equal(retryAfter(headers, now), delay);
    });
  }

  it("is what Codex says in the error, if there is no header", () => {
    const layers = [{ message: "Limit reached" }, { resets_in_seconds: 7_200 }];
    assert.equal(retryAfter({}, now, layers), 7_200_000);
    assert.equal(retryAfter({ "retry-after": "5" }, now, layers), 5_000);
    for (const reset of [-1, 1.5, "7200", null])
      assert.equal(retryAfter({}, now, [{ resets_in_seconds: reset }]), undefined);
  });
});

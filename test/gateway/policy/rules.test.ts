import assert from "node:assert/strict";
import { GatewayError, type GatewayErrorKind } from "../../../src/gateway/errors.ts";
import { mayBeCharged, mostUsefulFailure } from "../../../src/gateway/policy/rules.ts";

describe("the failure a user reads", () => {
  const cases: readonly (readonly [readonly [GatewayErrorKind, ...GatewayErrorKind[]], GatewayErrorKind])[] = [
    [["unreachable", "timeout"], "unreachable"],
    [["unreachable", "unauthorized"], "unauthorized"],
    [["overloaded", "overloaded", "rateLimited", "forbidden"], "rateLimited"],
    [["badGateway", "unreadable"], "badGateway"],
  ];
  for (const [[first, ...more], told] of cases) {
    it(`is ${told} after ${[first, ...more].join(", ")}`, () => {
      const failures = more.map((kind) => new GatewayError(kind, ""));
      assert.equal(mostUsefulFailure([new GatewayError(first, ""), ...failures]).kind, told);
    });
  }
});

describe("an image order may have been charged", () => {
  const cases: readonly (readonly [GatewayErrorKind, "no" | "maybe", number | undefined, boolean, Error?])[] = [
    ["timeout", "maybe", undefined, true],
    ["connectionLost", "maybe", undefined, true],
    ["connectionLost", "no", undefined, false],
    ["unreachable", "no", undefined, false],
    ["badGateway", "maybe", 502, true],
    ["badGateway", "maybe", undefined, true],
    ["empty", "maybe", 200, true],
    ["unreadable", "maybe", 200, true],
    ["rejected", "maybe", undefined, true, new Error("Headers beyond all bounds.")],
    ["rejected", "maybe", undefined, false],
    ["rejected", "maybe", 400, false],
    ["serverError", "maybe", 500, false],
    ["overloaded", "maybe", 529, false],
    ["noImage", "maybe", undefined, false],
    ["overloaded", "maybe", undefined, false],
  ];
  for (const [kind, sent, status, isSo, cause] of cases) {
    it(`${isSo ? "after" : "not after"} ${kind}, sent: ${sent}, status ${status ?? "none"}${cause ? ", on this side" : ""}`, () => {
      assert.equal(mayBeCharged(new GatewayError(kind, "", { sent, status, cause })), isSo);
    });
  }
});

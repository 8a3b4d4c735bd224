import assert from "node:assert/strict";
import { GatewayError, type GatewayErrorDetails, type GatewayErrorKind } from "../../../src/gateway/errors.ts";
import { decide, type Operation } from "../../../src/gateway/policy/policy.ts";

/**
 * The table of the policy. Every attempt fails with the same cause; a cell lists the entries that are asked, P the
 * primary, B the backup, with `~` before an attempt that is preceded by a back-off. An image file has one host only.
 * A dash: this cause does not come up there.
 */
const table = `
  cause             chat     responses  image    imageFile
  offline           PB       PB         PB       P~P~P
  unreachable       PB       PB         PB       P~P~P
  proxyRefused      PB       PB         PB       P~P~P
  keyNotAllowed     PB       PB         PB       -
  connectionLost    PPBB     PPBB       P        P~P~P
  timeout           PPBB     PPBB       P        P~P~P
  unauthorized      P        P          P        P
  forbidden         P        P          P        P
  notFound          P        P          P        P
  modelNotFound     P        P          P        P
  rejected          P        P          P        P
  redirected        P        P          P        -
  rateLimited       P~P~P    P~P~P      P~P~P    P~P~P
  serverError       PPBB     PPBB       PPBB     P~P~P
  overloaded        P~PB~B   P~PB~B     P~PB~B   P~P~P
  badGateway        PB       PB         P        P~P~P
  empty             PB       PB         P        P~P~P
  unreadable        PB       PB         P        -
  interrupted       P        P          -        -
  noImage           -        -          P        -
  untrusted         P        P          P        P
  notHttps          P        P          P        P
  certificateFile   P        P          P        P
  notAnImage        -        -          -        P~P~P
  linkExpired       -        -          -        P
  linkForbidden     -        -          -        P
  tooLarge          -        -          -        P
`;

const [head = [], ...lines] = table
  .trim()
  .split("\n")
  .map((line) => line.trim().split(/\s+/));

describe("the policy", () => {
  for (const [cause = "", ...cells] of lines) {
    it(`knows what to do about ${cause}`, () => {
      for (const [index, cell] of cells.entries()) {
        const operation = head[index + 1] as Operation;
        if (cell !== "-") assert.equal(course(operation, cause as GatewayErrorKind), cell, operation);
      }
    });
  }

  const rateLimited = [
    ["as long as the gateway says, never shorter", 7_000, { action: "again", delay: 7_000 }],
    ["not at all when it says so", 0, { action: "again", delay: 0 }],
    ["up to 20 s", 20_000, { action: "again", delay: 20_000 }],
    ["not longer", 20_001, { action: "stop" }],
  ] as const;
  for (const [title, retryAfter, decision] of rateLimited) {
    it(`waits ${title}`, () => {
      assert.deepEqual(next("chat", "rateLimited", {}, { retryAfter }), decision);
      assert.deepEqual(next("image", "rateLimited", {}, { retryAfter }), decision);
    });
  }

  it("asks the other entry when an overloaded one names too long a time", () => {
    assert.deepEqual(next("chat", "overloaded", {}, { retryAfter: 60_000 }), { action: "other" });
    assert.deepEqual(next("chat", "overloaded", { hasOther: false }, { retryAfter: 60_000 }), { action: "stop" });
  });

  it("starts nothing later than 60 s after the first attempt", () => {
    assert.equal(next("chat", "serverError", { elapsed: 60_000 }).action, "again");
    assert.equal(next("chat", "serverError", { elapsed: 60_001 }).action, "stop");
    assert.equal(next("chat", "rateLimited", { elapsed: 55_000 }, { retryAfter: 5_000 }).action, "again");
    assert.equal(next("chat", "rateLimited", { elapsed: 55_000 }, { retryAfter: 5_001 }).action, "stop");
    assert.equal(next("chat", "unreachable", { elapsed: 60_000 }).action, "other");
    assert.equal(next("chat", "unreachable", { elapsed: 60_001 }).action, "stop");
  });

  it("backs off with full jitter, up to 1 s, then up to 2 s", () => {
    for (const [attemptsHere, most] of [
      [1, 1_000],
      [2, 2_000],
    ] as const) {
      for (const chance of [0, 0.25, 0.999]) {
        const decision = next("chat", "rateLimited", { attemptsHere, attempts: attemptsHere }, {}, () => chance);
        assert.deepEqual(decision, { action: "again", delay: chance * most });
      }
    }
  });
});

/** The entries asked when every attempt fails in the same way. */
function course(operation: Operation, kind: GatewayErrorKind): string {
  let asked = "P";
  let [attempts, attemptsHere, hasOther] = [1, 1, operation !== "imageFile"];
  for (;;) {
    const decision = next(operation, kind, { attempts, attemptsHere, hasOther });
    if (decision.action === "stop" || asked.length > 20) return asked;
    if (decision.action === "again") asked += (decision.delay > 0 ? "~" : "") + (asked.at(-1) ?? "");
    else asked += "B";
    attempts += 1;
    attemptsHere = decision.action === "again" ? attemptsHere + 1 : 1;
    hasOther = hasOther && decision.action === "again";
  }
}

function next(
  operation: Operation,
  kind: GatewayErrorKind,
  standing: Partial<Parameters<typeof decide>[2]> = {},
  details: GatewayErrorDetails = {},
  random = () => 0.5,
): ReturnType<typeof decide> {
  const usual = { attempts: 1, attemptsHere: 1, hasOther: true, elapsed: 0 };
  return decide(operation, new GatewayError(kind, "", details), { ...usual, ...standing }, random);
}

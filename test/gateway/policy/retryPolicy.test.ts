import assert from "node:assert/strict";
import { GatewayError, type GatewayErrorDetails, type GatewayErrorKind } from "../../../src/gateway/errors.ts";
import { decide, type OtherEntry, type OperationState } from "../../../src/gateway/policy/retryPolicy.ts";
import { mostUsefulFailure, type Operation } from "../../../src/gateway/policy/rules.ts";

/**
 * The table of the policy. Every attempt fails with the same cause; a cell lists the attempts: P at the primary, B at the
 * backup, with `~` after a backoff and `-` after a short pause. `alone`: no backup is configured; `proven`: the same, and
 * the entry has answered before. An image file has only one host. `.`: this cause does not occur there.
 */
const table = `
  cause             chat      responses  image     alone    proven   imageAlone  imageFile
  offline           PB        PB         PB        P        P        P           P~P~P
  unreachable       PB        PB         PB        P        P        P           P~P~P
  proxyRefused      PB        PB         PB        P        P        P           P~P~P
  keyNotAllowed     PB        PB         PB        P        P        P           .
  connectionLost    P-PB-B    P-PB-B     P         P-P      P-P      P           P~P~P
  timeout           P-PB-B    P-PB-B     P         P-P      P-P      P           P~P~P
  unauthorized      P         P          P         P        P        P           P
  forbidden         P         P          P         P        P        P           P
  notFound          P         P          P         P        P        P           P
  modelNotFound     P         P          P         P        P        P           P
  rejected          P         P          P         P        P        P           P
  filtered          P         P          P         P        P        P           .
  redirected        P         P          P         P        P        P           .
  rateLimited       P~P~P     P~P~P      P~P~P     P~P~P    P~P~P    P~P~P       P~P~P
  serverError       P-PB-B    P-PB-B     P-P       P-P      P-P      P-P         P~P~P
  overloaded        P~PB~B    P~PB~B     P~PB~B    P~P      P~P      P~P         P~P~P
  badGateway        PB        PB         P         P-P      P-P-P    P           P~P~P
  empty             PB        PB         P         P-P      P-P-P    P           P~P~P
  unreadable        PB        PB         P         P-P      P-P-P    P           .
  interrupted       P         P          .         P        P        .           .
  noImage           .         .          P         .        .        P           .
  untrusted         P         P          P         P        P        P           P
  notHttps          P         P          P         P        P        P           P
  certificateFile   P         P          P         P        P        P           P
  notAnImage        .         .          .         .        .        .           P~P~P
  linkExpired       .         .          .         .        .        .           P
  linkForbidden     .         .          .         .        .        .           P
  tooLarge          .         .          .         .        .        .           P
`;

const [head = [], ...lines] = table
  .trim()
  .split("\n")
  .map((line) => line.trim().split(/\s+/));

const others = ["none", "tried", "failing", "limited", "healthy"] as const;

describe("the policy", () => {
  for (const [cause = "", ...cells] of lines) {
    it(`decides about ${cause}`, () => {
      for (const [index, cell] of cells.entries()) {
        const [column, situation] = Object.entries(situations)[index] ?? [];
        assert.equal(column, head[index + 1]);
        if (cell !== "." && situation) assert.equal(course(situation, cause as GatewayErrorKind), cell, column);
      }
    });
  }

  it("shows the first failure that the user can fix, else the first", () => {
    for (const [first, second, shown] of [
      ["unreachable", "unauthorized", "unauthorized"],
      ["unreachable", "filtered", "filtered"],
      ["badGateway", "contextTooLong", "contextTooLong"],
      ["timeout", "empty", "timeout"],
    ] as const) {
      const failures = [new GatewayError(first, ""), new GatewayError(second, "")] as const;
      assert.equal(mostUsefulFailure(failures).kind, shown);
    }
  });

  it("waits for a limit of up to 20 s; for a longer one, moves to a healthy entry, except with an image", () => {
    for (const other of others) {
      for (const operation of ["chat", "responses", "image"] as const) {
        const after = (retryAfter: number) => next(operation, "rateLimited", { other }, { retryAfter });
        for (const delay of [0, 20_000]) assert.deepEqual(after(delay), { action: "retry", delay });
        const moves = other === "healthy" && operation !== "image";
        assert.deepEqual(after(20_001), { action: moves ? "failOver" : "stop", delay: 0 });
      }
    }
  });

  it("stops when both entries are limited", () => {
    const state = { attempts: 2, ofThisKind: 2, other: "tried" } as const;
    for (const details of [{}, { retryAfter: 100 }]) {
      assert.deepEqual(next("chat", "rateLimited", state, details), { action: "stop", delay: 0 });
    }
  });

  it("does not wait over 2 s beside a healthy entry", () => {
    const after = (retryAfter: number, other: OtherEntry = "healthy") =>
      next("chat", "overloaded", { other }, { retryAfter });
    assert.deepEqual(after(2_000), { action: "retry", delay: 2_000 });
    assert.deepEqual(after(2_001), { action: "failOver", delay: 0 });
    for (const other of others.slice(0, -1)) assert.deepEqual(after(20_000, other), { action: "retry", delay: 20_000 });
    assert.deepEqual(after(20_001, "none"), { action: "stop", delay: 0 });
    assert.equal(after(20_001, "failing").action, "failOver");
  });

  it("moves an overloaded image order too, and never orders three after an error 500", () => {
    assert.deepEqual(next("image", "overloaded", {}, { retryAfter: 5_000 }), { action: "failOver", delay: 0 });
    for (const state of [{ ofThisKind: 2 }, { attemptsHere: 3, limitsHere: 1 }])
      assert.equal(next("image", "serverError", { attempts: 3, ...state }).action, "stop");
  });

  it("pauses before an entry that is failing, too", () => {
    const delays = [0, 0.5, 0.999].map((chance) => next("chat", "unreachable", { other: "failing" }, {}, () => chance));
    assert.deepEqual(delays, [
      { action: "failOver", delay: 100 },
      { action: "failOver", delay: 250 },
      { action: "failOver", delay: 100 + 0.999 * 300 },
    ]);
  });

  it("asks no entry again later than 60 s after the first attempt", () => {
    const alone = { other: "none" } as const;
    assert.equal(next("chat", "serverError", { elapsed: 59_000 }).action, "retry");
    assert.equal(next("chat", "serverError", { ...alone, elapsed: 60_001 }).action, "stop");
    assert.equal(next("chat", "rateLimited", { elapsed: 55_000 }, { retryAfter: 5_000 }).action, "retry");
    assert.equal(next("chat", "rateLimited", { ...alone, elapsed: 55_000 }, { retryAfter: 5_001 }).action, "stop");
  });

  it("moves to a healthy entry at any time, and to another one within 60 s", () => {
    for (const kind of ["serverError", "badGateway", "connectionLost", "timeout", "empty", "unreachable"] as const) {
      const late = { elapsed: 600_000 };
      assert.deepEqual(next("chat", kind, late), { action: "failOver", delay: 0 }, kind);
      for (const other of ["tried", "failing", "limited"] as const) {
        assert.equal(next("chat", kind, { ...late, other }).action, "stop", kind);
      }
    }
    assert.equal(next("chat", "rateLimited", { elapsed: 70_000 }, { retryAfter: 5_000 }).action, "failOver");
    assert.equal(next("chat", "unreachable", { elapsed: 60_000, other: "failing" }).action, "failOver");
  });

  it("starts no fifth attempt", () => {
    for (const kind of ["serverError", "overloaded", "badGateway", "unreachable"] as const) {
      assert.equal(next("chat", kind, { attempts: 4 }).action, "stop");
    }
  });

  it("backs off with full jitter, up to 1 s, then up to 2 s, at least 100 ms", () => {
    for (const attemptsHere of [1, 2]) {
      for (const chance of [0, 0.25, 0.999]) {
        const state = { attemptsHere, attempts: attemptsHere, ofThisKind: attemptsHere };
        const decision = next("chat", "rateLimited", state, {}, () => chance);
        assert.deepEqual(decision, { action: "retry", delay: Math.max(100, chance * attemptsHere * 1_000) });
      }
    }
  });
});

/** The columns of the table. */
const situations = {
  chat: ["chat", "healthy", false],
  responses: ["responses", "healthy", false],
  image: ["image", "healthy", false],
  alone: ["chat", "none", false],
  proven: ["responses", "none", true],
  imageAlone: ["image", "none", true],
  imageFile: ["imageFile", "none", false],
} as const satisfies Readonly<Record<string, readonly [Operation, other: OtherEntry, isProven: boolean]>>;

/** The entries tried when every attempt fails in the same way, as in the table. */
function course(
  [operation, first, isProven]: readonly [Operation, OtherEntry, boolean],
  kind: GatewayErrorKind,
): string {
  let asked = "P";
  let [attempts, attemptsHere, other] = [1, 1, first];
  for (;;) {
    const decision = next(operation, kind, { attempts, attemptsHere, ofThisKind: attempts, other, isProven });
    if (decision.action === "stop" || asked.length > 20) return asked;
    // With a random number of 0.5, a first pause takes 250 ms and a first back-off 500 ms.
    const wait = decision.delay === 0 ? "" : decision.delay < 500 ? "-" : "~";
    asked += wait + (decision.action === "retry" ? (asked.at(-1) ?? "") : "B");
    attempts += 1;
    attemptsHere = decision.action === "retry" ? attemptsHere + 1 : 1;
    if (decision.action === "failOver") other = "tried";
  }
}

/** The policy's decision after a first failure, unless `state` differs. */
function next(
  operation: Operation,
  kind: GatewayErrorKind,
  state: Partial<OperationState> = {},
  details: GatewayErrorDetails = {},
  random = () => 0.5,
): ReturnType<typeof decide> {
  const usual = { attempts: 1, attemptsHere: 1, ofThisKind: 1, other: "healthy", isProven: false, elapsed: 0 } as const;
  return decide(operation, new GatewayError(kind, "", details), { ...usual, ...state }, random);
}

import { GatewayError, type GatewayErrorDetails, type GatewayErrorKind } from "../../src/gateway/errors.ts";
import { decide, type OtherEntry, type OperationState } from "../../src/gateway/policy/decide.ts";
import type { Operation } from "../../src/gateway/policy/rules.ts";

/**
 * Situations that the policy distinguishes. `alone`: no backup; `proven`: no backup, and the entry has answered before.
 */
export const columns = ["chat", "responses", "image", "alone", "proven", "imageAlone", "imageFile"] as const;
export type Column = (typeof columns)[number];

interface Situation {
  readonly operation: Operation;
  readonly other: OtherEntry;
  readonly isProven: boolean;
}

const situations: Readonly<Record<Column, Situation>> = {
  chat: { operation: "chat", other: "healthy", isProven: false },
  responses: { operation: "responses", other: "healthy", isProven: false },
  image: { operation: "image", other: "healthy", isProven: false },
  alone: { operation: "chat", other: "none", isProven: false },
  proven: { operation: "responses", other: "none", isProven: true },
  imageAlone: { operation: "image", other: "none", isProven: true },
  imageFile: { operation: "imageFile", other: "none", isProven: false },
};

/**
 * The entries tried when every attempt fails in the same way: P primary, B backup, `~` before an attempt after a
 * back-off, `-` before one after a short pause.
 */
export function course(column: Column, kind: GatewayErrorKind): string {
  const { operation, other: first, isProven } = situations[column];
  let asked = "P";
  let [attempts, attemptsHere, other] = [1, 1, first];
  for (;;) {
    const decision = next(operation, kind, { attempts, attemptsHere, ofThisKind: attempts, other, isProven });
    if (decision.action === "stop" || asked.length > 20) return asked;
    // With a random number of 0.5, a first pause takes 250 ms and a first back-off 500 ms.
    const wait = decision.delay === 0 ? "" : decision.delay < 500 ? "-" : "~";
    asked += wait + (decision.action === "again" ? (asked.at(-1) ?? "") : "B");
    attempts += 1;
    attemptsHere = decision.action === "again" ? attemptsHere + 1 : 1;
    if (decision.action === "other") other = "tried";
  }
}

/** The policy's decision after a first failure, unless `state` differs. */
export function next(
  operation: Operation,
  kind: GatewayErrorKind,
  state: Partial<OperationState> = {},
  details: GatewayErrorDetails = {},
  random = () => 0.5,
): ReturnType<typeof decide> {
  const usual = { attempts: 1, attemptsHere: 1, ofThisKind: 1, other: "healthy", isProven: false, elapsed: 0 } as const;
  return decide(operation, new GatewayError(kind, "", details), { ...usual, ...state }, random);
}

import assert from "node:assert/strict";
import { GatewayError, type GatewayErrorDetails } from "../../../src/gateway/errors.ts";
import { TextPlan } from "../../../src/gateway/operations/textPlan.ts";
import { Memory } from "../../../src/gateway/policy/memory.ts";
import type { ChatRequest } from "../../../src/gateway/types.ts";

const tenMinutes = 600_000;
const tools = [{ name: "add", description: "Adds.", inputSchema: { type: "object" } }];
const messages = [
  { role: "user", content: "Hi." },
  { role: "assistant", content: "Hello." },
  { role: "user", content: "Why?" },
] as const;

describe("what is remembered of refused fields", () => {
  let now = 0;
  let memory = new Memory(() => now);
  beforeEach(() => {
    now = 0;
    memory = new Memory(() => now);
  });

  const plan = (more: Partial<ChatRequest> = {}) =>
    new TextPlan(
      { model: "gpt-5.4", api: "chatCompletions", messages, ...more },
      "primary",
      { streaming: "auto", toolCalling: "auto" },
      memory,
    );

  /** The fields that the next operation omits. */
  const refused = (more?: Partial<ChatRequest>): readonly string[] => [...plan(more).next().omitted].toSorted();

  /** An operation whose first request is refused, if `refusal` is set, and whose next one is answered. */
  function ask(refusal?: GatewayErrorDetails, more?: Partial<ChatRequest>): void {
    const operation = plan(more);
    const failure = refusal && new GatewayError("rejected", "", { status: 400, ...refusal });
    if (failure) assert.equal(operation.revise(failure, 3), undefined);
    operation.learn(operation.next().omitted);
  }

  it("is what the gateway named, for ten minutes", () => {
    ask({ field: "stream" });
    now = tenMinutes - 1;
    assert.deepEqual(refused(), ["stream"]);
    now += 1;
    assert.deepEqual(refused(), []);
  });

  it("is a guess once a second request in a row confirms it, for ten minutes", () => {
    ask({});
    assert.deepEqual(refused(), []);
    now = 5;
    ask({});
    now = tenMinutes + 4;
    assert.deepEqual(refused(), ["stream", "stream_options"]);
    now += 1;
    assert.deepEqual(refused(), []);
    ask({});
    assert.deepEqual(refused(), [], "it has to be confirmed anew");
  });

  it("is no guess if a request with the field has succeeded in between", () => {
    ask({});
    ask();
    ask({});
    assert.deepEqual(refused(), []);
  });

  it("is never tools on a guess", () => {
    ask({}, { tools });
    ask({}, { tools });
    assert.deepEqual(refused(), ["stream", "stream_options"]);
  });

  it("is no guess that did not help", () => {
    ask({}, { tools });
    ask({}, { tools });
    plan({ tools }).revise(new GatewayError("rejected", "", { status: 400 }), 3);
    assert.deepEqual(refused(), []);
  });
});

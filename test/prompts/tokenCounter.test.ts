import assert from "node:assert/strict";
import type { ChatRequest } from "../../src/gateway/types.ts";
import { estimateTokens } from "../../src/prompts/estimateTokens.ts";
import { TokenCounter } from "../../src/prompts/tokenCounter.ts";

const text = "The keeper of the lighthouse counts the ships. ".repeat(200);
const model = "gpt-5.5";

/** The part of a model's input that is planned for, which leaves the estimate as much room as its test allows it to err. */
const safeShare = 0.85;

describe("the token counter", () => {
  it("starts with the estimate and a margin for its largest error, and follows reports for their model only", () => {
    const counter = new TokenCounter();
    assertNear(scaleOf(counter), 1 / safeShare);
    learn(counter, 1.2, 20);
    assertNear(scaleOf(counter), 1.2 / safeShare, 0.03);
    assertNear(scaleOf(counter, "gpt-5.4"), 1 / safeShare);
  });

  it("learns from messages, tool calls and tools alike", () => {
    const toolCalls = [{ id: "1", name: "write", input: { text } }];
    const shares: readonly Partial<ChatRequest>[] = [
      { messages: [{ role: "system", content: text }] },
      { messages: [{ role: "tool", toolCallId: "1", content: text }] },
      { messages: [{ role: "assistant", content: "", toolCalls }] },
      { messages: [], tools: [{ name: "write", description: text }] },
    ];
    for (const share of shares) {
      const counter = new TokenCounter();
      learn(counter, 1.2, 20, share);
      assertNear(scaleOf(counter), 1.2 / safeShare, 0.03);
    }
  });

  it("has room for the tokens that it counts, even after the gateway counts differently", () => {
    const counter = new TokenCounter();
    for (const factor of [1, 1.4, 0.9]) {
      learn(counter, factor, 500);
      assertNear(scaleOf(counter), factor / safeShare, 0.05);
      const estimated = estimateTokens(text);
      const counted = counter.count(model, text);
      assert.ok(counter.room(model, counted) >= estimated - 1 && counter.room(model, counted) <= estimated + 1);
    }
  });

  it("limits the effect of any report", () => {
    for (const factor of [Infinity, Number.MAX_VALUE, 1e9, 1e-9, 0, -1, NaN]) {
      const counter = new TokenCounter();
      learn(counter, factor, 500);
      const scale = scaleOf(counter) * safeShare;
      assert.ok(scale > 0.79 && scale < 1.51, `${factor}: ${scale}`);
      assert.ok(counter.room(model, 1_000) > 0);
    }
  });
});

/** Has the gateway report `factor` times the estimate of a request with the text, some times. */
function learn(counter: TokenCounter, factor: number, times: number, share: Partial<ChatRequest> = {}): void {
  const request = { model, messages: [{ role: "user", content: text } as const], ...share };
  for (let count = 0; count < times; count++) counter.learn(request, factor * estimateTokens(text));
}

function scaleOf(counter: TokenCounter, id = model): number {
  return counter.count(id, text) / estimateTokens(text);
}

function assertNear(value: number, wanted: number, tolerance = 0.001): void {
  assert.ok(Math.abs(value - wanted) <= tolerance, `${String(value)} instead of ${String(wanted)}`);
}

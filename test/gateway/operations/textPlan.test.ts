import { GatewayError } from "../../../src/gateway/errors.ts";
import { TextPlan } from "../../../src/gateway/operations/textPlan.ts";
import { Memory } from "../../../src/gateway/policy/memory.ts";
import { each } from "../../support/each.ts";

const tenMinutes = 600_000;
const tools = [{ name: "add", description: "Adds.", inputSchema: { type: "object" } }];
const messages = [
  { role: "user", content: "Hi." },
  { role: "assistant", content: "Hello." },
  { role: "user", content: "Why?" },
] as const;

describe("what is remembered of refused fields", () => {
  /** What happens: an operation is refused by name or without one, or answered; or time passes, in milliseconds. */
  type Step = "named" | "unnamed" | "answered" | number;
  const guess = ["stream", "stream_options"];

  each<[steps: readonly Step[]], readonly string[]>([
    ["is what the gateway named", ["named", tenMinutes - 1], ["stream"]],
    ["is nothing after ten minutes", ["named", tenMinutes], []],
    ["is no guess at first", ["unnamed"], []],
    ["is a guess that is confirmed, never tools", ["unnamed", 5, "unnamed", tenMinutes - 1], guess],
    ["is no guess after ten minutes", ["unnamed", 5, "unnamed", tenMinutes], []],
    ["is no guess that is not confirmed anew", ["unnamed", "unnamed", tenMinutes, "unnamed"], []],
    ["is no guess if a request with the field has succeeded in between", ["unnamed", "answered", "unnamed"], []],
    ["is no guess that does not help", ["unnamed", "unnamed", "unnamed"], []],
  ]).gives((steps) => {
    let now = 0;
    const memory = new Memory(() => now);
    const request = { model: "gpt-5.4", api: "chatCompletions", messages, tools } as const;
    const plan = () => new TextPlan(request, "primary", { streaming: "auto", toolCalling: "auto" }, memory);
    for (const step of steps) {
      const operation = plan();
      if (typeof step === "number") now += step;
      else if (step !== "answered") {
        const field = step === "named" ? "stream" : undefined;
        operation.revise(new GatewayError("rejected", "", { status: 400, field }), 3);
      }
      if (typeof step === "string") operation.learn(operation.next().omitted);
    }
    return [...plan().next().omitted].toSorted();
  });
});

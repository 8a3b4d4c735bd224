import { createGateway } from "../../../src/gateway/client.ts";
import type { GatewaySettings } from "../../../src/gateway/types.ts";
import { estimateTokens } from "../../../src/text/estimateTokens.ts";
import { Ledger } from "../../../src/usage/ledger.ts";
import { UsageRecorder, withRecorder } from "../../../src/usage/usageRecorder.ts";
import { chance, oneOf } from "../faults/chance.ts";
import { labelOf, models, type Plan, textFeatures } from "./windowPlan.ts";

/**
 * A window in a process of its own: asks the local gateway with the real client, as its plan says, and records it in the
 * ledger that it shares with others. Tells its progress, and ends when it is done.
 */
const plan = JSON.parse(process.argv[2] ?? "") as Plan;
const { folder, keys, settings: entries } = plan;
const random = chance(plan.seed);
const state = { now: 0, done: 0 };

const ledger = new Ledger({ folder, now: () => state.now, onProblem: console.error, delay: 200 });
const recorder = new UsageRecorder({
  ledger,
  now: () => state.now,
  elapsed: () => performance.now(),
  estimate: (_, text) => estimateTokens(text),
});
const settings: GatewaySettings = {
  ...entries,
  allowInsecureHttp: false,
  streaming: "auto",
  toolCalling: "auto",
  proxy: { url: "", noProxy: [], strictSsl: true, authorization: "" },
  certificateFile: "",
};
const options = withRecorder({ settings: () => settings, key: (group) => Promise.resolve(keys[group]) }, recorder);
const gateway = createGateway(options, { random: () => 0 });

const tools = [{ name: "look_up", description: "Looks a word up.", inputSchema: { type: "object", properties: {} } }];

/** One operation; failures are part of the plan. */
async function operate(day: string): Promise<void> {
  const cancel = new AbortController();
  const { signal } = cancel;
  const roll = random();
  try {
    if (roll < 0.06) {
      await gateway.generateImage({ prompt: labelOf(plan.run, day, "image"), feature: "image" }, signal);
      return;
    }
    // "review" stands for answers that are stopped, "completion" for requests that are canceled at any moment.
    const feature = roll < 0.14 ? "review" : roll < 0.2 ? "completion" : oneOf(textFeatures, random);
    const content = `${labelOf(plan.run, day, feature)} ${"word ".repeat(Math.floor(random() * 40))}`;
    const request = { model: oneOf(models, random), messages: [{ role: "user", content }], feature } as const;
    if (feature === "completion") {
      setTimeout(() => {
        cancel.abort();
      }, random() * 8);
    }
    for await (const part of gateway.ask(feature === "agent" ? { ...request, tools } : request, signal)) {
      if (feature === "review" && part.type === "text") break;
    }
  } catch {
    // Counted by the ledger, or not.
  } finally {
    state.done += 1;
    if (state.done % 20 === 0) process.send?.(state.done);
  }
}

for (const [index, { day, time, later = 0 }] of plan.phases.entries()) {
  state.now = new Date(`${day}T${time}`).getTime() + later;
  const end = Math.round((plan.operations * (index + 1)) / plan.phases.length);
  let next = Math.round((plan.operations * index) / plan.phases.length);
  const worker = async (): Promise<void> => {
    while (next++ < end) await operate(day);
  };
  await Promise.all(Array.from({ length: 8 }, worker));
}
process.send?.(state.done);
await gateway.dispose();
recorder.dispose();
ledger.dispose();
process.disconnect();

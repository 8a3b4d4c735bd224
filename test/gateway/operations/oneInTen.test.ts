import assert from "node:assert/strict";
import { GatewayError } from "../../../src/gateway/errors.ts";
import { type HttpAnswer, TransportError } from "../../../src/gateway/network/exchange.ts";
import { askModel } from "../../../src/gateway/operations/askModel.ts";
import { createSharedContext, type OperationContext } from "../../../src/gateway/operations/sharedContext.ts";
import { VirtualClock } from "../../support/completions/virtualClock.ts";
import { question } from "../../support/localClient.ts";
import { plainSettings } from "../../support/plainSettings.ts";
import { chance } from "../../support/random.ts";
import { answerOf } from "../wire/answerOf.ts";

const entries = [
  { name: "primary", baseUrl: "https://primary.example" },
  { name: "backup", baseUrl: "https://backup.example" },
] as const;
const { signal } = new AbortController();

function answer(status: number, json: object, headers = {}): HttpAnswer {
  const type = "application/json";
  return { ...answerOf([JSON.stringify(json)], type), status, headers: { "content-type": type, ...headers } };
}

const right = (): HttpAnswer => answer(200, { choices: [{ message: { content: "Blue." }, finish_reason: "stop" }] });

/** What happens to one request in ten, and the number of requests of a question that meets nothing else. */
const faults: readonly (readonly [what: string, requests: number, meet: () => HttpAnswer])[] = [
  ["gets a 429 with Retry-After: 1", 3, () => answer(429, {}, { "retry-after": "1" })],
  ["gets a 529", 4, () => answer(529, {})],
  [
    "is reset",
    4,
    () => {
      throw new TransportError("maybe", Object.assign(new Error("reset"), { code: "ECONNRESET" }));
    },
  ],
];

describe("at both entries, one request in ten", () => {
  for (const [what, requests, meet] of faults)
    it(`${what}: only questions fail all ${requests} of whose requests meet that`, async () => {
      let [asked, failed] = [0, 0];
      for (let seed = 1; seed <= 2; seed += 1) {
        const random = chance(seed);
        const clock = new VirtualClock();
        const owner = { settings: () => plainSettings, key: () => Promise.resolve("sk-x") };
        const shared = createSharedContext(owner, { clock, random }, signal);
        const ask = async (): Promise<void> => {
          let met = 0;
          const send = (): HttpAnswer => {
            if (random() >= 0.1) return right();
            met += 1;
            return meet();
          };
          const network = { send: () => Promise.try(send), drop: () => undefined } as never;
          const context: OperationContext = {
            shared: { ...shared, network },
            ...{ operation: "chat", model: "gpt-5.4", feature: undefined, attempts: "several", isUnasked: false },
            ...{ entries, keyFor: () => Promise.resolve("sk-x"), signal, observe: () => undefined },
          };
          let text = "";
          try {
            for await (const part of askModel(context, question("Which color has the sky?")))
              if (part.type === "text") text += part.text;
            assert.equal(text, "Blue.");
          } catch (error) {
            if (!(error instanceof GatewayError)) throw error;
            failed += 1;
            assert.deepEqual([error.attempts.length + 1, met], [requests, requests]);
          }
        };
        const users = Array.from({ length: 10 }, async () => {
          for (let turn = 0; turn < 100; turn += 1) {
            asked += 1;
            await ask();
            await clock.sleep(random() * 2_000, signal);
          }
        });
        await clock.moveTo(3_600_000);
        await Promise.all(users);
      }
      // As many as the chance for that says, and no more than happen once in a thousand such tests.
      const expected = asked * 0.1 ** requests;
      assert.equal(asked, 2_000);
      assert.ok(failed <= expected + 3.1 * Math.sqrt(expected) + 1, `${failed} of ${asked}`);
    }).timeout(120_000);
});

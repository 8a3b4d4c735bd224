import assert from "node:assert/strict";
import { createGateway } from "../../src/gateway/client.ts";
import type { LocalGateway } from "../support/gateway/gateway.ts";
import { failureOf, type LocalClient, partsOf, question, textIn } from "../support/localClient.ts";
import type { Fault } from "../support/gateway/types.ts";
import { withLocalClient } from "../support/withLocalClient.ts";

describe("a question with one attempt", () => {
  let local: LocalGateway;
  let client: LocalClient;
  const { signal } = new AbortController();
  withLocalClient((gateway, its) => {
    local = gateway;
    client = its;
  });

  const once = question("Why is the sky blue?", { attempts: "one" });
  const faults: readonly Fault[] = [
    ...[401, 429, 500, 502, 503, 529].map((status) => ({ status })),
    { broken: "closed" },
    { broken: "empty" },
    { broken: "cut", after: 0 },
  ];
  for (const fault of faults) {
    it(`is neither repeated nor asked elsewhere after ${JSON.stringify(fault)}`, async () => {
      local.entry("primary").always(fault);
      const error = await failureOf(partsOf(client.gateway.ask(once, signal)));
      assert.equal(error.entry, "primary");
      assert.equal(local.requests.filter(({ operation }) => operation === "chat").length, 1);
    });
  }

  it("is repeated only without a field that the gateway refuses", async () => {
    local.mode({ strict: true });
    const parts = await partsOf(client.gateway.ask(once, signal));
    assert.match(textIn(parts), /You asked/);
    assert.deepEqual(new Set(local.requests.map(({ entry }) => entry)), new Set(["primary"]));
  });

  it("tells the owner of the keys that nobody asked for it, if so", async () => {
    const told: unknown[] = [];
    const gateway = createGateway({
      settings: () => client.settings,
      key: (_group, _origin, use) => {
        told.push(use?.isUnasked);
        return Promise.resolve(client.keys.codex);
      },
    });
    await partsOf(gateway.ask({ ...once, isUnasked: true }, signal));
    await partsOf(gateway.ask(once, signal));
    await gateway.dispose();
    assert.deepEqual(told, [true, false]);
  });
});

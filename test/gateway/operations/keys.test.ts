import assert from "node:assert/strict";
import { GatewayError } from "../../../src/gateway/errors.ts";
import type { EntryName, Gateway, GatewayOptions } from "../../../src/gateway/types.ts";
import { failureOf, partsOf, question, withLocalClient } from "../../support/localClient.ts";

describe("the key for an entry", () => {
  const setup = withLocalClient();
  const never = new AbortController().signal;
  const operations = {
    chat: (gateway: Gateway, signal = never) => partsOf(gateway.ask(question("Why is the sky blue?"), signal)),
    image: (gateway: Gateway, signal = never) => gateway.generateImage({ prompt: "a red fox" }, signal),
  };
  const asked = (): readonly string[] => setup.local.requests.map(({ entry }) => entry);
  const originOf = (entry: EntryName): string => new URL(setup.local[entry].url).origin;
  const use = (key: GatewayOptions["key"]): Gateway => {
    const { client, local } = setup;
    Object.assign(client, { key });
    client.settings = { ...client.settings, baseUrl: `${local.primary.url}/v1/` };
    return client.gateway;
  };

  /** A client whose keys are allowed for these entries only. */
  function allow(...allowed: readonly EntryName[]): Gateway {
    const origins = allowed.map(originOf);
    return use((group, origin) => {
      if (origins.includes(origin)) return Promise.resolve(setup.local.keys[group]);
      const refusal = { by: "user", origin } as const;
      return Promise.reject(new GatewayError("keyNotAllowed", "Not there.", { group, refusal }));
    });
  }

  for (const [name, ask] of Object.entries(operations)) {
    it(`that is not allowed for the primary lets the backup answer: ${name}`, async () => {
      const gateway = allow("backup");
      for (let turn = 0; turn < 2; turn += 1) await ask(gateway);
      const reported = setup.client.told("attempt").map(({ entry }) => entry);
      assert.deepEqual([asked(), reported], Array(2).fill(["backup", "backup"]));
      assert.ok(setup.client.told("health").every(({ health }) => health.every(({ isHealthy }) => isHealthy)));
    });

    it(`is read for the primary only while that answers: ${name}`, async () => {
      const origins: string[] = [];
      const gateway = use((group, origin) => {
        origins.push(origin);
        return Promise.resolve(setup.local.keys[group]);
      });
      await ask(gateway);
      assert.deepEqual(origins, [originOf("primary")]);
    });

    it(`that is allowed nowhere sends nothing, and the error names the origin: ${name}`, async () => {
      const { kind, entry, refusal, attempts } = await failureOf(ask(allow()));
      assert.deepEqual([kind, entry], ["keyNotAllowed", "primary"]);
      assert.deepEqual(refusal, { by: "user", origin: originOf("primary") });
      assert.deepEqual(attempts[0]?.refusal, { by: "user", origin: originOf("backup") });
      assert.deepEqual([asked(), setup.client.told("attempt")], [[], []]);
    });

    it(`ends the operation with any other error of its owner: ${name}`, async () => {
      const cause = new Error("The keyring is locked.");
      const gateway = use(() => Promise.reject(cause));
      await assert.rejects(Promise.resolve(ask(gateway)), (error) => error === cause);
      assert.deepEqual(asked(), []);
    });

    it(`is not waited for once the operation is cancelled: ${name}`, async () => {
      const cancel = new AbortController();
      const reason = new Error("Stop.");
      const gateway = use(() => {
        setImmediate(() => {
          cancel.abort(reason);
        });
        return new Promise(() => undefined);
      });
      await assert.rejects(Promise.resolve(ask(gateway, cancel.signal)), (error) => error === reason);
      assert.deepEqual(asked(), []);
    });
  }

  it("that is not allowed for an entry is reported by the connection test, which sends nothing there", async () => {
    const found = await allow("backup").probe("gpt-5.4-mini", never);
    const told = found.map(
      ({ entry, failure }) => `${entry} ${failure instanceof GatewayError ? failure.kind : "answers"}`,
    );
    assert.deepEqual(told, ["primary keyNotAllowed", "primary keyNotAllowed", "backup answers", "backup answers"]);
    assert.deepEqual(asked(), ["backup", "backup"]);
  });
});

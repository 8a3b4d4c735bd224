import assert from "node:assert/strict";
import { createGateway } from "../../../src/gateway/client.ts";
import { GatewayError } from "../../../src/gateway/errors.ts";
import type { AttemptReport, EntryHealth, EntryName, Gateway, GatewayOptions } from "../../../src/gateway/types.ts";
import type { LocalGateway } from "../../support/gateway/gateway.ts";
import { failureOf, partsOf, question } from "../../support/localClient.ts";
import { plainSettings } from "../../support/plainSettings.ts";
import { withLocalClient } from "../../support/withLocalClient.ts";

describe("the key for an entry", () => {
  let local: LocalGateway;
  let signal: AbortSignal;
  const operations = {
    chat: (gateway: Gateway) => partsOf(gateway.ask(question("Why is the sky blue?"), signal)),
    responses: (gateway: Gateway) =>
      partsOf(gateway.ask(question("Why is the sky blue?", { api: "responses" }), signal)),
    image: (gateway: Gateway) => gateway.generateImage({ prompt: "a red fox" }, signal),
  };
  const reports: AttemptReport[] = [];
  const health: EntryHealth[] = [];
  const asked = (): readonly string[] => local.requests.map(({ entry }) => entry);
  const originOf = (entry: EntryName): string => new URL(local[entry].url).origin;

  function client(key: GatewayOptions["key"]): Gateway {
    return createGateway({
      settings: () => ({ ...plainSettings, baseUrl: `${local.primary.url}/v1/`, backupBaseUrl: local.backup.url }),
      key,
      onAttempt: (report) => reports.push(report),
      onHealth: (news) => health.push(...news),
    });
  }

  /** A client whose keys may go to these entries only. */
  function clientFor(...allowed: readonly EntryName[]): Gateway {
    const origins = allowed.map(originOf);
    return client((group, origin) => {
      if (origins.includes(origin)) return Promise.resolve(local.keys[group]);
      const refusal = { by: "user", origin } as const;
      return Promise.reject(new GatewayError("keyNotAllowed", "Not there.", { group, refusal }));
    });
  }

  withLocalClient((gateway) => {
    local = gateway;
    ({ signal } = new AbortController());
    reports.length = 0;
    health.length = 0;
  });

  for (const [name, ask] of Object.entries(operations)) {
    it(`that may not go to the primary leaves the backup to answer: ${name}`, async () => {
      const gateway = clientFor("backup");
      await ask(gateway);
      await ask(gateway);
      assert.deepEqual(asked(), ["backup", "backup"]);
      assert.deepEqual(
        reports.map(({ entry }) => entry),
        ["backup", "backup"],
      );
      assert.ok(health.every(({ isHealthy }) => isHealthy));
      await gateway.dispose();
    });

    it(`that may not go to the backup is not asked for while the primary answers: ${name}`, async () => {
      const origins: string[] = [];
      const gateway = client((group, origin) => {
        origins.push(origin);
        return Promise.resolve(local.keys[group]);
      });
      await ask(gateway);
      assert.deepEqual(origins, [originOf("primary")]);
      await gateway.dispose();
    });

    it(`that may go nowhere sends nothing, and says where it may not go: ${name}`, async () => {
      const gateway = clientFor();
      const { kind, entry, refusal, attempts } = await failureOf(ask(gateway));
      assert.deepEqual([kind, entry], ["keyNotAllowed", "primary"]);
      assert.deepEqual(refusal, { by: "user", origin: originOf("primary") });
      assert.deepEqual(attempts[0]?.refusal, { by: "user", origin: originOf("backup") });
      assert.deepEqual([asked(), reports], [[], []]);
      await gateway.dispose();
    });

    it(`ends the operation as it fails where it fails otherwise: ${name}`, async () => {
      const cause = new Error("The keyring is locked.");
      const gateway = client(() => Promise.reject(cause));
      await assert.rejects(Promise.resolve(ask(gateway)), (error) => error === cause);
      assert.deepEqual(asked(), []);
      await gateway.dispose();
    });

    it(`is not waited for once the operation is cancelled: ${name}`, async () => {
      const cancel = new AbortController();
      const isAsked = Promise.withResolvers<undefined>();
      const gateway = client(() => {
        isAsked.resolve(undefined);
        return new Promise(() => undefined);
      });
      signal = cancel.signal;
      const answer = ask(gateway);
      await isAsked.promise;
      const reason = new Error("Stop.");
      cancel.abort(reason);
      await assert.rejects(Promise.resolve(answer), (error) => error === reason);
      assert.deepEqual(asked(), []);
      await gateway.dispose();
    });
  }

  it("that may not go to an entry is told by the test of the connection, and nothing goes there", async () => {
    const gateway = clientFor("backup");
    const found = await gateway.probe("gpt-5.4-mini", signal);
    assert.deepEqual(
      found.map(({ entry, failure }) => [entry, failure?.kind]),
      [
        ["primary", "keyNotAllowed"],
        ["primary", "keyNotAllowed"],
        ["backup", undefined],
        ["backup", undefined],
      ],
    );
    assert.deepEqual(asked(), ["backup", "backup"]);
    await gateway.dispose();
  });
});

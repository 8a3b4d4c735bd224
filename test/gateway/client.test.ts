import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setImmediate } from "node:timers/promises";
import manifest from "../../package.json" with { type: "json" };
import { createGateway } from "../../src/gateway/client.ts";
import type { GatewayErrorKind } from "../../src/gateway/errors.ts";
import { userAgent } from "../../src/gateway/network/network.ts";
import type {
  AnswerPart,
  ChatRequest,
  EntryHealth,
  Gateway,
  GatewaySettings,
  KeyGroup,
  TextApi,
} from "../../src/gateway/types.ts";
import type { LocalGateway } from "../support/gateway/gateway.ts";
import type { Fault } from "../support/gateway/types.ts";
import { failureOf, type LocalClient, partsOf, question, textIn } from "../support/localClient.ts";
import { withLocalClient } from "../support/withLocalClient.ts";

const fox = { prompt: "a red fox" };

describe("the client", () => {
  let local: LocalGateway;
  let client: LocalClient;
  let signal: AbortSignal;
  const answerOf = (api: TextApi, request: ChatRequest) => partsOf(client.gateway.ask({ ...request, api }, signal));
  const operations = {
    chatCompletions: () => answerOf("chatCompletions", question("Why is the sky blue?")),
    responses: () => answerOf("responses", question("Why is the sky blue?")),
  };
  const order = () => client.gateway.generateImage(fox, signal);
  const all = { ...operations, image: order };
  const asked = () => local.requests.map(({ entry }) => entry[0]?.toUpperCase()).join("");

  withLocalClient((gateway, its) => {
    local = gateway;
    client = its;
  });
  beforeEach(() => {
    ({ signal } = new AbortController());
  });

  for (const api of ["chatCompletions", "responses"] as const) {
    const ask = operations[api];
    describe(api, () => {
      for (const ignoresStream of [false, true]) {
        it(`tells an answer in order, ${ignoresStream ? "whole" : "in pieces"}`, async () => {
          local.mode({ ignoresStream, reasoning: true, chunkDelay: 1 });
          const parts = await ask();
          const [start, ...rest] = parts;
          const { requestId } = local.requests[0] ?? {};
          assert.deepEqual(start, { type: "start", entry: "primary", requestId, dropped: [] });
          assert.deepEqual([...new Set(rest.map(({ type }) => type))], ["reasoning", "text", "usage", "finish"]);
          assert.match(textIn(parts), /^You asked:[^]*Answered by gpt-5\.4\.\*$/);
          assert.equal(rest.filter(({ type }) => type === "text").length > 1, !ignoresStream);
          assert.deepEqual(rest.at(-1), { type: "finish", reason: "stop" });
        });
      }

      it("tells who answered and how many tokens it took, as the parts are read", async () => {
        const parts: AnswerPart[] = [];
        const told: AnswerPart["type"][] = [];
        for await (const part of client.gateway.ask(question("Why?", { api }), signal)) {
          if (client.answers.length + client.usages.length > told.length) told.push(part.type);
          parts.push(part);
        }
        assert.deepEqual(client.answers, [{ entry: "primary", what: "text" }]);
        assert.deepEqual(
          client.usages,
          parts.filter(({ type }) => type === "usage"),
        );
        assert.deepEqual(told, ["start", "usage"]);
      });

      it("tells which question the tokens were counted for, without tools that the entry refuses", async () => {
        const asked = question("Why?", { api, tools: [{ name: "look_up", description: "Looks a word up." }] });
        await partsOf(client.gateway.ask(asked, signal));
        local.mode({ strict: true });
        await partsOf(client.gateway.ask(asked, signal));
        assert.deepEqual(client.counted, [asked, { ...asked, tools: [] }]);
      });

      it("tells nothing of an answer that did not come", async () => {
        for (const entry of ["primary", "backup"] as const) local.entry(entry).always({ status: 400 });
        await failureOf(ask());
        assert.deepEqual([client.answers, client.usages], [[], []]);
      });

      it("names the model in an error, through every attempt", async () => {
        local.entry("primary").always({ status: 500 });
        local.entry("backup").always({ status: 404, code: "model_not_found" });
        const failure = await failureOf(ask());
        assert.deepEqual(
          [failure, ...failure.attempts].map(({ model }) => model),
          Array(failure.attempts.length + 1).fill("gpt-5.4"),
        );
      });

      it("counts as a success when its reader leaves with the last part", async () => {
        for (const ignoresStream of [false, true]) {
          local.mode({ ignoresStream });
          const health: (readonly EntryHealth[])[] = [];
          const failures: unknown[] = [];
          const gateway = createGateway({
            settings: () => client.settings,
            key: (group) => Promise.resolve(client.keys[group]),
            onAttempt: ({ failure }) => failures.push(failure),
            onHealth: (now) => health.push(now),
          });
          for await (const { type } of gateway.ask({ ...question("Why?"), api }, signal)) if (type === "finish") break;
          assert.deepEqual(failures, [undefined]);
          assert.equal(typeof health.at(-1)?.[0]?.lastLatency, "number");
          await gateway.dispose();
        }
      });
    });
  }

  describe("images", () => {
    it("come as links to files whose exact bytes can be fetched without a key", async () => {
      const { images, usage, entry } = await client.gateway.generateImage({ ...fox, size: "1024x1024" }, signal);
      const [image] = images;
      assert.ok(image && "url" in image && usage);
      assert.equal(entry, "primary");
      const { bytes, type } = await client.gateway.downloadImage(image.url, signal);
      assert.equal(type, "png");
      assert.ok(Buffer.from(await (await fetch(image.url)).arrayBuffer()).equals(bytes));
      assert.ok(local.downloads.every(({ headers }) => headers.authorization === undefined));
    }).timeout(10_000);

    it("are told with the entry that delivered them and the tokens they took, as answers are", async () => {
      await local.stopEntry("primary");
      const { usage } = await order();
      await local.startEntry("primary");
      assert.deepEqual(client.answers, [{ entry: "backup", what: "image" }]);
      assert.deepEqual(client.usages, [usage]);
    });
  });

  it("says who asks: the name and the version of the package", () => {
    assert.equal(userAgent, `${manifest.name}/${manifest.version}`);
  });

  describe("refuses before anything is sent", () => {
    const broken: readonly (readonly [string, Partial<GatewaySettings>, GatewayErrorKind])[] = [
      ["without a base URL", { baseUrl: " " }, "noEntry"],
      ["with a base URL that is none", { baseUrl: "gateway.example" }, "badUrl"],
      ["with a backup that would send the key in the clear", { backupBaseUrl: "http://gateway.example" }, "badUrl"],
    ];
    for (const [title, settings, kind] of broken) {
      it(title, async () => {
        client.settings = { ...client.settings, ...settings };
        for (const ask of Object.values(all)) assert.equal((await failureOf(ask())).kind, kind);
        assert.equal(asked(), "");
      });
    }

    for (const keys of [{}, { codex: "", image: "  " }]) {
      it(`with the keys ${JSON.stringify(keys)}, naming the group`, async () => {
        client.keys = keys;
        for (const [name, ask] of Object.entries(all)) {
          const { kind, group } = await failureOf(ask());
          assert.deepEqual([kind, group], ["noKey", name === "image" ? "image" : "codex"]);
        }
        assert.equal(asked(), "");
      });
    }
  });

  it("takes a key as it was pasted, with spaces and a line break around it", async () => {
    client.keys = { codex: ` ${local.keys.codex}\n` };
    await operations.chatCompletions();
    assert.equal(asked(), "P");
  });

  it("forgets what it learned under other settings at the next operation, not within a download", async () => {
    let changes = 0;
    let settings = client.settings;
    const gateway = createGateway({
      settings: () => settings,
      key: (group) => Promise.resolve(local.keys[group]),
      onHealth: () => (changes += 1),
    });
    const [image] = (await gateway.generateImage(fox, signal)).images;
    assert.ok(image && "url" in image);
    local.imageHost.mode({ redirects: 3, delay: 20 });
    const [known, fetched] = [changes, local.downloads.length];
    const download = gateway.downloadImage(image.url, signal);
    while (local.downloads.length === fetched) await setImmediate();
    settings = { ...settings, streaming: "off" };
    await download;
    assert.deepEqual([changes, local.downloads.length - fetched], [known, 4]);
    await gateway.downloadImage(image.url, signal);
    assert.equal(changes, known + 1);
    await gateway.dispose();
  }).timeout(10_000);

  for (const asksBetween of [false, true]) {
    const when = asksBetween ? "after the first question" : "before the first question";
    it(`holds the failure of an entry against nobody once the settings name another one, ${when} to that`, async () => {
      const held: ServerResponse[] = [];
      const former = createServer((_, response) => held.push(response)).listen(0, "127.0.0.1");
      await using cleanup = new AsyncDisposableStack();
      cleanup.defer(() => {
        former.close();
      });
      await once(former, "listening");
      const { port } = former.address() as AddressInfo;
      let settings: GatewaySettings = { ...client.settings, baseUrl: `http://127.0.0.1:${port}` };
      const health: (readonly EntryHealth[])[] = [];
      const gateway = createGateway({
        settings: () => settings,
        key: (group) => Promise.resolve(local.keys[group]),
        onHealth: (now) => health.push(now),
      });
      cleanup.defer(() => gateway.dispose());
      const ask = (): Promise<readonly AnswerPart[]> =>
        partsOf(gateway.ask(question("Why?", { attempts: "one" }), signal));
      const lost = failureOf(ask());
      while (held.length === 0) await setImmediate();
      settings = client.settings;
      if (asksBetween) await ask();
      held[0]?.writeHead(500).end();
      assert.equal((await lost).kind, "serverError");
      assert.deepEqual(
        health.flat().filter(({ isHealthy, failingSince }) => !isHealthy || failingSince !== undefined),
        [],
      );
      await ask();
      assert.equal(asked(), asksBetween ? "PP" : "P");
    });
  }

  describe("a question with one attempt", () => {
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

    describe("whose key has expired", () => {
      let gateway: Gateway;
      afterEach(() => gateway.dispose());

      /** A client whose owner has these keys, one after the other: the next one once the one before is refused. */
      const renewing = (group: KeyGroup, keys: readonly string[]) => {
        const asked: (string | undefined)[] = [];
        const left = [...keys];
        gateway = createGateway(
          {
            settings: () => client.settings,
            key: (_group, _origin, { refused } = {}) => {
              asked.push(refused);
              if (refused !== undefined && refused === left[0] && left.length > 1) left.shift();
              return Promise.resolve(left[0]);
            },
          },
          { random: () => 0 },
        );
        const ask = (): Promise<unknown> =>
          group === "image"
            ? gateway.generateImage(fox, signal)
            : partsOf(gateway.ask(question("Why?", { attempts: "one" }), signal));
        return { ask, asked };
      };

      for (const group of ["codex", "image"] as const) {
        it(`asks for another one at once, and repeats the request with it: ${group}`, async () => {
          const { ask, asked: refused } = renewing(group, ["sk-expired", local.keys[group]]);
          await ask();
          assert.equal(asked(), "PP");
          assert.deepEqual(refused, [undefined, "sk-expired", undefined]);
          await ask();
          assert.equal(asked(), "PPP");
        });

        it(`asks for another one only once: ${group}`, async () => {
          const { ask, asked: refused } = renewing(group, ["sk-expired", "sk-wrong", local.keys[group]]);
          assert.equal((await failureOf(ask())).kind, "unauthorized");
          assert.equal(asked(), "PP");
          assert.deepEqual(refused, [undefined, "sk-expired", undefined]);
        });

        it(`repeats nothing where there is no other one: ${group}`, async () => {
          const { ask } = renewing(group, ["sk-expired"]);
          assert.equal((await failureOf(ask())).kind, "unauthorized");
          assert.equal(asked(), "P");
        });
      }
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
      assert.deepEqual(told, [true, undefined]);
    });
  });
});

import assert from "node:assert/strict";
import { setImmediate } from "node:timers/promises";
import { inspect } from "node:util";
import manifest from "../../package.json" with { type: "json" };
import type { GatewayErrorKind } from "../../src/gateway/errors.ts";
import { userAgent } from "../../src/gateway/network/network.ts";
import type { AnswerPart, ChatRequest, GatewaySettings } from "../../src/gateway/types.ts";
import { holding, sendJson } from "./support/faults.ts";
import { FaultServer } from "./support/faultServer.ts";
import { each } from "../support/each.ts";
import { failureOf, partsOf, question, textIn, tools, withLocalClient } from "../support/localClient.ts";

const fox = { prompt: "a red fox" };

describe("the client", () => {
  const setup = withLocalClient();
  const { signal } = new AbortController();
  const ask = (more: Partial<ChatRequest> = {}) => partsOf(setup.client.gateway.ask(question("Why?", more), signal));
  const order = () => setup.client.gateway.generateImage(fox, signal);
  const all = {
    chatCompletions: () => ask({ api: "chatCompletions" }),
    responses: () => ask({ api: "responses" }),
    image: order,
  };
  const asked = () => setup.local.requests.map(({ entry }) => entry[0]?.toUpperCase()).join("");

  for (const api of ["chatCompletions", "responses"] as const) {
    it(`yields an answer in pieces, and reports its entry and its usage as the parts are read: ${api}`, async () => {
      const { local, client } = setup;
      local.mode({ chunkDelay: 1 });
      const parts: AnswerPart[] = [];
      let reportedAt: AnswerPart["type"] | undefined;
      for await (const part of client.gateway.ask(question("Why?", { api }), signal)) {
        if (client.told("answer").length > 0) reportedAt ??= part.type;
        parts.push(part);
      }
      const [start, ...rest] = parts;
      const { requestId } = local.requests[0] ?? {};
      assert.deepEqual(start, { type: "start", entry: "primary", requestId, dropped: [] });
      assert.match(rest.map(({ type }) => type).join(), /^text(,text)+,usage,finish$/);
      assert.match(textIn(parts), /^You asked:[^]*Answered by gpt-5\.4\.\*$/);
      assert.deepEqual(rest.at(-1), { type: "finish", reason: "stop" });
      assert.deepEqual(client.told("answer"), [{ type: "answer", entry: "primary", what: "text" }]);
      const usages = client.usages.map((usage) => ({ type: "usage", ...usage }));
      assert.deepEqual(usages, rest.slice(-2, -1));
      assert.equal(reportedAt, "start");
    });
  }

  it("reports the question without tools that the entry refuses, and the omitted fields", async () => {
    await ask({ tools });
    setup.local.mode({ strict: true });
    await ask({ tools });
    const sent = question("Why?", { tools });
    const { client } = setup;
    const counted = client.told("use").filter(({ usage }) => usage);
    assert.deepEqual(
      counted.map((use) => use.sent),
      [sent, { ...sent, tools: [] }],
    );
    const [omitted, ...more] = client.told("omitted");
    assert.deepEqual([omitted?.model, more], ["gpt-5.4", []]);
    assert.ok(omitted?.fields.includes("tools") && omitted.fields.includes("stream"));
  });

  it("names the model in an error, through every attempt", async () => {
    setup.local.entry("primary").always({ status: 500 });
    setup.local.entry("backup").always({ status: 404, code: "model_not_found" });
    const failure = await failureOf(ask());
    assert.ok(failure.attempts.length > 0);
    for (const { model } of [failure, ...failure.attempts]) assert.equal(model, "gpt-5.4");
  });

  it("tells no key that a gateway quotes in the ID of a request, or as the reason of its end", async () => {
    const { client, local } = setup;
    const { codex: key } = local.keys;
    const headers = { "x-request-id": `req_${key}`, "content-type": "text/event-stream" };
    const choice = { delta: { content: "Hi" }, finish_reason: key };
    const body = `data: ${JSON.stringify({ choices: [choice] })}\n\ndata: [DONE]\n\n`;
    local.entry("primary").next(1, { status: 200, headers, body });
    const parts = await ask();
    local.entry("primary").next(1, { status: 403, headers });
    const failure = await failureOf(ask());
    assert.equal(parts[0]?.type, "start");
    assert.doesNotMatch(inspect([parts, failure, client.events], { depth: null }), /codex-demo/);
    assert.match(client.told("attempt")[0]?.unknownReason ?? "", /…|\[/);
  });

  it("counts as a success when its consumer stops after the last part", async () => {
    const { client } = setup;
    for await (const { type } of client.gateway.ask(question("Why?"), signal)) if (type === "finish") break;
    const failures = client.told("attempt").map(({ failure }) => failure);
    assert.deepEqual(failures, [undefined]);
    assert.equal(typeof client.told("health").at(-1)?.health[0]?.lastLatency, "number");
  });

  it("sends the name and the version of the package as its user agent", () => {
    assert.equal(userAgent, `${manifest.name}/${manifest.version}`);
  });

  it("passes on what a gateway says in place of an image", async () => {
    setup.local.entry("primary").always({ status: 200, body: '{"code":1001,"message":"余额不足","data":null}' });
    const { kind, gatewayMessage } = await failureOf(order());
    assert.deepEqual([kind, gatewayMessage], ["noImage", "余额不足"]);
  });

  it("reports an image with its entry and its usage, as answers are", async () => {
    await setup.local.stopEntry("primary");
    const { usage } = await order();
    assert.deepEqual(setup.client.told("answer"), [{ type: "answer", entry: "backup", what: "image" }]);
    assert.deepEqual(setup.client.usages, [usage]);
  });

  describe("refuses before anything is sent", () => {
    each<[settings: Partial<GatewaySettings>], GatewayErrorKind>([
      ["without a base URL", { baseUrl: " " }, "noEntry"],
      ["with a base URL that is none", { baseUrl: "gateway.example" }, "badUrl"],
      ["with a backup that would send the key in the clear", { backupBaseUrl: "http://gateway.example" }, "badUrl"],
    ]).hold(async (settings, kind) => {
      setup.client.settings = { ...setup.client.settings, ...settings };
      for (const ask of Object.values(all)) assert.equal((await failureOf(ask())).kind, kind);
      assert.equal(asked(), "");
    });

    for (const keys of [{}, { codex: "", image: "  " }]) {
      it(`with the keys ${JSON.stringify(keys)}, naming the group`, async () => {
        setup.client.keys = keys;
        for (const [name, ask] of Object.entries(all)) {
          const { kind, group } = await failureOf(ask());
          assert.deepEqual([kind, group], ["noKey", name === "image" ? "image" : "codex"]);
        }
        assert.equal(asked(), "");
      });
    }
  });

  it("trims a key", async () => {
    setup.client.keys = { codex: ` ${setup.local.keys.codex}\n` };
    await ask();
    assert.equal(asked(), "P");
  });

  it("does not count the failure of an entry once the settings name another one", async () => {
    const { client } = setup;
    const { fault, release } = holding(sendJson(500, {}));
    await using former = await FaultServer.start(fault);
    const { settings } = client;
    client.settings = { ...settings, baseUrl: former.url };
    const lost = failureOf(ask({ attempts: "one" }));
    while (former.posts === 0) await setImmediate();
    client.settings = settings;
    release();
    assert.equal((await lost).kind, "serverError");
    const health = client.told("health").flatMap((event) => event.health);
    const failing = health.filter((one) => !one.isHealthy || one.failingSince !== undefined);
    assert.deepEqual(failing, []);
    await ask({ attempts: "one" });
    assert.equal(asked(), "P");
  });

  describe("a question with one attempt", () => {
    it("is neither repeated nor asked elsewhere", async () => {
      for (const fault of [{ status: 429 }, { status: 502 }, { broken: "closed" }] as const) {
        setup.local.entry("primary").next(1, fault);
        assert.equal((await failureOf(ask({ attempts: "one" }))).entry, "primary");
      }
      assert.equal(asked(), "PPP");
    });

    it("is repeated only without a field that the gateway refuses", async () => {
      setup.local.mode({ strict: true });
      assert.match(textIn(await ask({ attempts: "one" })), /You asked/);
      assert.match(asked(), /^PP+$/);
    });
  });

  describe("a key that has expired", () => {
    /** Returns these keys, the next one once the previous one is refused. The result lists the refused ones. */
    const renew = (...keys: readonly string[]): readonly unknown[] => {
      const refused: unknown[] = [];
      const left = [...keys];
      setup.client.key = (_group, _origin, use) => {
        refused.push(use?.refused);
        if (use?.refused !== undefined && use.refused === left[0] && left.length > 1) left.shift();
        return Promise.resolve(left[0]);
      };
      return refused;
    };

    for (const group of ["codex", "image"] as const) {
      const once = (): Promise<unknown> => (group === "image" ? order() : ask({ attempts: "one" }));

      it(`is replaced at once, and the request repeated: ${group}`, async () => {
        const refused = renew("sk-expired", setup.local.keys[group]);
        await once();
        assert.deepEqual([asked(), refused], ["PP", [undefined, "sk-expired"]]);
        await once();
        assert.equal(asked(), "PPP");
      });

      it(`is replaced only once, and the request not repeated without another one: ${group}`, async () => {
        const refused = renew("sk-expired", "sk-wrong", setup.local.keys[group]);
        assert.equal((await failureOf(once())).kind, "unauthorized");
        assert.deepEqual([asked(), refused], ["PP", [undefined, "sk-expired"]]);
        renew("sk-expired");
        assert.equal((await failureOf(once())).kind, "unauthorized");
        assert.equal(asked(), "PPP");
      });
    }

    it("is replaced by the key returned for the refused one, even if the owner keeps returning the old one", async () => {
      setup.client.key = (_group, _origin, use) =>
        Promise.resolve(use?.refused === undefined ? "sk-expired" : setup.local.keys.codex);
      await ask();
      assert.equal(asked(), "PP");
    });
  });

  it("tells the owner of the keys whether a request runs in the background", async () => {
    const reported: unknown[] = [];
    setup.client.key = (_group, _origin, use) => {
      reported.push(use?.isAutomatic);
      return Promise.resolve(setup.local.keys.codex);
    };
    await ask({ isAutomatic: true });
    await ask();
    assert.deepEqual(reported, [true, undefined]);
  });
});

import fc from "fast-check";
import assert from "node:assert/strict";
import { configuredEntries } from "../../src/gateway/baseUrl.ts";
import { GatewayError } from "../../src/gateway/errors.ts";
import { proxyFor } from "../../src/gateway/network/proxy.ts";
import { settingDefaults } from "../../src/manifest.ts";
import { originsOf } from "../../src/settings/connection.ts";
import { mergeModels } from "../../src/settings/models.ts";
import { gatewaySettings, readSettings, type Settings } from "../../src/settings/settings.ts";
import { processorTime } from "../support/assertLinear.ts";

const unseen = /[\p{C}\p{Default_Ignorable_Code_Point}]/u;
const special = ["__proto__", "constructor", "toString", "hasOwnProperty", "", " ", "\u0000", "a\u202eb", "\ud800"];
const text = fc.oneof(
  fc.constantFrom(...special),
  fc.string({ unit: "binary" }),
  fc.webUrl(),
  fc.constant("x".repeat(50_000)),
);
const limit = fc.oneof(fc.constantFrom(0, -1, 1.5, 1e308, NaN, Infinity, 2 ** 53), fc.integer());
const description = fc.dictionary(
  fc.constantFrom("name", "maxInputTokens", "maxOutputTokens", "reasoningEffort", "__proto__"),
  fc.oneof(text, limit, fc.constantFrom("high", "none")),
);
const models = fc.dictionary(
  fc.oneof(text, fc.constantFrom("gpt-5.4", "gpt-6")),
  fc.oneof(description, fc.jsonValue()),
);
const value = fc.oneof(fc.jsonValue(), text, limit, models, fc.boolean(), fc.constantFrom("off", "ask", "1024x1024"));
const own = fc.record(Object.fromEntries(Object.keys(settingDefaults).map((name) => [name, value])));
const names = ["proxy", "noProxy", "proxySupport", "proxyStrictSSL", "proxyAuthorization"];
const http = fc.record(Object.fromEntries(names.map((name) => [name, value])));

describe("settings of any type", () => {
  it("are read without an error, each as what it should be, and lead to entries or to what is wrong with one", () => {
    fc.assert(
      fc.property(own, http, (ownValues, httpValues) => {
        const settings = readSettings((section) => reader(section === "http" ? httpValues : ownValues));
        checkTypes(settings);
        checkModels(settings.models);
        const origins = originsOf(settings);
        try {
          const entries = configuredEntries(gatewaySettings(settings));
          assert.deepEqual(new Set(entries.map(({ baseUrl }) => new URL(baseUrl).origin)), new Set(origins));
          for (const { baseUrl } of entries) proxyFor(new URL(baseUrl), settings.proxy, {});
        } catch (error) {
          assert.ok(error instanceof GatewayError, String(error));
          assert.ok(error.kind === "noEntry" || error.flaw !== undefined, error.message);
        }
      }),
      { numRuns: 800 },
    );
  });

  it("name models like Object's own members", () => {
    const setting: unknown = JSON.parse('{"__proto__":{"name":"A"},"constructor":{"maxInputTokens":7},"toString":{}}');
    const added = mergeModels(setting).slice(5);
    const limits = added.map(({ id, name, maxInputTokens }) => `${id} ${name} ${maxInputTokens}`);
    assert.deepEqual(limits, ["__proto__ A 96000", "constructor constructor 7", "toString toString 96000"]);
  });

  it("bring a hundred more models at the most, with ids and names that fit", () => {
    const ids = Array.from({ length: 100_000 }, (_, index) => `model-${index}`);
    const setting = Object.fromEntries(ids.map((id) => [id, { name: id.repeat(1_000) }]));
    assert.equal(mergeModels(setting).length, 105);
    checkModels(mergeModels(setting));
    assert.deepEqual(mergeModels({ ["x".repeat(201)]: {}, "a\nb": {}, " c": {}, "d\u200b": {} }).length, 5);
    const [, , model] = mergeModels({ "gpt-5.4": { name: "\u0007Mi\u202ene\r\n sk-abc123 " } });
    assert.equal(model?.name, "Mi ne sk-…");
  });

  it("are read in no time, however long they are", () => {
    const long = ["x", "/", "sk-", " ", "\u0000", "1x", ":1", "%73"].map((part) => part.repeat(3_000_000));
    for (const each of long) {
      const values = Object.fromEntries(Object.keys(settingDefaults).map((name) => [name, each]));
      const time = processorTime(() => {
        const settings = readSettings(() => reader({ ...values, noProxy: [each], proxy: each }));
        checkTypes(settings);
        originsOf(settings);
        proxyFor(new URL("https://a.example"), settings.proxy, {});
      });
      assert.ok(time < 500, `${time} ms for ${each.slice(0, 5)}…`);
    }
  });
});

function checkTypes(settings: Settings): void {
  const texts = [settings.baseUrl, settings.backupBaseUrl, settings.certificateFile, settings.imageFolder];
  for (const each of texts) assert.ok(typeof each === "string" && each.length <= 10_000);
  for (const id of [settings.chatModel, settings.inlineChatModel]) {
    assert.ok(id !== "" && id.length <= 200 && !unseen.test(id), JSON.stringify(id));
  }
  assert.equal(typeof settings.allowInsecureHttp, "boolean");
  assert.match(settings.imageSize, /^(?:ask|auto|[1-9]\d{1,4}x[1-9]\d{1,4})$/);
  assert.ok(["auto", "off"].includes(settings.streaming) && ["auto", "off"].includes(settings.toolCalling));
  const { url, noProxy, strictSsl, authorization } = settings.proxy;
  assert.deepEqual([typeof url, typeof strictSsl, typeof authorization], ["string", "boolean", "string"]);
  assert.ok(noProxy.every((item) => typeof item === "string"));
}

function checkModels(models: Settings["models"]): void {
  assert.ok(models.length >= 5 && models.length <= 105);
  assert.equal(new Set(models.map(({ id }) => id)).size, models.length);
  for (const { id, name, maxInputTokens, maxOutputTokens } of models) {
    assert.ok(id !== "" && id.length <= 200 && !unseen.test(id), JSON.stringify(id));
    assert.ok(name !== "" && Array.from(name).length <= 101 && !unseen.test(name), JSON.stringify(name));
    for (const tokens of [maxInputTokens, maxOutputTokens]) assert.ok(Number.isInteger(tokens) && tokens > 0);
    assert.ok(maxInputTokens <= 100_000_000 && maxOutputTokens <= 100_000_000);
  }
}

function reader(values: object): ReturnType<Parameters<typeof readSettings>[0]> {
  const map = new Map<string, unknown>(Object.entries(values));
  return { get: (name: string, fallback?: unknown) => map.get(name) ?? fallback };
}

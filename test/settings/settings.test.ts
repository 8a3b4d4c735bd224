import assert from "node:assert/strict";
import manifest from "../../package.json" with { type: "json" };
import { textModels } from "../../src/gateway/models.ts";
import { settingDefaults } from "../../src/manifest.ts";
import { isInsecure, originsOf, saveConnection } from "../../src/settings/connection.ts";
import { mergeModels } from "../../src/settings/modelSettings.ts";
import { gatewaySettings, readSettings, type Settings } from "../../src/settings/settings.ts";
import { each } from "../support/each.ts";

describe("settings", () => {
  const noCommands = { keyCommands: { codex: [], image: [] } };
  const { "chat.model": chatModel, ...defaults } = settingDefaults;
  each<[object], Partial<Settings>>([
    [
      "has values where nothing is set",
      {},
      {
        ...{ baseUrl: "", backupBaseUrl: "", allowInsecureHttp: false, certificateFile: "", findsContext: true },
        ...{ chatModel, inlineChatModel: chatModel, reviewModel: chatModel, commitMessageLanguage: "" },
        ...{ ...noCommands, keyLifetime: 300_000, languagesWithoutCompletions: new Set(), models: textModels },
        ...{ streaming: "auto", toolCalling: "auto", inlineChatApply: "ask", imageFolder: defaults["image.folder"] },
        ...{ completionsModel: defaults["completions.model"], commitMessageModel: defaults["commitMessage.model"] },
        prices: { currency: "", models: new Map() },
        budget: { dailyTokens: 0, monthlyTokens: 0, dailyCost: 0, monthlyCost: 0 },
        proxy: { url: "", noProxy: [], strictSsl: true, authorization: "" },
      },
    ],
    ["trims what was pasted", { baseUrl: "  https://a.example " }, { baseUrl: "https://a.example" }],
    ["asks the chat's model in inline chat", { "chat.model": "gpt-5.5" }, { inlineChatModel: "gpt-5.5" }],
    ["takes an unknown choice for the default", { "chat.api": "soap" }, { chatApi: "auto" }],
    ["reads a command", { "keyCommand.codex": ["a", "b"] }, { keyCommands: { codex: ["a", "b"], image: [] } }],
    ["runs nothing that is not all text", { "keyCommand.codex": ["a", 1] }, noCommands],
    ["keeps a printed key for a while", { "keyCommand.ttl": -1 }, { keyLifetime: 300_000 }],
    ["keeps completions off for an unknown mode", { "completions.mode": "on" }, { completionsMode: "off" }],
    [
      "turns completions off in a language only for the value false",
      { "completions.languages": { markdown: false, python: true, rust: "false" } },
      { languagesWithoutCompletions: new Set(["markdown"]) },
    ],
    ["has a limit of completions all the same", { "completions.maxPerHour": 0 }, { completionsMaxPerHour: 200 }],
    ["allows plain http only for the value true", { allowInsecureHttp: "true" }, { allowInsecureHttp: false }],
    [
      "takes a budget that is no amount for none",
      { "budget.dailyTokens": -1, "budget.monthlyTokens": "5", "budget.dailyCost": NaN, "budget.monthlyCost": 2.5 },
      { budget: { dailyTokens: 0, monthlyTokens: 0, dailyCost: 0, monthlyCost: 2.5 } },
    ],
    ["falls back to the default model", { "chat.model": " " }, { chatModel: "gpt-5.3-codex" }],
    [
      "reads VS Code's proxy",
      { proxy: "http://p:3128", noProxy: ["a.example", 1], proxyStrictSSL: false, proxyAuthorization: "Basic eA==" },
      { proxy: { url: "http://p:3128", noProxy: ["a.example"], strictSsl: false, authorization: "Basic eA==" } },
    ],
    [
      "uses no proxy when proxies are off",
      { proxySupport: "off", proxy: "http://p:3128" },
      { proxy: { url: "", noProxy: ["*"], strictSsl: true, authorization: "" } },
    ],
  ]).hold((values, expected) => {
    const settings = read(values);
    assert.deepEqual({ ...settings, ...expected }, settings);
  });

  it("are read in the scope of each, lest VS Code warns, with a folder and without", () => {
    const properties = new Map(Object.entries<{ scope?: string }>(manifest.contributes.configuration.properties));
    for (const scope of [undefined, "folder"]) {
      const reads: [string, string | null][] = [];
      readSettings((from, read) => ({ get: (name) => void reads.push([`${from}.${name}`, read ?? null]) }), scope);
      for (const [id, read] of reads)
        assert.equal(read, properties.get(id)?.scope === "resource" ? (scope ?? null) : null, id);
    }
  });
});

describe("the client's part of the settings", () => {
  it("has everything of the connection, and nothing that leaves the connection as it is", () => {
    const connection = { baseUrl: "https://a.example", toolCalling: "off", certificateFile: "/ca.pem" };
    const others = { "chat.model": "gpt-5.5", "chat.api": "responses", "image.folder": "art", models: { "gpt-6": {} } };
    const { backupBaseUrl, allowInsecureHttp, streaming, proxy } = read({});
    const expected = { ...connection, backupBaseUrl, allowInsecureHttp, streaming, proxy };
    assert.deepEqual(gatewaySettings(read({ ...connection, ...others })), expected);
  });
});

/** The settings where these are set, in each section. */
function read(values: object): Settings {
  return readSettings(() => reader(values));
}

describe("the connection's settings", () => {
  it("call plain http insecure beyond this machine only", () => {
    const insecure = ["http://gateway.example.com", "http://10.0.0.1"];
    const secure = ["http://localhost:1", "http://127.0.0.1", "https://a.b"];
    assert.deepEqual([...insecure, ...secure].filter(isInsecure), insecure);
  });

  it("have the origins of the entries that can be used, each once", () => {
    const entries = { baseUrl: "https://a.example/one", backupBaseUrl: "https://a.example/two" };
    assert.deepEqual(originsOf({ ...entries, allowInsecureHttp: false }), ["https://a.example"]);
    const insecure = { baseUrl: "", backupBaseUrl: "http://b.example" };
    assert.deepEqual(originsOf({ ...insecure, allowInsecureHttp: false }), []);
    assert.deepEqual(originsOf({ ...insecure, allowInsecureHttp: true }), ["http://b.example"]);
  });

  it("are written for the user, only where they differ, and removed where they are the default", async () => {
    const [baseUrl, backupBaseUrl] = ["https://one.example.com", "https://two.example.com"];
    const before = new Map<string, unknown>(Object.entries({ baseUrl, backupBaseUrl, allowInsecureHttp: true }));
    const written: unknown[] = [];
    const configuration = {
      get: (name: string): unknown => before.get(name),
      update: (...update: readonly unknown[]): Promise<void> => {
        written.push(update);
        return Promise.resolve();
      },
    };
    await saveConnection(configuration, { baseUrl, backupBaseUrl: "", allowInsecureHttp: false });
    assert.deepEqual(written, [
      ["backupBaseUrl", undefined, true],
      ["allowInsecureHttp", undefined, true],
    ]);
  });
});

describe("settings of any type", () => {
  const texts = ["__proto__", "constructor", "", " ", "a\u202eb", "\ud800", "x".repeat(50_000), "100x1"];
  const others = [0, -1, 1.5, 1e308, NaN, Infinity, true, null, [], [null, 1], {}, { "gpt-5.4": 1 }];
  const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]/u;

  it("are read without an error, each as what it should be", () => {
    const defaults = new Map<string, unknown>(Object.entries(read({})));
    const names = [...Object.keys(settingDefaults), "proxy", "noProxy", "proxyStrictSSL", "proxyAuthorization"];
    for (const value of [...texts, ...others]) {
      for (const name of names) {
        const settings = read({ [name]: value });
        for (const [read, of] of Object.entries(settings)) {
          assert.equal(typeof of, typeof defaults.get(read), name);
          if (typeof of === "string") assert.ok(of.length <= 10_000, name);
          if (read.endsWith("Model")) assert.match(String(of), /^.{1,200}$/);
          if (read.endsWith("Model")) assert.doesNotMatch(String(of), unseen);
        }
        assert.match(settings.imageSize, /^(?:ask|auto|[1-9]\d{1,4}x[1-9]\d{1,4})$/);
        const { url, noProxy, strictSsl, authorization } = settings.proxy;
        assert.deepEqual([typeof url, typeof strictSsl, typeof authorization], ["string", "boolean", "string"]);
        assert.ok(noProxy.every((item) => typeof item === "string"));
      }
    }
  });

  it("bring a hundred more models at the most, with ids and names that fit", () => {
    const ids = Array.from({ length: 100_000 }, (_, index) => `model-${index}`);
    const models = mergeModels(Object.fromEntries(ids.map((id) => [id, { name: id.repeat(1_000) }])));
    assert.equal(models.length, 105);
    assert.ok(models.every(({ name }) => Array.from(name).length <= 101));
    assert.deepEqual(mergeModels({ ["x".repeat(201)]: {}, "a\nb": {}, " c": {}, "d\u200b": {}, "": {} }).length, 5);
    const [, , model] = mergeModels({ "gpt-5.4": { name: "\u0007Mi\u202ene\r\n sk-abc123 " } });
    assert.equal(model?.name, "Mi ne sk-…");
    const members: unknown = JSON.parse('{"__proto__":{"name":"A"},"constructor":{"maxInputTokens":7},"toString":{}}');
    const added = mergeModels(members).slice(5);
    const limits = added.map(({ id, name, maxInputTokens }) => `${id} ${name} ${maxInputTokens}`);
    assert.deepEqual(limits, ["__proto__ A 96000", "constructor constructor 7", "toString toString 96000"]);
  });
});

function reader(values: object): ReturnType<Parameters<typeof readSettings>[0]> {
  const map = new Map<string, unknown>(Object.entries(values));
  return { get: (name: string, fallback?: unknown) => map.get(name) ?? fallback };
}

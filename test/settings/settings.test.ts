import assert from "node:assert/strict";
import manifest from "../../package.json" with { type: "json" };
import { textModels } from "../../src/gateway/models.ts";
import { settingDefaults } from "../../src/manifest.ts";
import { isInsecure, saveConnection } from "../../src/settings/connection.ts";
import { gatewaySettings, readSettings, type Settings } from "../../src/settings/settings.ts";
import { each } from "../support/each.ts";

describe("settings", () => {
  it("have the manifest's defaults where nothing is set", () => {
    const { "chat.model": chatModel, ...defaults } = settingDefaults;
    assert.deepEqual(read({}), {
      ...{ baseUrl: "", backupBaseUrl: "", allowInsecureHttp: false, certificateFile: "", findsContext: true },
      ...{ chatModel, inlineChatModel: chatModel, reviewModel: chatModel },
      ...{ streaming: "auto", toolCalling: "auto", chatApi: defaults["chat.api"] },
      ...{ keyCommands: { codex: [], image: [] }, keyLifetime: 300_000 },
      inlineChatApply: defaults["inlineChat.apply"],
      commitMessageModel: defaults["commitMessage.model"],
      commitMessageLanguage: "",
      completionsMode: defaults["completions.mode"],
      completionsModel: defaults["completions.model"],
      completionsMaxPerHour: defaults["completions.maxPerHour"],
      languagesWithoutCompletions: new Set(),
      models: textModels,
      ...{ imageSize: defaults["image.size"], imageFolder: defaults["image.folder"] },
      ...{ prices: undefined, budget: { dailyTokens: 0, monthlyTokens: 0, dailyCost: 0, monthlyCost: 0 } },
      proxy: { url: "", noProxy: [], strictSsl: true, authorization: "" },
    });
  });

  const noCommands = { keyCommands: { codex: [], image: [] } };
  each<[object], Partial<Settings>>([
    ["trims what was pasted", { baseUrl: "  https://a.example/v1 " }, { baseUrl: "https://a.example/v1" }],
    ["asks the chat's model in inline chat", { "chat.model": "gpt-5.5" }, { inlineChatModel: "gpt-5.5" }],
    ["takes an unknown choice for the default", { "chat.api": "soap" }, { chatApi: "auto" }],
    ["reads a command", { "keyCommand.codex": ["a", "b"] }, { keyCommands: { codex: ["a", "b"], image: [] } }],
    ["runs nothing that is not all text", { "keyCommand.codex": ["a", 1] }, noCommands],
    ["runs no line of a shell", { "keyCommand.codex": "a b" }, noCommands],
    ["keeps a printed key for a while", { "keyCommand.ttl": -1 }, { keyLifetime: 300_000 }],
    ["keeps completions off for an unknown mode", { "completions.mode": "on" }, { completionsMode: "off" }],
    [
      "turns completions off in a language only for the value false",
      { "completions.languages": { markdown: false, python: true, rust: "false" } },
      { languagesWithoutCompletions: new Set(["markdown"]) },
    ],
    ["has a limit of completions all the same", { "completions.maxPerHour": 0 }, { completionsMaxPerHour: 200 }],
    ["allows plain http only for the value true", { allowInsecureHttp: "true" }, { allowInsecureHttp: false }],
    ["reads the API", { "chat.api": "responses" }, { chatApi: "responses" }],
    ["reads whether answers stream", { streaming: "off" }, { streaming: "off" }],
    [
      "takes a budget that is no amount for none",
      { "budget.dailyTokens": -1, "budget.monthlyTokens": "5", "budget.dailyCost": NaN, "budget.monthlyCost": 2.5 },
      { budget: { dailyTokens: 0, monthlyTokens: 0, dailyCost: 0, monthlyCost: 2.5 } },
    ],
    ["leaves the size to the gateway", { "image.size": "auto" }, { imageSize: "auto" }],
    ["refuses a size of another form", { "image.size": "huge" }, { imageSize: "ask" }],
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
    assert.deepEqual(gatewaySettings(read({ ...connection, ...others })), {
      ...{ ...connection, backupBaseUrl: "", allowInsecureHttp: false, streaming: "auto" },
      proxy: { url: "", noProxy: [], strictSsl: true, authorization: "" },
    });
  });
});

/** The settings where these are set, in each section. */
function read(values: object): Settings {
  const map = new Map<string, unknown>(Object.entries(values));
  return readSettings(() => ({ get: (name: string, fallback?: unknown) => map.get(name) ?? fallback }));
}

describe("the connection's settings", () => {
  it("call plain http insecure beyond this machine only", () => {
    const insecure = ["http://gateway.example.com", "http://10.0.0.1"];
    const secure = ["http://localhost:1", "http://127.0.0.1", "https://a.b"];
    assert.deepEqual([...insecure, ...secure].filter(isInsecure), insecure);
  });

  it("are written for the user, only where they differ, and removed where they are the default", async () => {
    const before = new Map<string, unknown>([
      ["baseUrl", "https://one.example.com"],
      ["backupBaseUrl", "https://two.example.com"],
      ["allowInsecureHttp", true],
    ]);
    const written: unknown[] = [];
    const configuration = {
      get: (name: string): unknown => before.get(name),
      update: (...update: readonly unknown[]): Promise<void> => {
        written.push(update);
        return Promise.resolve();
      },
    };
    const connection = { baseUrl: "https://one.example.com", backupBaseUrl: "", allowInsecureHttp: false };
    await saveConnection(configuration, connection);
    assert.deepEqual(written, [
      ["backupBaseUrl", undefined, true],
      ["allowInsecureHttp", undefined, true],
    ]);
  });
});

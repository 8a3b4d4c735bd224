import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import manifest from "../package.json" with { type: "json" };
import english from "../package.nls.json" with { type: "json" };
import chinese from "../package.nls.zh-cn.json" with { type: "json" };
import { reasoningEfforts, textModels } from "../src/gateway/models.ts";
import {
  commandNames,
  leanAgent,
  machineSettings,
  participantId,
  participantName,
  prefix,
  settingDefaults,
  vendor,
} from "../src/manifest.ts";

const { commands, configuration, chatParticipants, languageModelChatProviders } = manifest.contributes;
const settings = Object.entries(configuration.properties);
const texts = new Map(Object.entries(english));

describe("package.json", () => {
  it("requires the oldest VS Code that the tests run on, and has the types of one that is no newer", () => {
    const ci = readFileSync(new URL("../.github/workflows/ci.yml", import.meta.url), "utf8");
    const oldest = Number(/^ *host: 4\.(\d+)\.\d+$/m.exec(ci)?.[1]);
    assert.equal(manifest.engines.vscode, `^1.${oldest}.0`);
    assert.ok(Number(manifest.devDependencies["@types/vscode"].split(".")[1]) <= oldest);
    for (const file of ["README.md", "README.zh-cn.md", "docs/troubleshooting.md", "docs/zh-cn/troubleshooting.md"]) {
      const text = readFileSync(new URL(`../${file}`, import.meta.url), "utf8");
      assert.match(text, new RegExp(`VS Code 1\\.${oldest}\\b`), file);
    }
  });

  it("contributes exactly the commands of manifest.ts", () => {
    const ids = commands.map(({ command }) => command);
    assert.deepEqual(ids.toSorted(), commandNames.map((name) => `${prefix}.${name}`).toSorted());
    assert.deepEqual(new Set(commands.map(({ category }) => category)), new Set([manifest.displayName]));
  });

  it("offers no command that asks a model about code while AI features are off", () => {
    const enabled = "!config.chat.disableAIFeatures";
    for (const name of ["openChat", "inlineChat", "generateCommitMessage", "reviewChanges", "completions.configure"])
      assert.equal(commands.find(({ command }) => command === `${prefix}.${name}`)?.enablement, enabled, name);
  });

  it("contributes exactly the settings of manifest.ts, with their defaults", () => {
    const defaults = settings.map(([id, setting]) => [id.slice(prefix.length + 1), setting.default]);
    assert.deepEqual(Object.fromEntries(defaults), settingDefaults);
  });

  it("contributes the agent that manifest.ts names, with instructions of under 3 KB", () => {
    const [{ path } = { path: "" }, ...others] = manifest.contributes.chatAgents;
    assert.deepEqual(others, []);
    const text = readFileSync(new URL(`../${path}`, import.meta.url), "utf8");
    assert.equal(/^name: (.*)$/m.exec(text)?.[1], leanAgent);
    assert.ok(Buffer.byteLength(text) < 3 * 1024);
  });

  it("gives every setting a type, a scope, an order of its own and a description of one sentence", () => {
    const orders = settings.map(([, setting]) => setting.order);
    assert.equal(new Set(orders).size, settings.length);
    for (const [id, setting] of settings) {
      assert.ok(setting.type, id);
      assert.ok(["application", "machine", "window", "resource"].includes(setting.scope), id);
      assert.match(descriptionOf(setting), /^[A-Z][^.]*(?:\.\S[^.]*)*\.$/, id);
      if ("enumDescriptions" in setting) assert.equal(setting.enumDescriptions.length, setting.enum.length, id);
    }
  });

  it("gives every key with Ctrl the same one with Cmd on macOS, where something of its own has the focus", () => {
    for (const { command, key, when, ...binding } of manifest.contributes.keybindings) {
      const mac = key.replace(/^ctrl\+/, "cmd+");
      assert.equal("mac" in binding ? binding.mac : key, mac, command);
      // In a terminal, Cmd+K clears it.
      assert.match(when, /\b(?:editorTextFocus|commentFocused|commentEditorFocused|inChat)\b/, command);
    }
  });

  it("lets no workspace say where a key goes", () => {
    const names = ["baseUrl", "backupBaseUrl", "allowInsecureHttp", "certificateFile"];
    const own = [...names, ...["codex", "image", "ttl"].map((name) => `keyCommand.${name}`)];
    assert.deepEqual([...machineSettings], own);
    const ofMachine = settings.filter(([, { scope }]) => scope === "machine").map(([id]) => id);
    const expected = own.map((name) => `${prefix}.${name}`);
    assert.deepEqual(ofMachine, expected);
  });

  it("lets no workspace change prices, budgets, limits, and what is sent unattached, which are the user's", () => {
    const own = /\.(?:prices$|budget\.|chat\.findContext$|completions\.maxPerHour$)/;
    for (const [id, { scope }] of settings) assert.equal(scope === "application", own.test(id), id);
  });

  it("lets no workspace that is not trusted change what is sensitive, what is asked and paid for, and where images go", () => {
    const { restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces;
    const own = [
      ...["chat.model", "chat.api", "inlineChat.model", "inlineChat.apply", "models"],
      ...["commitMessage.model", "commitMessage.language", "review.model"],
      ...["completions.mode", "completions.model", "completions.languages"],
      ...["image.size", "image.folder", "streaming", "toolCalling"],
    ];
    const expected = [...machineSettings, ...own].map((name) => `${prefix}.${name}`);
    assert.deepEqual(restrictedConfigurations.toSorted(), expected.toSorted());
  });

  it("leads from the walkthrough to contributed commands and existing pictures", () => {
    const commandIds = new Set<string>(commands.map((known) => known.command));
    const steps = manifest.contributes.walkthroughs.flatMap((walkthrough) => walkthrough.steps);
    assert.equal(steps.length, 7);
    for (const { description, media } of steps) {
      const command = /\(command:(.+)\)$/.exec(textOf(description))?.[1];
      assert.ok(commandIds.has(command ?? ""), command);
      assert.ok(existsSync(new URL(`../${media.svg}`, import.meta.url)), media.svg);
    }
  });

  it("suggests exactly the text models of the client, and takes any other", () => {
    const models = textModels.map(({ id }) => id);
    for (const feature of ["chat", "inlineChat", "commitMessage", "review", "completions"] as const) {
      const setting = configuration.properties[`codexGateway.${feature}.model`];
      assert.deepEqual(setting.examples, models);
      assert.equal("enum" in setting, false);
    }
  });

  it("offers exactly the reasoning efforts of the client, each with a description", () => {
    const { reasoningEffort } = configuration.properties["codexGateway.models"].additionalProperties.properties;
    assert.deepEqual(reasoningEffort.enum, reasoningEfforts);
    assert.equal(reasoningEffort.enumDescriptions.length, reasoningEfforts.length);
    assert.equal("default" in reasoningEffort, false);
  });

  it("names participant and vendor as manifest.ts does", () => {
    const participants = chatParticipants.map(({ id, name }) => `${id} ${name}`);
    const vendors = languageModelChatProviders.map((one) => one.vendor);
    assert.deepEqual([participants, vendors], [[`${participantId} ${participantName}`], [vendor]]);
  });
});

describe("the nls files", () => {
  it("hold exactly the texts that package.json uses", () => {
    const used = [...JSON.stringify(manifest).matchAll(/"%([^%"]+)%"/g)].map(([, name]) => name);
    assert.deepEqual([...texts.keys()].toSorted(), used.toSorted());
  });

  it("are complete in Chinese", () => {
    assert.deepEqual(Object.keys(chinese).toSorted(), [...texts.keys()].toSorted());
    for (const [name, text] of Object.entries(chinese)) assert.match(text, /\p{Script=Han}/u, name);
  });
});

/** What a setting says, without a link at its end: that is of use in the settings editor only. */
function descriptionOf(setting: (typeof settings)[number][1]): string {
  const text = textOf("description" in setting ? setting.description : setting.markdownDescription);
  return text.replace(/ ?\[[^\]]+\]\(command:[^)]+\)$/, "");
}

/** The English text behind a `%placeholder%`. */
function textOf(placeholder: string): string {
  return texts.get(placeholder.slice(1, -1)) ?? "";
}

import assert from "node:assert/strict";
import { setTimeout } from "node:timers/promises";
import type { KeyGroup } from "../../src/gateway/types.ts";
import { KeyCommand } from "../../src/settings/keyCommand.ts";
import { keyFlaw, Keys } from "../../src/settings/keys.ts";
import { each } from "../support/each.ts";
import { memorySecrets } from "../support/memorySecrets.ts";
import { plainL10n } from "../support/plainL10n.ts";

describe("keys", () => {
  type Variables = Readonly<Record<string, string>>;
  const [stored, codex] = [{ "apiKey.codex": "sk-stored" }, { CODEX_GATEWAY_API_KEY: "sk-environment" }];
  const image = { CODEX_GATEWAY_IMAGE_API_KEY: " sk-image\n" };
  each<[Variables, Variables, KeyGroup], { readonly key: string; readonly source: string } | undefined>([
    ["come from the storage before the environment", stored, codex, "codex", { key: "sk-stored", source: "stored" }],
    ["come from the environment otherwise", {}, image, "image", { key: "sk-image", source: "environment" }],
    ["come from the variable of their group alone", {}, image, "codex", undefined],
    ["are not set by an empty variable", {}, { CODEX_GATEWAY_API_KEY: " " }, "codex", undefined],
  ]).hold(async (secrets, environment, group, found) => {
    const keys = new Keys(memorySecrets(secrets), environment);
    assert.deepEqual(await keys.find(group), found);
    assert.equal(await keys.source(group), found?.source ?? "none");
  });

  it("come from the environment where the secret storage cannot be read, and say so without", async () => {
    const locked = { ...memorySecrets(), get: () => Promise.reject(new Error("The keyring is locked.")) };
    const keys = new Keys(locked, { CODEX_GATEWAY_API_KEY: "sk-environment" });
    assert.deepEqual(await keys.find("codex"), { key: "sk-environment", source: "environment" });
    assert.equal(await keys.source("codex"), "environment");
    await assert.rejects(keys.find("image"), /keyring/);
    assert.equal(await keys.source("image"), "none");
    await assert.rejects(keys.store("image", "sk-image", []), /keyring/);
  });

  it("are stored for their group only, with their origins beside them, and removed with them", async () => {
    const secrets = memorySecrets();
    const keys = new Keys(secrets, {});
    await keys.store("codex", "sk-codex", ["https://a.example"]);
    assert.equal(await secrets.get("apiKey.codex"), "sk-codex");
    assert.deepEqual(await keys.origins("codex"), ["https://a.example"]);
    assert.deepEqual([await keys.find("image"), await keys.origins("image")], [undefined, undefined]);
    await keys.remove("codex");
    assert.deepEqual([await keys.find("codex"), await keys.origins("codex")], [undefined, undefined]);
  });

  it("never stand beside another key's origins while one is stored over it, or over one without origins", async () => {
    const [old, both, next] = ["https://old.example", "https://both.example", "https://new.example"];
    const allowed: Readonly<Record<string, readonly string[]>> = { "sk-old": [old, both], "sk-new": [next, both] };
    const bound = { "apiKey.codex": "sk-old", "apiKey.codex.origins": JSON.stringify([old, both]) };
    for (const past of [{}, { "apiKey.codex": "sk-old" }, bound] as Readonly<Record<string, string>>[]) {
      const secrets = memorySecrets(past);
      const seen = new Set<string | undefined>();
      const look = async (): Promise<void> => {
        const key = await secrets.get("apiKey.codex");
        const text = await secrets.get("apiKey.codex.origins");
        seen.add(key);
        if (key === undefined || (key === "sk-old" && text === past["apiKey.codex.origins"])) return;
        assert.ok(text !== undefined, `${key} without origins`);
        for (const origin of JSON.parse(text) as string[]) assert.ok(allowed[key]?.includes(origin), `${key} ${text}`);
      };
      const watched: typeof secrets = {
        ...secrets,
        store: (name, value) => secrets.store(name, value).then(look),
        delete: (name) => secrets.delete(name).then(look),
      };
      const keys = new Keys(watched, {});
      await keys.store("codex", "sk-new", allowed["sk-new"] ?? []);
      assert.ok(seen.has("sk-new"));
      assert.deepEqual(await keys.origins("codex"), allowed["sk-new"]);
    }
  });

  it("keep their own origins where two are stored at the same time", async () => {
    const secrets = memorySecrets({});
    const slow: typeof secrets = {
      ...secrets,
      store: async (name, value) => {
        await setTimeout(value.includes("one") ? 4 : 1);
        await secrets.store(name, value);
      },
    };
    const keys = new Keys(slow, {});
    await Promise.all(["one", "two"].map((name) => keys.store("codex", `sk-${name}`, [`https://${name}.example`])));
    assert.deepEqual(await keys.origins("codex"), ["https://two.example"]);
    assert.equal((await keys.find("codex"))?.key, "sk-two");
  });

  it("of another command are not allowed for what was confirmed while a key was being stored", async () => {
    let set = ["one"];
    const print = (): Promise<string> => Promise.resolve("sk-printed");
    const codex = new KeyCommand({ command: () => set, lifetime: () => 1, now: Date.now, print });
    const keys = new Keys(memorySecrets(), {}, { codex });
    const storing = keys.store("codex", "sk-stored", []);
    const binding = keys.bind("codex", ["https://one.example"]);
    set = ["two"];
    await Promise.all([storing, binding]);
    assert.equal(await keys.origins("codex"), undefined);
    set = ["one"];
    assert.deepEqual(await keys.origins("codex"), ["https://one.example"]);
  });

  it("keep their origins from a new key that the storage refuses or loses, and stay where both may go", async () => {
    const origins = '["https://old.example","https://both.example"]';
    const secrets = memorySecrets({ "apiKey.codex": "sk-old", "apiKey.codex.origins": origins });
    const full: typeof secrets = {
      ...secrets,
      store: (name, value) =>
        name === "apiKey.codex" ? Promise.reject(new Error("The keyring is full.")) : secrets.store(name, value),
    };
    const keys = new Keys(full, {});
    await assert.rejects(keys.store("codex", "sk-new", ["https://both.example", "https://new.example"]), /full/);
    assert.deepEqual(await keys.origins("codex"), ["https://both.example"]);
    const forgetful = new Keys({ ...memorySecrets(), store: () => Promise.resolve() }, {});
    await assert.rejects(forgetful.store("codex", "sk-lost", []));
  });

  it("are bound to nothing where the stored origins cannot be read", async () => {
    for (const text of ["", "{", "null", '"https://a.example"', '{"0":"https://a.example"}', "[[1], 2, null]"]) {
      const keys = new Keys(memorySecrets({ "apiKey.codex": "sk-codex", "apiKey.codex.origins": text }), {});
      assert.deepEqual(await keys.origins("codex"), [], text);
    }
  });
});

describe("the form of a key", () => {
  const characters = "The key cannot contain spaces or special characters. Copy it again.";
  each<[string], string | undefined>([
    ["has no flaw", "  sk-abc\n", undefined],
    ["is not empty", "   ", "Enter the key."],
    ["has nothing before it", "Bearer sk-abc", characters],
    ["has more than a prefix", "sk-", "The secret part after sk- is missing."],
    ["has nothing that nobody sees", "sk-a\u200bb", characters],
  ]).gives((typed) => keyFlaw(typed, plainL10n));
});

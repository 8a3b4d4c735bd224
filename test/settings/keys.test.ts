import assert from "node:assert/strict";
import { findKeyFlaw, type KeyFlaw, Keys } from "../../src/settings/keys.ts";
import { memorySecrets } from "../support/memorySecrets.ts";

describe("keys", () => {
  it("come from the secret storage before the environment", async () => {
    const keys = new Keys(memorySecrets({ "apiKey.codex": "sk-stored" }), {
      CODEX_GATEWAY_API_KEY: "sk-environment",
    });
    assert.deepEqual(await keys.find("codex"), { key: "sk-stored", source: "stored" });
    assert.equal(await keys.source("codex"), "stored");
  });

  it("come from the environment where nothing is stored, each group from its own variable", async () => {
    const keys = new Keys(memorySecrets(), { CODEX_GATEWAY_IMAGE_API_KEY: " sk-image\n" });
    assert.deepEqual(await keys.find("image"), { key: "sk-image", source: "environment" });
    assert.equal(await keys.source("image"), "environment");
    assert.equal(await keys.find("codex"), undefined);
    assert.equal(await keys.source("codex"), "none");
  });

  it("are not set by an empty variable", async () => {
    const keys = new Keys(memorySecrets(), { CODEX_GATEWAY_API_KEY: " " });
    assert.equal(await keys.source("codex"), "none");
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

  it("are stored for their group only, and removed again", async () => {
    const keys = new Keys(memorySecrets(), {});
    await keys.store("image", "sk-image", []);
    assert.deepEqual(await both(keys), [undefined, "sk-image"]);
    await keys.remove("image");
    assert.deepEqual(await both(keys), [undefined, undefined]);
  });

  it("are stored as they are, with their origins beside them, and removed with them", async () => {
    const secrets = memorySecrets();
    const keys = new Keys(secrets, {});
    await keys.store("codex", "sk-codex", ["https://a.example"]);
    assert.equal(await secrets.get("apiKey.codex"), "sk-codex");
    assert.deepEqual(await keys.origins("codex", "stored"), ["https://a.example"]);
    assert.equal(await keys.origins("image", "stored"), undefined);
    await keys.remove("codex");
    assert.equal(await keys.origins("codex", "stored"), undefined);
  });

  const pasts: readonly Readonly<Record<string, string>>[] = [
    {},
    { "apiKey.codex": "sk-old" },
    { "apiKey.codex": "sk-old", "apiKey.codex.origins": '["https://old.example","https://both.example"]' },
  ];
  for (const past of pasts) {
    it(`never stand beside another key's origins while one is stored over ${JSON.stringify(past)}`, async () => {
      const allowed: Record<string, readonly string[]> = {
        "sk-old": ["https://old.example", "https://both.example"],
        "sk-new": ["https://new.example", "https://both.example"],
      };
      const secrets = memorySecrets(past);
      let isNew = false;
      const look = async (): Promise<void> => {
        const key = await secrets.get("apiKey.codex");
        const text = await secrets.get("apiKey.codex.origins");
        isNew ||= key === "sk-new";
        if (key === undefined || (key === "sk-old" && text === past["apiKey.codex.origins"])) return;
        assert.ok(text !== undefined, `${key} without origins can be adopted`);
        for (const origin of JSON.parse(text) as string[]) assert.ok(allowed[key]?.includes(origin), `${key} ${text}`);
      };
      const watched: typeof secrets = {
        ...secrets,
        store: async (name, value) => {
          await secrets.store(name, value);
          await look();
        },
        delete: async (name) => {
          await secrets.delete(name);
          await look();
        },
      };
      const keys = new Keys(watched, {});
      await keys.store("codex", "sk-new", allowed["sk-new"] ?? []);
      assert.ok(isNew);
      assert.deepEqual(await keys.origins("codex", "stored"), allowed["sk-new"]);
    });
  }

  it("keep their origins from a new key that the storage refuses, and stay where both may go", async () => {
    const origins = '["https://old.example","https://both.example"]';
    const secrets = memorySecrets({ "apiKey.codex": "sk-old", "apiKey.codex.origins": origins });
    const full: typeof secrets = {
      ...secrets,
      store: (name, value) =>
        name === "apiKey.codex" ? Promise.reject(new Error("The keyring is full.")) : secrets.store(name, value),
    };
    const keys = new Keys(full, {});
    await assert.rejects(keys.store("codex", "sk-new", ["https://both.example", "https://new.example"]), /full/);
    assert.deepEqual(await keys.origins("codex", "stored"), ["https://both.example"]);
  });

  for (const text of ["", "{", "null", '"https://a.example"', '{"0":"https://a.example"}', "[[1], 2, null]"]) {
    it(`are bound to nothing where the stored origins are ${JSON.stringify(text)}`, async () => {
      const keys = new Keys(memorySecrets({ "apiKey.codex": "sk-codex", "apiKey.codex.origins": text }), {});
      assert.deepEqual(await keys.origins("codex", "stored"), []);
    });
  }

  it("say so when the storage did not keep one", async () => {
    const keys = new Keys({ ...memorySecrets(), store: () => Promise.resolve() }, {});
    await assert.rejects(keys.store("codex", "sk-lost", []));
  });
});

async function both(keys: Keys): Promise<readonly (string | undefined)[]> {
  return [(await keys.find("codex"))?.key, (await keys.find("image"))?.key];
}

describe("the form of a key", () => {
  const cases: readonly (readonly [string, KeyFlaw | undefined])[] = [
    ["sk-abc", undefined],
    ["  sk-abc\n", undefined],
    ["", "empty"],
    ["   ", "empty"],
    ["abc", "prefix"],
    ["SK-abc", "prefix"],
    ["Bearer sk-abc", "characters"],
    ["sk-", "secret"],
    ["sk-a b", "characters"],
    ["sk-a\u0000b", "characters"],
    ["sk-密钥", "characters"],
    ["sk-a\u200bb", "characters"],
  ];
  for (const [typed, flaw] of cases) {
    it(`finds ${flaw ?? "no flaw"} in ${JSON.stringify(typed)}`, () => {
      assert.equal(findKeyFlaw(typed), flaw);
    });
  }
});

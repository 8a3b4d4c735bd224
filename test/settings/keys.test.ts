import assert from "node:assert/strict";
import { createKeys, type Keys } from "../../src/settings/keys.ts";

describe("keys", () => {
  it("come from the secret storage before the environment", async () => {
    const keys = createKeys(storage({ "apiKey.codex": "sk-stored" }), { CODEX_GATEWAY_API_KEY: "sk-environment" });
    assert.equal(await keys.get("codex"), "sk-stored");
    assert.equal(await keys.source("codex"), "stored");
  });

  it("come from the environment where nothing is stored, each group from its own variable", async () => {
    const keys = createKeys(storage(), { CODEX_GATEWAY_IMAGE_API_KEY: " sk-image\n" });
    assert.equal(await keys.get("image"), "sk-image");
    assert.equal(await keys.source("image"), "environment");
    assert.equal(await keys.get("codex"), undefined);
    assert.equal(await keys.source("codex"), "none");
  });

  it("are not set by an empty variable", async () => {
    const keys = createKeys(storage(), { CODEX_GATEWAY_API_KEY: " " });
    assert.equal(await keys.source("codex"), "none");
  });

  it("come from the environment where the secret storage cannot be read, and say so without", async () => {
    const locked = { ...storage(), get: () => Promise.reject(new Error("The keyring is locked.")) };
    const keys = createKeys(locked, { CODEX_GATEWAY_API_KEY: "sk-environment" });
    assert.equal(await keys.get("codex"), "sk-environment");
    assert.equal(await keys.source("codex"), "environment");
    await assert.rejects(keys.get("image"), /keyring/);
    assert.equal(await keys.source("image"), "none");
    await assert.rejects(keys.store("image", "sk-image"), /keyring/);
  });

  it("are stored for their group only, and removed again", async () => {
    const keys = createKeys(storage(), {});
    await keys.store("image", "sk-image");
    assert.deepEqual(await both(keys), [undefined, "sk-image"]);
    await keys.remove("image");
    assert.deepEqual(await both(keys), [undefined, undefined]);
  });

  it("say so when the storage did not keep one", async () => {
    const keys = createKeys({ ...storage(), store: () => Promise.resolve() }, {});
    await assert.rejects(keys.store("codex", "sk-lost"));
  });
});

async function both(keys: Keys): Promise<readonly (string | undefined)[]> {
  return [await keys.get("codex"), await keys.get("image")];
}

function storage(initial: Record<string, string> = {}): Parameters<typeof createKeys>[0] {
  const secrets = new Map(Object.entries(initial));
  return {
    get: (name) => Promise.resolve(secrets.get(name)),
    store: (name, value) => Promise.resolve(void secrets.set(name, value)),
    delete: (name) => Promise.resolve(void secrets.delete(name)),
    onDidChange: () => assert.fail("Nobody listens here."),
  };
}

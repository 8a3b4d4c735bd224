import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { Asker } from "./asker.ts";
import type { LocalGateway } from "./gateway.ts";
import { withGateway } from "./hooks.ts";

describe("local gateway: checks requests", () => {
  let gateway: LocalGateway;
  let ask: Asker;
  withGateway((...started) => ([gateway, ask] = started));

  it("answers 404 where /v1 is missing or doubled, 405 for a GET, 400 for no JSON", async () => {
    assert.equal((await ask.post("/chat/completions", {})).status, 404);
    assert.equal((await ask.post("/v1/v1/chat/completions", {})).status, 404);
    assert.equal((await fetch(`${gateway.primary.url}/v1/responses`)).status, 405);
    assert.equal((await ask.post("/v1/responses", "{")).status, 400);
  });

  it("takes each key for its own group only", async () => {
    const question = { model: "gpt-5.4", input: "hi" };
    assert.equal((await ask.post("/v1/responses", question)).status, 200);
    assert.equal((await ask.post("/v1/responses", question, { key: "sk-wrong" })).status, 401);
    assert.equal((await ask.post("/v1/responses", question, { key: gateway.keys.image })).status, 401);
    assert.equal((await ask.post("/v1/images/generations", { model: "gpt-image-2", prompt: "x" })).status, 401);
    gateway.mode({ forbidden: ["image"] });
    assert.equal((await ask.order()).status, 403);
  });

  it("knows the models of the interface and no others", async () => {
    assert.match(await (await ask.chat("hi", { model: "gpt-4" })).text(), /model_not_found/);
    assert.match(await (await ask.order({ model: "image-2" })).text(), /model_not_found/);
    gateway.mode({ imageAccountBound: false, modelNotFoundStatus: 400 });
    const unbound = await ask.order();
    assert.equal(unbound.status, 400);
    assert.match(await unbound.text(), /model_not_found/);
  });

  it("refuses undocumented fields in strict mode, and single ones on demand", async () => {
    gateway.entry("primary").mode({ strict: true });
    assert.equal((await ask.chat("hi")).status, 200);
    for (const field of ["stream", "tools", "temperature"]) {
      const response = await ask.chat("hi", { [field]: true });
      assert.equal(response.status, 400);
      assert.match(await response.text(), new RegExp(`'${field}'`));
    }
    assert.equal((await ask.post("/v1/responses", { model: "gpt-5.4", input: [] })).status, 400);
    assert.equal((await ask.chat("", { messages: [{ role: "user", content: [] }] })).status, 400);
    gateway.entry("primary").mode({ strict: false, refuses: ["stream_options"] });
    assert.equal((await ask.chat("hi", { stream: true })).status, 200);
    assert.equal((await ask.chat("hi", { stream: true, stream_options: {} })).status, 400);
  });

  it("lists the models with any key, unless it is strict", async () => {
    const list = () =>
      fetch(`${gateway.backup.url}/v1/models`, { headers: { authorization: `Bearer ${gateway.keys.image}` } });
    assert.match(await (await list()).text(), /gpt-5\.3-codex-spark/);
    gateway.mode({ strict: true });
    assert.equal((await list()).status, 404);
  });
});

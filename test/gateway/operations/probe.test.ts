import assert from "node:assert/strict";
import { GatewayError } from "../../../src/gateway/errors.ts";
import type { ProbeResult, TextApi } from "../../../src/gateway/types.ts";
import { withLocalClient } from "../../support/localClient.ts";

describe("the test of the connection", () => {
  const setup = withLocalClient();

  const probe = (api?: TextApi): Promise<readonly ProbeResult[]> =>
    setup.client.gateway.probe("gpt-5.4-mini", new AbortController().signal, api);
  const told = (found: readonly ProbeResult[]): readonly string[] =>
    found.map(
      ({ entry, group, failure }) => `${entry} ${group} ${failure instanceof GatewayError ? failure.kind : "answers"}`,
    );

  it("asks every entry for one tiny completion and for no image, with documented fields only", async () => {
    setup.local.mode({ strict: true });
    const answers = ["primary codex answers", "primary image answers", "backup codex answers", "backup image answers"];
    assert.deepEqual(told(await probe()), answers);
    const { requests } = setup.local;
    assert.equal(requests.length, 4);
    assert.ok(!requests.some(({ operation, processed }) => operation === "image" && processed));
    const failed = setup.client.told("attempt").filter(({ failure }) => failure !== undefined);
    assert.deepEqual(failed, [], "the refusal of an image is the answer");
  });

  it("reports the exact cause for each entry and group", async () => {
    const { client, local } = setup;
    client.keys = { image: local.keys.image };
    await local.stopEntry("primary");
    local.entry("backup").always({ operation: "image", status: 403 });
    const unreachable = ["primary codex unreachable", "primary image unreachable"];
    assert.deepEqual(told(await probe()), [...unreachable, "backup codex noKey", "backup image forbidden"]);
  });

  it("passes for images where a gateway names the model that does not exist, without a code, unless the key may not ask for it", async () => {
    const model = "codex-gateway-connection-test";
    for (const [status, message, image] of [
      [400, `Invalid model name passed in model=${model}.`, "answers"],
      [503, `当前分组 default 下对于模型 ${model} 无可用渠道`, "answers"],
      [403, `该令牌无权访问模型 ${model}`, "forbidden"],
    ] as const) {
      setup.local.entry("primary").always({ operation: "image", status, body: JSON.stringify({ error: { message } }) });
      assert.ok(told(await probe()).includes(`primary image ${image}`), message);
    }
  });

  it("reports a key that cannot be read as the cause for its group only", async () => {
    const { client, local } = setup;
    const cause = new Error("The keyring is locked.");
    client.key = (group) => (group === "image" ? Promise.reject(cause) : Promise.resolve(local.keys[group]));
    const found = await probe();
    assert.deepEqual(
      found.map(({ failure }) => failure),
      [undefined, cause, undefined, cause],
    );
  });

  it("accepts only an answer that a question or an image request would accept", async () => {
    for (const [body, codex, image] of [
      ["<html><title>Log in</title>", "badGateway", "badGateway"],
      ["", "empty", "empty"],
      [`{"data":["${"x".repeat(1 << 20)}"]}`, "unreadable", "unreadable"],
      ['{"data":[{"url":"https://images.test/x.png"}]}', "unreadable", "answers"],
      ['{"choices":[{"message":{"content":"OK."},"finish_reason":"stop"}]}', "answers", "noImage"],
      ['{"choices":[]}', "empty", "noImage"],
      ['{"code":401,"msg":"The token has expired."}', "unauthorized", "noImage"],
      ['{"status":"ok"}', "unreadable", "noImage"],
      ['data: {"choices":[{"delta":{"content":"O"}}]}\n\n', "connectionLost", "noImage"],
    ] as const) {
      setup.local.entry("primary").always({ status: 200, body });
      assert.deepEqual(told(await probe()).slice(0, 2), [`primary codex ${codex}`, `primary image ${image}`], body);
    }
  });

  it("asks through the chosen API only, and by default through both if only responses serve the model", async () => {
    const cases = [
      ["chatCompletions", "notFound", "chat"],
      ["responses", "answers", "responses"],
      [undefined, "answers", "chat", "responses"],
    ] as const;
    for (const [api, outcome, ...operations] of cases) {
      await setup.local.reset();
      setup.local.mode({ responsesOnly: "all" });
      assert.ok(told(await probe(api)).includes(`primary codex ${outcome}`));
      const texts = setup.local.requests.filter(({ entry, operation }) => entry === "primary" && operation !== "image");
      const asked = texts.map(({ operation }) => operation);
      assert.deepEqual(asked, operations);
    }
  });
});

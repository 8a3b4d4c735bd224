import assert from "node:assert/strict";
import type { TextApi } from "../../../src/gateway/types.ts";
import type { LocalGateway } from "../../support/gateway/gateway.ts";
import type { ErrorShape } from "../../support/gateway/types.ts";
import { failureOf, type LocalClient, partsOf, question, textIn } from "../../support/localClient.ts";
import { withLocalClient } from "../../support/withLocalClient.ts";

describe("fields the interface does not show", () => {
  let local: LocalGateway;
  let client: LocalClient;
  const ask = (api: TextApi, request = question("Why?")) =>
    partsOf(client.gateway.ask({ ...request, api }, new AbortController().signal));
  const bodies = () => local.requests.map(({ body }) => Object.keys(body as object).join(" "));
  const tools = [{ name: "add", description: "Adds.", inputSchema: { type: "object" } }];

  withLocalClient((gateway, its) => {
    local = gateway;
    client = its;
  });

  const shapes: readonly ErrorShape[] = ["openai", "flat", "text", "detail", "plain", "html"];
  for (const errorShape of shapes) {
    it(`are left out within the same call when an entry refuses them in the shape "${errorShape}"`, async () => {
      local.mode({ strict: true, errorShape });
      for (const api of ["chatCompletions", "responses"] as const) {
        const parts = await ask(api, question("Why?", { tools }));
        assert.match(textIn(parts), /Why\?/);
        const [start] = parts;
        const dropped = start?.type === "start" ? start.dropped.filter((field) => field !== "stream_options") : [];
        assert.deepEqual(dropped, ["tools", "stream"]);
      }
      assert.ok(local.requests.every(({ entry }) => entry === "primary"));
      const asked = local.requests.length;
      assert.ok(asked <= 8, `${asked} requests`);
      await ask("chatCompletions");
      await ask("responses");
      assert.deepEqual(bodies().slice(asked), ["model messages", "model input"], "it is remembered");
    });
  }

  for (const [field, left] of [
    ["stream_options", "model messages tools stream"],
    ["tools", "model messages stream stream_options"],
    ["stream", "model messages tools"],
  ] as const) {
    it(`stay where only ${field} is refused`, async () => {
      local.mode({ refuses: [field] });
      await ask("chatCompletions", question("Why?", { tools }));
      await ask("chatCompletions", question("Why?", { tools }));
      assert.deepEqual(bodies(), ["model messages tools stream stream_options", left, left]);
    });
  }

  it("but one, refused without a name, stay from the next call on", async () => {
    local.mode({ refuses: ["stream"], errorShape: "plain" });
    await ask("chatCompletions", question("Why?", { tools }));
    const asked = local.requests.length;
    await ask("chatCompletions", question("Why?", { tools }));
    assert.deepEqual(bodies().slice(asked), ["model messages tools"]);
  });

  it("such as tool_choice are given up without giving up the tools", async () => {
    local.mode({ refuses: ["tool_choice"] });
    await ask("chatCompletions", question("Why?", { tools, toolChoice: "required" }));
    assert.equal(bodies().at(-1), "model messages tools stream stream_options");
  });

  it("that are refused by one entry go to the other", async () => {
    local.entry("backup").mode({ strict: true });
    await local.stopEntry("primary");
    await ask("chatCompletions");
    await local.startEntry("primary");
    client.settings = { ...client.settings, backupBaseUrl: "" };
    await ask("chatCompletions");
    assert.equal(bodies().at(-1), "model messages stream stream_options");
  });

  it("are tried again when the settings have changed", async () => {
    local.mode({ refuses: ["stream_options"] });
    await ask("chatCompletions");
    client.settings = { ...client.settings, allowInsecureHttp: true };
    await ask("chatCompletions");
    const [full, less] = ["model messages stream stream_options", "model messages stream"];
    assert.deepEqual(bodies(), [full, less, full, less]);
  });

  it("tell tools, calls and results as text where they are refused", async () => {
    local.mode({ strict: true });
    const messages = [
      { role: "system", content: "Be brief." },
      { role: "user", content: "Add." },
      { role: "assistant", content: "", toolCalls: [{ id: "c1", name: "add", input: { a: 1 } }] },
      { role: "tool", toolCallId: "c1", content: "1" },
    ] as const;
    for (const api of ["chatCompletions", "responses"] as const) {
      assert.notEqual(textIn(await ask(api, question("", { messages, tools }))), "");
      assert.match(JSON.stringify(local.requests.at(-1)?.body), /Tool call c1: add/);
    }
  });

  it("are none at all with streaming and tool calling off", async () => {
    local.mode({ strict: true });
    client.settings = { ...client.settings, streaming: "off", toolCalling: "off" };
    for (const api of ["chatCompletions", "responses"] as const) {
      const parts = await ask(api, question("Why?", { tools }));
      assert.match(textIn(parts), /Why\?/);
      assert.equal(parts.at(-1)?.type, "finish");
    }
    await client.gateway.generateImage({ prompt: "a fox", size: "1024x1024" }, new AbortController().signal);
    assert.deepEqual(bodies(), ["model messages", "model input", "model prompt size"]);
    assert.ok(local.requests.every(({ status }) => status === 200));
  });

  it("are not to blame when the request is refused without them too", async () => {
    local.entry("primary").always({ status: 400, message: "No." });
    const failure = await failureOf(ask("chatCompletions"));
    assert.deepEqual([failure.kind, failure.status, failure.entry], ["rejected", 400, "primary"]);
    assert.deepEqual([failure.attempts.length, bodies().at(-1)], [1, "model messages"]);
    assert.equal(local.requests.length, 2);
    local.entry("primary").always(undefined);
    await ask("chatCompletions");
    assert.equal(bodies().at(-1), "model messages stream stream_options", "nothing is remembered");
  });

  const [full, plain] = ["model messages tools stream stream_options", "model messages"];
  const conversation = question("", {
    tools,
    messages: [
      { role: "system", content: "Be brief." },
      { role: "user", content: "Hi." },
      { role: "assistant", content: "Hello." },
      { role: "user", content: "Why?" },
    ],
  });

  it("keep their names to one model: another may be served by another upstream", async () => {
    local.mode({ refuses: ["tools"] });
    await ask("chatCompletions", conversation);
    local.mode({ refuses: [] });
    await ask("chatCompletions", { ...conversation, model: "gpt-5.5" });
    assert.equal(bodies().at(-1), full);
  });

  it("are all left out of the fourth and last request", async () => {
    const primary = local.entry("primary");
    const refuse = (param: string) => {
      primary.next(1, { status: 400, body: JSON.stringify({ error: { message: "Unknown parameter.", param } }) });
    };
    for (const param of ["stream_options", "tool_choice", "tools"]) refuse(param);
    await ask("chatCompletions", { ...conversation, toolChoice: "required" });
    assert.deepEqual([bodies().length, bodies().at(-1)], [4, plain]);
  });

  it("count among the four requests of an operation, whatever comes behind", async () => {
    for (const entry of ["primary", "backup"] as const) local.entry(entry).always({ status: 529, retryAfter: 0 });
    local.entry("primary").next(1, { status: 400, message: "No." });
    const failure = await failureOf(ask("chatCompletions", conversation));
    assert.equal(local.requests.length, 4);
    assert.equal(failure.kind, "overloaded", "the refusal was dealt with");
    assert.deepEqual(
      failure.attempts.map(({ kind, entry }) => `${kind} ${entry ?? ""}`),
      ["rejected primary", "overloaded primary", "overloaded backup"],
    );
  });

  it("are left out though the first error named none, with the first refusal told when that does not help", async () => {
    local.entry("primary").next(1, { status: 400, message: "First." });
    local.entry("primary").next(1, { status: 400, message: "Second." });
    const failure = await failureOf(ask("chatCompletions", conversation));
    assert.match(failure.gatewayMessage ?? "", /First/);
    assert.match(failure.attempts[0]?.gatewayMessage ?? "", /Second/);
  });

  it("do without stream the second time after an error 500, and with it at the other entry", async () => {
    local.entry("primary").always({ status: 500 });
    const [start] = await ask("chatCompletions", conversation);
    assert.deepEqual(bodies(), [full, "model messages tools", full]);
    assert.deepEqual(start?.type === "start" && start.dropped, []);
    local.entry("primary").always(undefined);
    await ask("chatCompletions", conversation);
    assert.equal(bodies().at(-1), full);
  });
});

import assert from "node:assert/strict";
import { type LocalGateway, startGateway } from "../../support/gateway/gateway.ts";
import type { ErrorShape } from "../../support/gateway/types.ts";
import { clientOn, failureOf, type LocalClient, partsOf, question, textIn } from "../../support/localClient.ts";

describe("fields the interface does not show", () => {
  let local: LocalGateway;
  let client: LocalClient;
  const ask = (operation: "chat" | "respond", request = question("Why?")) =>
    partsOf(client.gateway[operation](request, new AbortController().signal));
  const bodies = () => local.requests.map(({ body }) => Object.keys(body as object).join(" "));
  const tools = [{ name: "add", description: "Adds.", inputSchema: { type: "object" } }];

  before(async () => {
    local = await startGateway();
  });
  beforeEach(() => {
    client = clientOn(local);
  });
  afterEach(async () => {
    await client.gateway.dispose();
    await local.reset();
  });
  after(() => local.close());

  const shapes: readonly ErrorShape[] = ["openai", "flat", "text", "detail", "plain", "html"];
  for (const errorShape of shapes) {
    it(`are left out within the same call when an entry refuses them in the shape "${errorShape}"`, async () => {
      local.mode({ strict: true, errorShape });
      for (const operation of ["chat", "respond"] as const) {
        const parts = await ask(operation, question("Why?", { tools }));
        assert.match(textIn(parts), /Why\?/);
        const [start] = parts;
        const dropped = start?.type === "start" ? start.dropped.filter((field) => field !== "stream_options") : [];
        assert.deepEqual(dropped, ["tools", "stream"]);
      }
      assert.ok(local.requests.every(({ entry }) => entry === "primary"));
      const asked = local.requests.length;
      assert.ok(asked <= 8, `${asked} requests`);
      await ask("chat");
      await ask("respond");
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
      await ask("chat", question("Why?", { tools }));
      await ask("chat", question("Why?", { tools }));
      assert.deepEqual(bodies(), ["model messages tools stream stream_options", left, left]);
    });
  }

  it("but one, refused without a name, stay from the next call on", async () => {
    local.mode({ refuses: ["stream"], errorShape: "plain" });
    await ask("chat", question("Why?", { tools }));
    const asked = local.requests.length;
    await ask("chat", question("Why?", { tools }));
    assert.deepEqual(bodies().slice(asked), ["model messages tools"]);
  });

  it("such as tool_choice are given up without giving up the tools", async () => {
    local.mode({ refuses: ["tool_choice"] });
    await ask("chat", question("Why?", { tools, toolChoice: "required" }));
    assert.equal(bodies().at(-1), "model messages tools stream stream_options");
  });

  it("that are refused by one entry go to the other", async () => {
    local.entry("backup").mode({ strict: true });
    await local.stopEntry("primary");
    await ask("chat");
    await local.startEntry("primary");
    client.settings = { ...client.settings, backupBaseUrl: "" };
    await ask("chat");
    assert.equal(bodies().at(-1), "model messages stream stream_options");
  });

  it("are tried again when the settings have changed", async () => {
    local.mode({ refuses: ["stream_options"] });
    await ask("chat");
    client.settings = { ...client.settings, allowInsecureHttp: true };
    await ask("chat");
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
    for (const operation of ["chat", "respond"] as const) {
      assert.notEqual(textIn(await ask(operation, question("", { messages, tools }))), "");
      assert.match(JSON.stringify(local.requests.at(-1)?.body), /Tool call c1: add/);
    }
  });

  it("are none at all with streaming and tool calling off", async () => {
    local.mode({ strict: true });
    client.settings = { ...client.settings, streaming: "off", toolCalling: "off" };
    for (const operation of ["chat", "respond"] as const) {
      const parts = await ask(operation, question("Why?", { tools }));
      assert.match(textIn(parts), /Why\?/);
      assert.equal(parts.at(-1)?.type, "finish");
    }
    await client.gateway.generateImage({ prompt: "a fox", size: "1024x1024" }, new AbortController().signal);
    assert.deepEqual(bodies(), ["model messages", "model input", "model prompt size"]);
    assert.ok(local.requests.every(({ status }) => status === 200));
  });

  it("are not to blame when the request is refused without them too", async () => {
    local.entry("primary").always({ status: 400, message: "No." });
    const failure = await failureOf(ask("chat"));
    assert.deepEqual([failure.kind, failure.status, failure.entry], ["rejected", 400, "primary"]);
    assert.equal(local.requests.length, 3);
    local.entry("primary").always(undefined);
    await ask("chat");
    assert.equal(bodies().at(-1), "model messages stream stream_options", "nothing is remembered");
  });
});

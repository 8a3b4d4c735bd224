import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { asArray, asObject, type JsonObject } from "../../src/base/json.ts";
import type { ChatMessage, ToolCall } from "../../src/gateway/types.ts";
import { type Bench, leavesNothing, startBench } from "./support/bench.ts";
import { bodyOf, event, failure, right, send, sendJson, stream } from "./support/faults.ts";
import type { Fault, SeenRequest } from "./support/faultServer.ts";
import { each } from "../support/each.ts";
import { textIn } from "../support/localClient.ts";

const calls = 5;
const tools = [{ name: "look", description: "Looks.", inputSchema: { type: "object" } }];

/** A gateway whose model calls a tool five times, and that refuses the reasoning of another account. */
class AgentGateway {
  /** The account behind the gateway, which may change at any time where the gateway spreads over several. */
  account = "one";
  readonly issued: JsonObject[] = [];
  refusals = 0;
  refusal = sendJson(400, { error: { message: "Not of this account.", code: "invalid_encrypted_content" } });

  readonly answer: Fault = (exchange) => {
    const input = itemsIn(exchange.request);
    const reasoning = input.filter(({ type }) => type === "reasoning");
    if (reasoning.some(({ encrypted_content }) => !String(encrypted_content).startsWith(this.account))) {
      this.refusals += 1;
      this.refusal(exchange);
      return;
    }
    const step = input.filter(({ type }) => type === "function_call_output").length + 1;
    const output = step > calls ? [saying("Done.")] : this.#outputAt(step);
    this.issued.push(...output);
    const done = output.map((item, output_index) => ({ type: "response.output_item.done", output_index, item }));
    stream([...done, { type: "response.completed", response: { output } }].map(event).join(""))(exchange);
  };

  #outputAt(step: number): readonly JsonObject[] {
    const id = `${this.account}_${step}`;
    return [
      { type: "reasoning", id: `rs_${id}`, summary: [], encrypted_content: id, status: null },
      { ...saying(`Step ${step}. `), phase: "commentary" },
      // The spaces would be lost if the arguments were written anew.
      { type: "function_call", id: `fc_${id}`, call_id: `call_${id}`, name: "look", arguments: `{ "at":  ${step} }` },
    ];
  }
}

function itemsIn(request: SeenRequest): readonly JsonObject[] {
  return asArray(bodyOf(request).input).map((item) => asObject(item) ?? {});
}

function saying(text: string): JsonObject {
  return { type: "message", role: "assistant", content: [{ type: "output_text", text, annotations: [] }] };
}

/** Runs an agent turn to its end, as VS Code does, and returns the last text. `before` is called before each request. */
async function runTurn(bench: Bench, before: (step: number) => void = () => undefined): Promise<string> {
  const messages: ChatMessage[] = [{ role: "user", content: "Look everywhere." }];
  for (let step = 1; step <= calls + 1; step += 1) {
    before(step);
    const parts = await bench.parts({ api: "responses", tools, messages });
    const toolCalls = parts.flatMap((part): ToolCall[] => (part.type === "toolCall" ? [part] : []));
    const items = parts.flatMap((part) => (part.type === "items" ? [part.items] : []));
    if (toolCalls.length === 0) return textIn(parts);
    // A copy, as VS Code stores it.
    const answer: ChatMessage = { role: "assistant", content: textIn(parts), toolCalls, items: items[0] };
    messages.push(structuredClone(answer));
    for (const { id } of toolCalls) messages.push({ role: "tool", toolCallId: id, content: "Seen." });
  }
  return "no end";
}

describe("an agent turn through responses", () => {
  leavesNothing();

  it("returns each item of the model as it was, and in order, with the results of its calls", async () => {
    const agent = new AgentGateway();
    await using bench = await startBench(agent.answer);
    assert.equal(await runTurn(bench), "Done.");
    assert.equal(bench.posts, `${calls + 1}+0`);
    const last = bench.primary.requests.at(-1) ?? assert.fail();
    const returned = agent.issued.slice(0, -1).flatMap((item) => {
      const result = { type: "function_call_output", call_id: item.call_id, output: "Seen." };
      return item.type === "function_call" ? [item, result] : [item];
    });
    assert.deepEqual(itemsIn(last).slice(1), returned);
    assert.deepEqual([bodyOf(last).include, bodyOf(last).store], [["reasoning.encrypted_content"], false]);
  });

  const switched = (agent: AgentGateway) => (step: number) => {
    if (step === 3) agent.account = "two";
  };

  it("costs one request more when the account behind the gateway changes", async () => {
    const agent = new AgentGateway();
    await using bench = await startBench(agent.answer);
    assert.equal(await runTurn(bench, switched(agent)), "Done.");
    assert.deepEqual([agent.refusals, bench.posts], [1, `${calls + 2}+0`]);
    const reasoning = itemsIn(bench.primary.requests.at(-1) ?? assert.fail()).map(({ encrypted_content: by }) => by);
    assert.deepEqual(reasoning.filter(Boolean), ["two_3", "two_4", "two_5"]);
  });

  it("goes on when the account changes and the gateway calls the refusal an error of its own", async () => {
    const agent = new AgentGateway();
    agent.refusal = failure(502, "upstream_error");
    await using bench = await startBench(agent.answer, { hasBackup: false });
    assert.equal(await runTurn(bench, switched(agent)), "Done.");
    assert.equal(bench.posts, `${calls + 1 + agent.refusals}+0`);
  });

  it("costs one request more when the other entry has to answer", async () => {
    const [agent, other] = [new AgentGateway(), new AgentGateway()];
    other.account = "other";
    await using bench = await startBench(agent.answer);
    bench.backup.always(other.answer);
    const failing = (step: number): void => {
      if (step === 3) bench.primary.next(failure(502, "bad_gateway"));
    };
    assert.equal(await runTurn(bench, failing), "Done.");
    assert.deepEqual([agent.refusals, other.refusals, bench.posts], [0, 0, `${calls + 1}+1`]);
  });

  it("sends no items to another model, and none through chat completions", async () => {
    await using bench = await startBench(new AgentGateway().answer);
    const asked = { api: "responses", tools } as const;
    const [items] = (await bench.parts(asked)).flatMap((part) => (part.type === "items" ? [part.items] : []));
    const messages: readonly ChatMessage[] = [
      { role: "user", content: "Hi" },
      { role: "assistant", content: "", toolCalls: [{ id: "call_one_1", name: "look", input: {} }], items },
      { role: "tool", toolCallId: "call_one_1", content: "Seen." },
    ];
    await bench.parts({ ...asked, messages, model: "gpt-5.5" });
    bench.primary.always(right);
    await bench.parts({ tools, messages, api: "chatCompletions" });
    for (const { body } of bench.primary.requests.slice(-2)) assert.doesNotMatch(body, /encrypted_content":|rs_one/);
  });

  const reasoning = (encrypted_content: unknown): object => ({ type: "reasoning", encrypted_content });
  const long = [1, 2, 3, 4, 5].map((one) => reasoning(`${one}`.repeat(1_000_000)));
  each<[items: readonly unknown[]], readonly string[]>([
    [
      "goes on without items that have no encryption, or are no objects",
      [reasoning(undefined), reasoning(5), null],
      [],
    ],
    ["goes on without items that are huge together", long, []],
    ["takes others", [reasoning("x")], ["items"]],
  ]).gives(async (items) => {
    const call = { type: "function_call", call_id: "c1", name: "look", arguments: "{}" };
    const done = [...items, call].map((item, at) => ({ type: "response.output_item.done", output_index: at, item }));
    const events = [...done, { type: "response.completed", response: {} }];
    await using bench = await startBench(stream(events.map(event).join("")));
    const types = (await bench.parts({ api: "responses", tools })).map(({ type }) => type);
    assert.deepEqual([types[0], types.at(-1), types.includes("toolCall")], ["start", "finish", true]);
    return types.filter((type) => type === "items");
  });
});

describe("with tools, the API", () => {
  leavesNothing();

  /** The last part of the requested paths since the last call. */
  const paths = (bench: Bench): readonly string[] =>
    bench.primary.requests.splice(0).map(({ path }) => path.slice(path.lastIndexOf("/") + 1));

  it("is responses once an entry has answered there, for ten minutes", async () => {
    await using bench = await startBench();
    await bench.parts({ tools });
    await bench.parts({ tools, api: "responses" });
    await bench.parts({ tools });
    await bench.parts({});
    await bench.parts({ tools, model: "gpt-5.5" });
    bench.clock.advance(600_000);
    await bench.parts({ tools });
    const [chat, responses] = ["completions", "responses"];
    assert.deepEqual(paths(bench), [chat, responses, responses, chat, chat, chat]);
  });

  const noList = { message: "Invalid type for 'input': expected a string.", param: "input" };
  for (const [what, refusal] of [
    ["do not exist", failure(404, "not_found")],
    ["take no list", sendJson(400, { error: noList })],
    ["fail", failure(500, "not_implemented")],
  ] as const)
    it(`is chat completions in the same call, and from then on, where responses ${what}`, async () => {
      await using bench = await startBench((exchange) => {
        if (exchange.request.path.endsWith("/responses")) refusal(exchange);
        else right(exchange);
      });
      const asked = { api: "responsesFirst", tools } as const;
      const [start] = await bench.parts(asked);
      assert.deepEqual(start?.type === "start" && [start.api, start.dropped], ["chatCompletions", []]);
      await bench.parts(asked);
      assert.deepEqual(paths(bench), ["responses", "completions", "completions"]);
    });

  it("stays responses where these have answered and fail once", async () => {
    await using bench = await startBench();
    await bench.parts({ api: "responsesFirst", tools });
    bench.primary.next(failure(500, "x"));
    await bench.parts({ api: "responsesFirst", tools });
    assert.deepEqual(paths(bench), Array(3).fill("responses"));
  });
});

describe("the name of a conversation", () => {
  it("is sent as a hash, the same for all its requests, through both APIs", async () => {
    await using bench = await startBench();
    for (const conversation of ["/home/me/a.ts", "/home/me/a.ts", "other"])
      for (const api of ["chatCompletions", "responses"] as const) await bench.parts({ api, conversation });
    await bench.parts({});
    const names = bench.primary.requests.map((request) => bodyOf(request).prompt_cache_key);
    const [first, , , , other] = names;
    assert.match(String(first), /^[\w-]{43}$/);
    assert.deepEqual(names, [first, first, first, first, other, other, undefined]);
    assert.notEqual(first, other);
  });
});

describe("images in a question", () => {
  leavesNothing();

  const refusingImages =
    (refusal: Fault): Fault =>
    (exchange) => {
      (exchange.request.body.includes("data:image") ? refusal : right)(exchange);
    };

  it("are left out, and not the reasoning, where a gateway refuses them in a turn that has both", async () => {
    const message = "At most 0 image(s) may be given.";
    await using bench = await startBench(refusingImages(sendJson(400, { error: { message } })));
    const items = [{ type: "reasoning", encrypted_content: "a" }];
    const call = { role: "assistant", content: "", toolCalls: [{ id: "c1", name: "look", input: {} }] } as const;
    const turn: readonly ChatMessage[] = [
      { role: "user", content: "Look." },
      { ...call, items: { entry: "primary", model: "gpt-5.4", items } },
      { role: "tool", toolCallId: "c1", content: "Seen.", images },
    ];
    await bench.parts({ api: "responses", messages: turn, tools });
    const [, second] = bench.primary.requests.filter(({ method }) => method === "POST");
    assert.match(second?.body ?? "", /"encrypted_content":"a"/);
  });

  const bytes = randomBytes(1_000_000);
  const images = [{ mimeType: "image/png", bytes }];
  const messages: readonly ChatMessage[] = [
    { role: "user", content: "What is this?", images },
    { role: "assistant", content: "", toolCalls: [{ id: "c1", name: "look", input: {} }] },
    { role: "assistant", content: "", toolCalls: [{ id: "c2", name: "look", input: {} }] },
    { role: "tool", toolCallId: "c1", content: "Seen.", images },
    { role: "tool", toolCallId: "c2", content: "Not seen." },
  ];

  /** The images in a request, as bytes. */
  const imagesIn = (body: string): readonly Buffer[] =>
    [...body.matchAll(/"data:image\/png;base64,([^"]*)"/g)].map(([, data = ""]) => Buffer.from(data, "base64"));

  for (const api of ["chatCompletions", "responses"] as const) {
    it(`arrive unchanged through ${api}, without blocking the event loop`, async () => {
      await using bench = await startBench();
      let turns = 0;
      const count = setInterval(() => (turns += 1));
      const [start] = await bench.parts({ api, messages, tools });
      clearInterval(count);
      assert.ok(turns >= 4, `${turns} turns`);
      assert.deepEqual(start?.type === "start" && start.dropped, []);
      const { body = "" } = bench.primary.requests.find(({ method }) => method === "POST") ?? {};
      assert.deepEqual(imagesIn(body), [bytes, bytes]);
    });

    const message = "Invalid content type. image_url is only supported by certain models.";
    for (const [where, refusal] of [
      ["by name", sendJson(400, { error: { message, param: "messages.[0].content.[0].type" } })],
      ["by no name", sendJson(400, { error: { message: "This model takes text only." } })],
      ["as too large a body", send(413, "text/html", "<html><title>413 Request Entity Too Large</title></html>")],
    ] as const)
      it(`are left out in the same call where they are refused ${where}, through ${api}`, async () => {
        await using bench = await startBench(refusingImages(refusal));
        const [start] = await bench.parts({ api, messages, tools });
        assert.deepEqual(start?.type === "start" && start.dropped, ["images"]);
        assert.equal(bench.posts, "2+0");
        const [, second] = bench.primary.requests.filter(({ method }) => method === "POST");
        assert.match(second?.body ?? "", /What is this\?\\n\[An image, which this model cannot see\.\]/);
        assert.match(second?.body ?? "", /"stream":true/);
        // A conversation keeps its images, of which the refused one may be broken. Others have others.
        await bench.parts({ api, messages, tools });
        assert.equal(bench.posts, "3+0");
        await bench.parts({ api, messages, tools, conversation: "other" });
        assert.equal(bench.posts, "5+0");
      });
  }
});

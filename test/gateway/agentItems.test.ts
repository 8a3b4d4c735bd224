import assert from "node:assert/strict";
import { createHmac, randomBytes } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { asArray, asObject, type JsonObject } from "../../src/base/json.ts";
import type { ChatMessage, ChatRequest, ToolCall } from "../../src/gateway/types.ts";
import { type Bench, leavesNothing, startBench } from "../support/faults/bench.ts";
import { bodyOf, event, failure, refusingFields, sendJson, stream } from "../support/faults/faults.ts";
import type { Fault } from "../support/faults/faultServer.ts";
import { each } from "../support/each.ts";
import { textIn } from "../support/localClient.ts";

const calls = 5;
const tools = [{ name: "look", description: "Looks.", inputSchema: { type: "object" } }];

/** Runs an agent turn to its end, as VS Code does, and returns the last text. `before` is called before each request. */
async function runTurn(
  bench: Bench,
  before: (step: number) => void = () => undefined,
  more: Partial<ChatRequest> = {},
): Promise<string> {
  const messages: ChatMessage[] = [{ role: "user", content: "Look everywhere." }];
  for (let step = 1; step <= calls + 1; step += 1) {
    before(step);
    const parts = await bench.parts({ api: "responses", tools, messages, ...more });
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
    const signing = new SigningGateway(calls);
    await using bench = await startBench(signing.answer);
    assert.equal(await runTurn(bench), "Done.");
    assert.deepEqual([signing.refusals, bench.posts], [[], `${calls + 1}+0`]);
    const { input } = bodyOf(bench.primary.requests.at(-1) ?? assert.fail());
    assert.match(JSON.stringify(input), /"arguments":"\{ \\"at\\": {2}5 \}"/);
  });

  it("costs one request more when the account behind the gateway changes", async () => {
    const signing = new SigningGateway(calls);
    await using bench = await startBench(signing.answer);
    const switched = (step: number): void => {
      if (step === 3) signing.account = "two";
    };
    assert.equal(await runTurn(bench, switched), "Done.");
    assert.deepEqual([signing.refusals.length, bench.posts], [1, `${calls + 2}+0`]);
  });

  it("costs one request more when the other entry has to answer", async () => {
    const [signing, other] = [new SigningGateway(calls), new SigningGateway(calls)];
    other.account = "other";
    await using bench = await startBench(signing.answer);
    bench.backup.always(other.answer);
    const failing = (step: number): void => {
      if (step === 3) bench.primary.next(failure(502, "bad_gateway"));
    };
    assert.equal(await runTurn(bench, failing), "Done.");
    assert.deepEqual([signing.refusals, other.refusals], [[], []]);
    assert.deepEqual([bench.primary.posts + bench.backup.posts, bench.backup.posts], [calls + 2, 1]);
  });

  it("sends no items to another model, and none through chat completions", async () => {
    const signing = new SigningGateway(calls);
    await using bench = await startBench(signing.answer);
    const asked = { api: "responses", tools } as const;
    const [items] = (await bench.parts(asked)).flatMap((part) => (part.type === "items" ? [part.items] : []));
    const messages: readonly ChatMessage[] = [
      { role: "user", content: "Hi" },
      { role: "assistant", content: "", toolCalls: [{ id: "call_one_1", name: "look", input: {} }], items },
      { role: "tool", toolCallId: "call_one_1", content: "Seen." },
    ];
    await bench.parts({ ...asked, messages, model: "gpt-5.5" });
    bench.primary.always(refusingFields([]));
    await bench.parts({ tools, messages, api: "chatCompletions" });
    for (const { body } of bench.primary.requests.slice(-2)) assert.doesNotMatch(body, /encrypted_content":|rs_one/);
  });

  const reasoning = (encrypted_content: unknown): object => ({ type: "reasoning", encrypted_content });
  each<[items: readonly unknown[]], readonly string[]>([
    ["goes on without items that have no encryption", [reasoning(undefined), reasoning(5)], []],
    ["goes on without items that are no objects", [null, 7, "reasoning", ["x"]], []],
    ["goes on without items that are huge", [reasoning("x".repeat(5_000_000))], []],
    [
      "goes on without items that are huge together",
      [1, 2, 3, 4, 5].map((one) => reasoning(`${one}`.repeat(1_000_000))),
      [],
    ],
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

  const refuses = (message: string, param?: string): Fault => sendJson(400, { error: { message, param } });
  for (const [what, refusal] of [
    ["do not exist", failure(404, "not_found")],
    ["take no list", refuses("Invalid type for 'input': expected a string.", "input")],
    ["fail", failure(500, "not_implemented")],
    ["refuse without a reason", refuses("Bad request.")],
  ] as const)
    it(`is chat completions in the same call, and from then on, where responses ${what}`, async () => {
      await using bench = await startBench((exchange) => {
        if (exchange.request.path.endsWith("/responses")) refusal(exchange);
        else refusingFields([])(exchange);
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
    assert.deepEqual(paths(bench), ["responses", "responses", "responses"]);
  });

  it("stays responses where these only refuse to return reasoning", async () => {
    await using bench = await startBench(refusingFields(["include", "store"]));
    await bench.parts({ api: "responsesFirst", tools });
    await bench.parts({ api: "responsesFirst", tools });
    assert.deepEqual(paths(bench), ["responses", "responses", "responses", "responses"]);
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
    for (const [what, error] of [
      ["names them", { message, param: "messages.[0].content.[0].type" }],
      ["names nothing", { message: "This model takes text only." }],
    ] as const)
      it(`are left out in the same call where a gateway refuses them and ${what}, through ${api}`, async () => {
        await using bench = await startBench((exchange) => {
          const hasImage = imagesIn(exchange.request.body).length > 0;
          (hasImage ? sendJson(400, { error }) : refusingFields([]))(exchange);
        });
        const [start] = await bench.parts({ api, messages, tools });
        assert.deepEqual(start?.type === "start" && start.dropped, ["images"]);
        assert.equal(bench.posts, "2+0");
        const [, second] = bench.primary.requests.filter(({ method }) => method === "POST");
        assert.match(second?.body ?? "", /What is this\?\\n\[An image, which this model cannot see\.\]/);
        assert.match(second?.body ?? "", /"stream":true/);
      });
  }
});

/**
 * A gateway whose answers through responses carry signed reasoning, and that refuses items which are changed, missing, out
 * of order, or another account's. It proves that items come back unchanged, not that the answers are better.
 */
class SigningGateway {
  /** The account behind the gateway, which may change at any time, as in a gateway that spreads over several. */
  account = "one";
  /** How many answers call a tool before the last one ends the turn. */
  readonly #calls: number;
  readonly #issued = new Map<string, JsonObject[]>();
  /** What was wrong with refused requests. */
  readonly refusals: string[] = [];

  constructor(calls: number) {
    this.#calls = calls;
  }

  /** Answers a request of an agent turn. */
  readonly answer: Fault = (exchange) => {
    const { model = "", input, include, store } = bodyOf(exchange.request);
    const items = asArray(input).map((item) => asObject(item) ?? {});
    const own = items.filter(({ type, phase }) => type === "reasoning" || (type === "message" && phase !== undefined));
    const flaw = own.length === 0 ? undefined : this.#flawOf(items, own);
    if (flaw !== undefined) {
      this.refusals.push(flaw);
      sendJson(400, { error: { message: flaw, code: "invalid_encrypted_content" } })(exchange);
      return;
    }
    const results = items.filter(({ type }) => type === "function_call_output").length;
    const output = this.#outputAt(results + 1, String(model));
    const isAsked = isDeepStrictEqual([include, store], [["reasoning.encrypted_content"], false]);
    const sent = isAsked ? output : output.filter(({ type }) => type !== "reasoning");
    if (isAsked && results < this.#calls) this.#issued.set(this.account, [...this.#own, ...sent.slice(0, 2)]);
    const response = { id: `resp_${results}`, status: "completed", output: sent };
    const done = sent.map((item, output_index) => ({ type: "response.output_item.done", output_index, item }));
    stream([...done, { type: "response.completed", response }].map(event).join(""))(exchange);
  };

  get #own(): readonly JsonObject[] {
    return this.#issued.get(this.account) ?? [];
  }

  #flawOf(items: readonly JsonObject[], own: readonly JsonObject[]): string | undefined {
    if (own.length !== this.#own.length) return "Items are missing, or are not of this account.";
    if (!own.every((item, index) => isDeepStrictEqual(item, this.#own[index]))) return "An item is not as it was.";
    const calls = items.flatMap((item, index) => (item.type === "reasoning" ? [items[index + 2]?.type] : []));
    return calls.every((type) => type === "function_call") ? undefined : "Reasoning stands without its call.";
  }

  #outputAt(step: number, model: string): readonly JsonObject[] {
    const sign = (what: string): string =>
      createHmac("sha256", this.account).update(`${model} ${step} ${what}`).digest("base64");
    const text = (said: string): JsonObject => ({ type: "output_text", text: said, annotations: [], logprobs: [] });
    if (step > this.#calls) return [{ type: "message", id: "msg_end", role: "assistant", content: [text("Done.")] }];
    const id = `${this.account}_${step}`;
    return [
      { type: "reasoning", id: `rs_${id}`, summary: [], encrypted_content: sign("reasoning"), status: null },
      { type: "message", id: `msg_${id}`, role: "assistant", phase: "commentary", content: [text(`Step ${step}. `)] },
      // The spaces would be lost if the arguments were written anew.
      { type: "function_call", id: `fc_${id}`, call_id: `call_${id}`, name: "look", arguments: `{ "at":  ${step} }` },
    ];
  }
}

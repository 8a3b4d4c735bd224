import assert from "node:assert/strict";
import type { ChatRequest, GatewayEvent, TextApi } from "../../../src/gateway/types.ts";
import { type Bench, clientFor, leavesNothing, startBench } from "../support/bench.ts";
import { bodyOf, event, failure, refusingFields, right, rightText, sendJson, stream } from "../support/faults.ts";
import type { Fault } from "../support/faultServer.ts";
import { tinyPng } from "../../support/gateway/png.ts";
import { failureOf, partsOf, question, textIn, tools } from "../../support/localClient.ts";

const apis = ["chatCompletions", "responses"] as const;
const conversation = [
  { role: "system", content: "Be brief." },
  { role: "user", content: "Hi." },
  { role: "assistant", content: "Hello." },
  { role: "user", content: "Why?" },
] as const;
const [full, plain] = ["model messages tools stream stream_options", "model messages"];
const all = ["stream_options", "tool_choice", "tools", "stream"];

/** Asks through chat completions, with tools, and returns the omitted fields. The answer must come. */
async function dropped(bench: Bench, more: Partial<ChatRequest> = {}): Promise<readonly string[]> {
  const parts = await bench.parts({ api: "chatCompletions", tools, messages: conversation, ...more });
  assert.equal(textIn(parts), rightText);
  return parts[0]?.type === "start" ? parts[0].dropped : [];
}

/** The field names of all requests to an entry since the last call. */
function fieldsAt({ requests }: Bench["primary"]): readonly string[] {
  return requests.splice(0).map((request) => Object.keys(bodyOf(request)).join(" "));
}

describe("fields the interface does not show", () => {
  leavesNothing();

  it("are omitted within the same call, and from then on, when an entry refuses them", async () => {
    await using bench = await startBench(refusingFields(all));
    for (const api of apis) {
      const left = await dropped(bench, { api });
      const others = left.filter((field) => field !== "stream_options" && field !== "input");
      assert.deepEqual(others, ["tools", "stream"]);
      assert.ok(fieldsAt(bench.primary).length <= 4);
      await dropped(bench, { api });
      assert.deepEqual(fieldsAt(bench.primary), [api === "responses" ? "model input" : plain], "it is remembered");
    }
    assert.equal(bench.backup.posts, 0);
  });

  it("are refused for one entry, one model, and until the settings change", async () => {
    await using bench = await startBench(refusingFields(["tools"]));
    await dropped(bench);
    bench.always(right);
    fieldsAt(bench.primary);
    await dropped(bench, { model: "gpt-5.5" });
    bench.settings = { ...bench.settings, allowInsecureHttp: true };
    await dropped(bench);
    assert.deepEqual(fieldsAt(bench.primary), [full, full]);
    bench.primary.always(refusingFields(["tools"]));
    await dropped(bench);
    await bench.primary.stop();
    await dropped(bench);
    assert.deepEqual(fieldsAt(bench.backup), [full]);
  });

  it("turn calls into text if their ids are too long, as those of another model may be", async () => {
    const tooLong = (param: string): Fault => {
      const message = `Invalid '${param}': string too long. Expected a string with maximum length 40, but got 41.`;
      return sendJson(400, { error: { code: "string_above_max_length", param, message } });
    };
    await using bench = await startBench((exchange) => {
      const { body } = exchange.request;
      if (body.includes('"tool_calls":')) tooLong("messages[1].tool_calls[0].id")(exchange);
      else if (body.includes('"call_id":')) tooLong("input[1].call_id")(exchange);
      else right(exchange);
    });
    const id = "c".repeat(41);
    const messages = [
      { role: "user", content: "Add." },
      { role: "assistant", content: "", toolCalls: [{ id, name: "add", input: { a: 1 } }] },
      { role: "tool", toolCallId: id, content: "1" },
    ] as const;
    for (const api of apis) {
      await dropped(bench, { api, messages });
      // The text of the call, and of its result.
      assert.match(bench.primary.requests.at(-1)?.body ?? "", /add\(\{\\"a\\":1\}\).*:\\n1"/);
    }
    assert.equal(bench.primary.posts, 4);
  });

  it("are none at all with streaming and tool calling off", async () => {
    const settings = { streaming: "off", toolCalling: "off" } as const;
    await using bench = await startBench(refusingFields(all), { settings });
    const images = [{ mimeType: "image/png", bytes: tinyPng }];
    const messages = [{ role: "user", content: "Why?", images }] as const;
    const more = { messages, conversation: "a", reasoningEffort: "high" } as const;
    for (const api of apis) await dropped(bench, { api, ...more });
    await bench.gateway.generateImage({ prompt: "a fox", size: "1024x1024" }, new AbortController().signal);
    assert.deepEqual(fieldsAt(bench.primary), [plain, "model input", "model prompt size"]);
  });

  it("are not to blame when the request is refused without them, too: the first refusal is shown", async () => {
    await using bench = await startBench();
    bench.primary.next(...["First.", "Second."].map((message) => sendJson(400, { error: { message } })));
    const { kind, status, entry, gatewayMessage, attempts } = await failureOf(dropped(bench));
    assert.deepEqual([kind, status, entry, gatewayMessage], ["rejected", 400, "primary", "First."]);
    const others = attempts.map((attempt) => attempt.gatewayMessage);
    assert.deepEqual(others, ["Second."]);
    await dropped(bench);
    assert.deepEqual(fieldsAt(bench.primary), [full, plain, full], "nothing is remembered");
  });

  it("are all omitted from the last request, before the other API is tried", async () => {
    await using bench = await startBench(
      refusingFields(["stream_options", "prompt_cache_key", "reasoning_effort", "reasoning"]),
    );
    const more = { api: "auto", conversation: "a", reasoningEffort: "high" } as const;
    await dropped(bench, more);
    const requests = fieldsAt(bench.primary);
    assert.deepEqual([requests.length, requests.at(-1)], [4, plain]);
    await dropped(bench, more);
    assert.deepEqual(fieldsAt(bench.primary), ["model messages tools stream"]);
  });

  it("are all omitted from the fourth and last request", async () => {
    await using bench = await startBench();
    const refuse = (param: string) => sendJson(400, { error: { message: "Unknown parameter.", param } });
    bench.primary.next(...["stream_options", "tool_choice", "tools"].map(refuse));
    await dropped(bench, { toolChoice: "required" });
    const requests = fieldsAt(bench.primary);
    assert.deepEqual([requests.length, requests.at(-1)], [4, plain]);
  });

  it("count among the four requests of an operation", async () => {
    await using bench = await startBench(failure(529, "x", "retry-after: 0\r\n"));
    bench.primary.next(sendJson(400, { error: { message: "No." } }));
    const { kind, attempts } = await failureOf(dropped(bench));
    assert.deepEqual([bench.primary.posts + bench.backup.posts, kind], [4, "overloaded"], "the refusal was dealt with");
    const told = attempts.map((attempt) => `${attempt.kind} ${attempt.entry ?? ""}`);
    assert.deepEqual(told, ["rejected primary", "overloaded primary", "overloaded backup"]);
  });

  it("omit stream in the retry after an error 500, but not at the other entry", async () => {
    await using bench = await startBench();
    bench.primary.always(failure(500, "x"));
    assert.deepEqual(await dropped(bench), []);
    assert.deepEqual([...fieldsAt(bench.primary), ...fieldsAt(bench.backup)], [full, "model messages tools", full]);
    bench.primary.always(right);
    await dropped(bench);
    assert.deepEqual(fieldsAt(bench.primary), [full]);
  });

  for (const refused of [["stream"], ["tools"], all]) {
    for (const isNamed of [true, false]) {
      it(`of which one of two upstreams refuses ${refused.join(", ")}, ${isNamed ? "named" : "not named"}: every question is answered, and streams again within ten minutes`, async () => {
        for (const api of [...apis, "auto"] as const) {
          for (const turns of ["AB", "AABBB"]) {
            let at = 0;
            const other = refusingFields(refused, isNamed);
            const inTurns: Fault = (exchange) => {
              (turns[at++ % turns.length] === "A" ? right : other)(exchange);
            };
            await using bench = await startBench(inTurns, { hasBackup: false });
            for (let turn = 0; turn < 12; turn += 1) {
              await dropped(bench, {
                api,
                messages: turn % 2 === 0 ? conversation.slice(1) : conversation.slice(1, 2),
              });
            }
            bench.clock.advance(600_000);
            bench.primary.always(right);
            bench.primary.forget();
            await bench.parts({ api, tools });
            assert.match(fieldsAt(bench.primary).join(), /^model \w+ tools stream( stream_options| store include)?$/);
          }
        }
      });
    }
  }
});

describe("a gateway that takes no list as input", () => {
  leavesNothing();

  const cases: readonly (readonly [error: object, inputs: string])[] = [
    [{ error: { message: "Invalid type for 'input': expected a string.", param: "input" } }, "LSSS"],
    [{ detail: [{ loc: ["body", "input", "str"], msg: "Input should be a valid string" }] }, "LSSS"],
    [{ error: { message: "Invalid value: 'assistant'.", param: "input[1].role" } }, "LSLSLS"],
    [{ error: { message: "Bad request." } }, "LSLSLS"],
  ];
  for (const [error, expected] of cases) {
    const then = expected === "LSSS" ? "the list no more" : "the next one as a list";
    it(`gets the conversation as text, and ${then}: ${JSON.stringify(error)}`, async () => {
      const refusal = sendJson(400, error);
      const isList = (request: Parameters<typeof bodyOf>[0]) => Array.isArray(bodyOf(request).input);
      await using bench = await startBench((exchange) => {
        (isList(exchange.request) ? refusal : right)(exchange);
      });
      for (let turn = 0; turn < 3; turn += 1) {
        assert.equal(textIn(await bench.parts({ api: "responses", messages: conversation.slice(1) })), rightText);
      }
      assert.equal(bench.primary.requests.map((request) => (isList(request) ? "L" : "S")).join(""), expected);
    });
  }
});

for (const api of apis) {
  describe(`a reasoning effort through ${api}`, () => {
    leavesNothing();

    const name = api === "responses" ? "reasoning" : "reasoning_effort";
    const about = (message: string, param: string): Fault =>
      sendJson(400, { error: { message, param, code: "unsupported_parameter" } });
    const high = { reasoningEffort: "high", tools } as const;
    const xhigh = { reasoningEffort: "xhigh", tools } as const;

    /** The first refusal, the questions, and the efforts of all requests. */
    const cases: readonly (readonly [string, Fault | undefined, readonly Partial<ChatRequest>[], string])[] = [
      ["is sent where it is chosen, and only there", undefined, [{}, high], "- high"],
      [
        "is left out, and nothing else, where the answer has its other name",
        about("Unsupported parameter: 'reasoning.effort'.", "reasoning.effort"),
        [high, high],
        "high - -",
      ],
      [
        "refused for its value is sent again with another value, and without tools",
        about("Unsupported value: 'xhigh'.", name),
        [xhigh, { ...xhigh, reasoningEffort: "low" }, { ...xhigh, tools: [] }],
        "xhigh - low xhigh",
      ],
    ];
    for (const [title, refusal, asked, efforts] of cases) {
      it(title, async () => {
        await using bench = await startBench();
        if (refusal) bench.primary.next(refusal);
        for (const more of asked) await dropped(bench, { api, ...more });
        const bodies = bench.primary.requests.map(bodyOf);
        const effortOf = ({ reasoning_effort: flat, reasoning }: ReturnType<typeof bodyOf>): string =>
          typeof flat === "string" ? flat : ((reasoning as { effort: string } | undefined)?.effort ?? "-");
        assert.equal(bodies.map(effortOf).join(" "), efforts);
        if (asked.every((more) => more.tools !== undefined && more.tools.length > 0))
          assert.ok(bodies.every((body) => "tools" in body));
      });
    }
  });
}

describe("a prompt that is too long", () => {
  leavesNothing();

  const message =
    "This model's maximum context length is 272000 tokens. However, your messages resulted in 310250 tokens. Please reduce the length of the messages.";
  const error = { message, type: "invalid_request_error", param: "messages", code: "context_length_exceeded" };
  const failed = { type: "response.failed", response: { status: "failed", error } };
  it("ends after one request, and nothing is learned about fields", async () => {
    for (const api of [...apis, "auto"] as const) {
      for (const fault of [sendJson(400, { error }), stream(event(failed))]) {
        await using bench = await startBench();
        bench.primary.next(fault);
        const { kind, entry, model, tokenLimit, limits } = await failureOf(dropped(bench, { api }));
        assert.deepEqual([kind, entry, model], ["contextTooLong", "primary", "gpt-5.4"]);
        assert.deepEqual([tokenLimit, limits], [272_000, "context"]);
        await dropped(bench, { api });
        const [refused = "", next, ...more] = fieldsAt(bench.primary);
        assert.match(refused, /tools stream/);
        assert.deepEqual([next, more, bench.backup.posts], [refused, [], 0]);
      }
    }
  });

  it("is reported with its limit, and one for an image is not", async () => {
    await using bench = await startBench(sendJson(400, { error }));
    const told: unknown[] = [];
    const onEvent = (event: GatewayEvent): unknown => event.type === "tokenLimit" && told.push(event);
    const gateway = clientFor(() => bench.settings, {}, { onEvent });
    const { signal } = new AbortController();
    const api: TextApi = "chatCompletions";
    await failureOf(partsOf(gateway.ask(question("Why?", { api }), signal)));
    assert.equal((await failureOf(gateway.generateImage({ prompt: "A boat" }, signal))).kind, "contextTooLong");
    assert.deepEqual(told, [{ type: "tokenLimit", model: "gpt-5.4", tokenLimit: 272_000, limits: "context" }]);
    await gateway.dispose();
  });
});

describe("an entry that only streams", () => {
  leavesNothing();

  const withoutStream =
    (fault: Fault): Fault =>
    (exchange) => {
      const isFine = bodyOf(exchange.request).stream === true || exchange.request.path.includes("images");
      (isFine ? right : fault)(exchange);
    };
  const streamsOnly = withoutStream(sendJson(400, { detail: "Only streaming is supported." }));

  it("passes the test of the connection", async () => {
    const refused = withoutStream(sendJson(400, { detail: "Stream must be set to true" }));
    const lost = withoutStream(sendJson(200, { choices: [], output: [] }));
    await using bench = await startBench();
    for (const fault of [streamsOnly, refused, lost]) {
      bench.always(fault);
      for (const api of ["auto", ...apis] as const) {
        const found = await bench.gateway.probe("gpt-5.4", new AbortController().signal, api);
        const codex = found.filter(({ group }) => group === "codex");
        assert.deepEqual(
          codex.map(({ failure }) => failure),
          [undefined, undefined],
        );
      }
    }
  });

  it("has an internal error, and refuses nothing, if it does not repeat an answer without a stream", async () => {
    for (const api of apis) {
      await using bench = await startBench(streamsOnly);
      bench.primary.next(failure(500, "x"));
      assert.equal(textIn(await bench.parts({ api })), rightText);
      assert.equal(bench.posts, "2+1");
      bench.always(failure(500, "x"));
      bench.primary.next(failure(500, "x"), streamsOnly);
      assert.equal((await failureOf(bench.parts({ api }))).kind, "serverError");
    }
  });
});

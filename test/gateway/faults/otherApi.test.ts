import assert from "node:assert/strict";
import type { AnswerPart, ChatRequest, TextApi } from "../../../src/gateway/types.ts";
import { type Bench, failureOf, leavesNothing, startBench } from "../../support/faults/bench.ts";
import {
  bodyOf,
  close,
  failure,
  refusingFields,
  right,
  rightText,
  send,
  sendJson,
  stream,
} from "../../support/faults/faults.ts";
import type { Fault, FaultServer, SeenRequest } from "../../support/faults/faultServer.ts";
import { servedByResponses } from "../../support/faults/servedByResponses.ts";
import { textIn, tools } from "../../support/localClient.ts";

const isForChat = ({ path }: SeenRequest): boolean => path === "/v1/chat/completions";
const failure404 = (message: string): Fault => sendJson(404, { error: { message } });

/** Answers chat completions like this, and responses like that. */
const byApi =
  (chat: Fault, responses: Fault = right): Fault =>
  (exchange) => {
    (isForChat(exchange.request) ? chat : responses)(exchange);
  };

/** What a gateway says that serves a model through responses only, and the answer that says it. */
const message = servedByResponses[0].message;
const refusal = failure404(message);

const apiIn = (parts: readonly AnswerPart[]): TextApi | undefined =>
  parts.flatMap((part) => (part.type === "start" ? [part.api] : []))[0];

const asked = ({ requests }: FaultServer): string =>
  requests.map((request) => (isForChat(request) ? "C" : "R")).join("");

/** Asks as often as there are series of requests, C for chat completions, and checks each series at the primary. */
async function asks<T>(bench: Bench, series: readonly string[], ask: () => Promise<T>): Promise<readonly T[]> {
  const results: T[] = [];
  for (const requests of series) {
    bench.primary.forget();
    results.push(await ask());
    assert.equal(asked(bench.primary), requests);
  }
  return results;
}

const resultOf = async (bench: Bench, more: Partial<ChatRequest> = {}) =>
  await bench.parts(more).then((parts) => ({ outcome: textIn(parts), error: undefined }), failureOf);

describe("the other API", () => {
  leavesNothing();

  const unsupported = "Unsupported legacy protocol: /v1/chat/completions is not supported.";
  const bothRefuse: readonly (readonly [second: string, first: string, fault: Fault])[] = [
    ["404", message, byApi(refusal, failure404("Not Found"))],
    ["model_not_found", message, byApi(refusal, failure(404, "model_not_found"))],
    ["405", message, byApi(refusal, failure(405, "x"))],
    ["404 after 400", unsupported, byApi(sendJson(400, { error: { message: unsupported } }), failure404("Not Found"))],
    [
      "a 404 that points to the first",
      "Please use /v1/responses instead.",
      byApi(failure404("Please use /v1/responses instead."), failure404("Please use /v1/chat/completions instead.")),
    ],
  ];
  for (const [second, first, fault] of bothRefuse) {
    it(`is none where both refuse: the first error is told, and no second request made from then on: ${second}`, async () => {
      await using bench = await startBench(fault);
      const results = await asks(bench, ["CR", "C", "C"], () => resultOf(bench));
      const told = results.map(({ error }) => [error?.gatewayMessage, error?.attempts.length]);
      assert.deepEqual(told, [
        [first, 1],
        [first, 0],
        [first, 0],
      ]);
      await asks(bench, ["C"], () => resultOf(bench, { api: "chatCompletions" }));
      assert.equal(bench.backup.posts, 0);
    });
  }

  it("leaves out what the first one named, where it is not there", async () => {
    const words =
      "Function tools with reasoning_effort are not supported for gpt-5.4. Please use /v1/responses instead.";
    const named = sendJson(400, { error: { message: words, param: "reasoning_effort" } });
    const chat: Fault = (exchange) => {
      ("reasoning_effort" in bodyOf(exchange.request) ? named : right)(exchange);
    };
    await using bench = await startBench(byApi(chat, failure404("Not Found")));
    const answers = await asks(bench, ["CRC", "C", "C"], () => bench.parts({ tools, reasoningEffort: "high" }));
    for (const parts of answers) assert.deepEqual([textIn(parts), apiIn(parts)], [rightText, "chatCompletions"]);
  });

  it("is asked at the other entry where this one has failed, four requests in all", async () => {
    await using bench = await startBench(byApi(refusal));
    bench.primary.always(byApi(refusal, failure(503, "x", "retry-after: 9\r\n")));
    assert.equal(apiIn(await bench.parts({ tools })), "responses");
    assert.deepEqual([asked(bench.primary), asked(bench.backup)], ["CR", "CR"]);
  });

  it("is not given up for a failure that passes, which is told", async () => {
    const limited = byApi(refusal, failure(429, "x", "retry-after: 90\r\n"));
    await using bench = await startBench(limited, { hasBackup: false });
    assert.equal((await resultOf(bench)).outcome, "rateLimited");
    bench.clock.advance(90_000);
    bench.primary.always(byApi(refusal));
    assert.equal((await resultOf(bench)).outcome, rightText);
  });

  it("is asked without the fields it refuses, within four requests", async () => {
    await using bench = await startBench(refusingFields(["stream_options", "stream"], true, byApi(refusal)));
    const [parts = []] = await asks(bench, ["CCCR"], () => bench.parts({ tools }));
    assert.equal(apiIn(parts), "responses");
    bench.primary.forget();
    await bench.parts({ tools });
    assert.match(asked(bench.primary), /^RR?$/);
  });

  it("is found by every saying, whatever the status, and for tools alone where they alone are refused", async () => {
    await using bench = await startBench();
    const said: readonly ((status: number, error: object) => Fault)[] = [
      (status, error) => sendJson(status, { error }),
      (_, error) => sendJson(200, { error }),
      (_, error) => stream(`event: error\ndata: ${JSON.stringify({ error })}\n\n`),
      (status, error) => send(status, "text/plain", Object.values(error).join(" ")),
    ];
    const statuses = [400, 404, 405, 422, 500, 501];
    for (const [at, { message, code, unserved }] of servedByResponses.entries()) {
      for (const form of said) {
        const model = `${at}-${said.indexOf(form)}`;
        const refused = form(statuses[at % statuses.length] ?? 400, { message, code });
        bench.primary.always(byApi(refused));
        const parts = await bench.parts({ model, tools });
        assert.deepEqual([textIn(parts), apiIn(parts)], [rightText, "responses"], message);
        bench.primary.always(right);
        assert.equal(apiIn(await bench.parts({ model })), unserved === "tools" ? "chatCompletions" : "responses");
      }
    }
    assert.equal(bench.backup.posts, 0);
  });
});

describe("the API that was learned", () => {
  leavesNothing();

  it("is forgotten when it refuses in its turn", async () => {
    await using bench = await startBench(byApi(refusal));
    await bench.parts();
    bench.primary.always(byApi(right, failure404("This model is not supported in v1/responses.")));
    const answers = await asks(bench, ["RC", "C"], () => bench.parts());
    assert.deepEqual(answers.map(apiIn), ["chatCompletions", "chatCompletions"]);
  });

  it("is looked for anew when the path of responses is gone", async () => {
    await using bench = await startBench(byApi(refusal));
    await bench.parts();
    bench.primary.always(byApi(right, failure404("Not Found")));
    assert.equal((await resultOf(bench)).outcome, "notFound");
    assert.equal(apiIn(await bench.parts()), "chatCompletions");
  });

  it("is learned for one entry only, and until the settings change", async () => {
    await using bench = await startBench();
    bench.primary.always(byApi(refusal));
    await bench.parts();
    bench.primary.next(close, close);
    assert.equal(apiIn(await bench.parts()), "chatCompletions");
    assert.equal(asked(bench.backup), "C");
    bench.clock.advance(100_000_000);
    bench.settings = { ...bench.settings, allowInsecureHttp: true };
    await asks(bench, ["CR"], () => bench.parts());
  });

  it("is fixed by the request", async () => {
    await using bench = await startBench(byApi(refusal));
    assert.equal((await resultOf(bench, { api: "chatCompletions" })).outcome, "notFound");
    assert.equal(apiIn(await bench.parts({ api: "responses" })), undefined);
    assert.equal(asked(bench.primary), "CR");
  });
});

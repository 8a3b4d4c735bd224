import assert from "node:assert/strict";
import type { AnswerPart, ChatRequest, TextApi } from "../../../src/gateway/types.ts";
import { type Bench, describeFailure, leavesNothing, startBench } from "../support/bench.ts";
import { close, failure, refusingFields, right, rightText, send, sendJson, stream } from "../support/faults.ts";
import type { Fault, FaultServer, SeenRequest } from "../support/faultServer.ts";
import { servedByResponses as message } from "../../support/gateway/entry.ts";
import { textIn, tools } from "../../support/localClient.ts";

const isForChat = ({ path }: SeenRequest): boolean => path === "/v1/chat/completions";
const failure404 = (message: string): Fault => sendJson(404, { error: { message } });

/** Answers chat completions with `chat`, and responses with `responses`. */
const byApi =
  (chat: Fault, responses: Fault = right): Fault =>
  (exchange) => {
    (isForChat(exchange.request) ? chat : responses)(exchange);
  };

/** The answer of a gateway that serves a model through responses only. */
const refusal = failure404(message);

const apiIn = (parts: readonly AnswerPart[]): TextApi | undefined =>
  parts.flatMap((part) => (part.type === "start" ? [part.api] : []))[0];

const asked = ({ requests }: FaultServer): string =>
  requests.map((request) => (isForChat(request) ? "C" : "R")).join("");

/** Asks once for each series, and checks the requests to the primary: C for chat completions, R for responses. */
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
  await bench.parts(more).then((parts) => ({ outcome: textIn(parts), error: undefined }), describeFailure);

describe("the other API", () => {
  leavesNothing();

  it("is asked with documented fields only if it refuses the question, too, and is the only one there", async () => {
    await using bench = await startBench(byApi(failure404("Not Found"), refusingFields(["stream"], false)));
    const results = await asks(bench, ["CRR", "RCR", "R"], () => resultOf(bench));
    assert.deepEqual(
      results.map(({ outcome }) => outcome),
      [rightText, rightText, rightText],
    );
  });

  const unsupported = "Unsupported legacy protocol.";
  const bothRefuse: readonly (readonly [second: string, first: string, fault: Fault])[] = [
    ["404", message, byApi(refusal, failure404("Not Found"))],
    ["model_not_found", message, byApi(refusal, failure(404, "model_not_found"))],
    ["404 after 405", unsupported, byApi(sendJson(405, { error: { message: unsupported } }), failure404("Not Found"))],
    ["a 404 that points back", message, byApi(refusal, failure404("Please use /v1/chat/completions instead."))],
  ];
  for (const [second, first, fault] of bothRefuse) {
    it(`is not tried again after both have refused, and the first error is shown: ${second}`, async () => {
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

  it("is tried once more after an error 500, or followed by the other entry after a 502, and then the first error is shown", async () => {
    await using bench = await startBench(byApi(refusal, failure(500, "not_implemented")));
    const results = await asks(bench, ["CRR", "CRR"], () => resultOf(bench));
    for (const { error } of results) assert.equal(error?.gatewayMessage, message);
    assert.ok(
      bench.health.every(({ isHealthy }) => isHealthy),
      "no fault of the entry",
    );
    for (const [status, ...series] of [
      [500, "CRR", ""],
      [502, "CR", "CR"],
    ] as const) {
      await using other = await startBench(byApi(refusal));
      other.primary.next(refusal, failure(status, "x"));
      assert.equal(textIn(await other.parts()), rightText);
      assert.deepEqual([asked(other.primary), asked(other.backup)], series);
    }
  });

  const vague = refusingFields(["stream"], false);
  const alone = { hasBackup: false };

  it("is asked before fields are guessed, and before tools or an effort that are refused by name are given up", async () => {
    const page = "<html><title>Console";
    const named = (param: string): Fault => sendJson(400, { error: { message: "Not supported.", param } });
    for (const [chat, responses, series] of [
      [refusingFields(["tools"]), right, "CR"],
      [refusingFields(["tools"]), named("tools"), "CRC"],
      [refusingFields(["reasoning_effort"]), failure404("Not Found"), "CRC"],
      [refusingFields(["stream"]), right, "CC"],
      ...[failure404("Not Found"), failure(401, "x"), failure(403, "x")].map((none) => [vague, none, "CRC"] as const),
      ...[send(502, "text/html", page), send(200, "text/html", page)].map((none) => [vague, none, "CRC"] as const),
      [vague, send(200, "application/json", ""), "CRC"],
      [vague, failure(500, "not_implemented"), "CRRC"],
      [vague, failure(503, "x"), "CRRC"],
    ] as const) {
      await using bench = await startBench(byApi(chat, responses), alone);
      const [parts = []] = await asks(bench, [series], () => bench.parts({ tools, reasoningEffort: "high" }));
      assert.equal(textIn(parts), rightText);
    }
  });

  it("is what counts where responses came first and do not exist", async () => {
    const first = { api: "responsesFirst", tools } as const;
    for (const [fault, series] of [
      [failure404("Not Found"), "RCC"],
      [failure(500, "not_implemented"), "RCC"],
    ] as const) {
      await using bench = await startBench(byApi(vague, fault), alone);
      const [parts = []] = await asks(bench, [series], () => bench.parts(first));
      assert.equal(textIn(parts), rightText);
      bench.primary.always(byApi(sendJson(400, { error: { message: "No." } }), fault));
      assert.equal((await resultOf(bench, { ...first, model: "m" })).error?.gatewayMessage, "No.");
    }
  });

  it("is asked without the fields it refuses, within four requests", async () => {
    await using bench = await startBench(refusingFields(["stream_options", "stream"], true, byApi(refusal)));
    const [parts = []] = await asks(bench, ["CCCR"], () => bench.parts({ tools }));
    assert.equal(apiIn(parts), "responses");
    bench.primary.forget();
    await bench.parts({ tools });
    assert.match(asked(bench.primary), /^RR?$/);
  });

  it("is asked after every refusal that names no field, in any form", async () => {
    await using bench = await startBench();
    const forms: readonly ((error: object) => Fault)[] = [
      ...[400, 404, 405].map((status) => (error: object) => sendJson(status, { error })),
      (error) => sendJson(200, { error }),
      (error) => stream(`event: error\ndata: ${JSON.stringify({ error })}\n\n`),
      (error) => send(400, "text/plain", Object.values(error).join(" ")),
    ];
    for (const [at, form] of forms.entries()) {
      for (const error of [{ message }, { message, param: "model" }, { message: "No." }]) {
        const model = `${String(at)} ${Object.values(error).join()}`;
        bench.primary.always(byApi(form(error)));
        bench.primary.forget();
        for (const series of ["CR", "CRR"]) {
          const parts = await bench.parts({ model, tools });
          assert.deepEqual([textIn(parts), apiIn(parts), asked(bench.primary)], [rightText, "responses", series]);
        }
      }
    }
    assert.equal(bench.backup.posts, 0);
  });

  it("is not asked after failures about a field, a key or the model's name, after pages and temporary failures", async () => {
    const others: readonly Fault[] = [
      sendJson(400, { error: { message: "No.", param: "messages[0].content" } }),
      ...[401, 409, 413, 429].map((status) => failure(status, "x")),
      failure(404, "model_not_found"),
      send(404, "text/html", "<html><title>Not Found"),
    ];
    for (const fault of others) {
      await using bench = await startBench(byApi(fault));
      await resultOf(bench);
      assert.match(asked(bench.primary), /^C+$/);
    }
  });
});

describe("the API that was learned", () => {
  leavesNothing();

  it("is forgotten when it refuses", async () => {
    await using bench = await startBench(byApi(refusal));
    await bench.parts();
    bench.primary.always(byApi(right, failure404("Not Found")));
    const answers = await asks(bench, ["RC", "C"], () => bench.parts());
    assert.deepEqual(answers.map(apiIn), ["chatCompletions", "chatCompletions"]);
  });

  it("is learned for ten minutes, and for questions with tools or without", async () => {
    await using bench = await startBench(byApi(refusal));
    await asks(bench, ["CR", "R"], () => bench.parts());
    await asks(bench, ["CR", "R"], () => bench.parts({ tools }));
    bench.clock.advance(600_000);
    await asks(bench, ["CR"], () => bench.parts());
    bench.clock.advance(599_999);
    await asks(bench, ["R"], () => bench.parts());
  });

  it("is learned for one entry only, and until the settings change", async () => {
    await using bench = await startBench();
    bench.primary.always(byApi(refusal));
    await bench.parts();
    bench.primary.next(close, close);
    assert.equal(apiIn(await bench.parts()), "chatCompletions");
    assert.equal(asked(bench.backup), "C");
    bench.settings = { ...bench.settings, allowInsecureHttp: true };
    await asks(bench, ["CR"], () => bench.parts());
  });
});

import assert from "node:assert/strict";
import type { ChatRequest } from "../../../src/gateway/types.ts";
import { rightText, send } from "../../support/faults/answers.ts";
import { type Bench, startBench } from "../../support/faults/bench.ts";
import type { Fault } from "../../support/faults/faultServer.ts";
import { close, failure } from "../../support/faults/faults.ts";
import { leavesNothing } from "../../support/faults/leavesNothing.ts";
import { failureOf } from "../../support/faults/scenario.ts";
import { servedByResponses } from "../../support/faults/servedByResponses.ts";
import {
  answering,
  apiIn,
  ask,
  asked,
  bodyOf,
  failure404,
  isForChat,
  message,
  refusal,
  refusing,
  tools,
} from "../../support/faults/twoApis.ts";
import { textIn } from "../../support/localClient.ts";

/** What an error says. */
interface Said {
  readonly message: string;
  readonly code?: string | undefined;
  readonly status: number;
}

const json = (status: number, body: unknown): Fault => send(status, "application/json", JSON.stringify(body));
const openai = ({ message, code = null }: { readonly message: string; readonly code?: string | null | undefined }) => ({
  error: { message, type: "invalid_request_error", param: "model", code },
});

/** The shapes in which gateways tell an error before the first part of an answer. */
const errorShapes: Readonly<Record<string, (said: Said) => Fault>> = {
  openai: (said) => json(said.status, openai(said)),
  flat: ({ status, message, code }) => json(status, { success: false, code, message }),
  text: ({ status, message, code }) => json(status, { error: message, code }),
  detail: ({ status, message, code }) => json(status, { detail: code === undefined ? message : { message, code } }),
  list: (said) => json(said.status, [openai(said)]),
  nested: (said) => json(said.status, { error: { type: "error", message: JSON.stringify(openai(said)) } }),
  wrapped: (said) => json(said.status, { error: { code: said.status, error: openai(said).error } }),
  raw: (said) =>
    json(said.status, {
      error: { message: "Provider returned error", code: said.status, metadata: { raw: JSON.stringify(openai(said)) } },
    }),
  plain: ({ status, message, code = "" }) => send(status, "text/plain", `${code} ${message}`),
  inside200: (said) => json(200, openai(said)),
  event: (said) => send(200, "text/event-stream", `event: error\ndata: ${JSON.stringify(openai(said))}\n\n`),
  failed: (said) =>
    send(200, "text/event-stream", `: hi\n\ndata: ${JSON.stringify({ type: "error", ...openai(said) })}\n\n`),
};

const outcomeOf = async (bench: Bench, more: Partial<ChatRequest> = {}) =>
  await ask(bench, more).then((parts) => ({ outcome: textIn(parts), error: undefined }), failureOf);

describe("the other API", () => {
  leavesNothing();

  it("is none where both refuse: the first error is told, and no second request is made from then on", async () => {
    for (const second of [failure404("Not Found"), failure(404, "model_not_found"), failure(405, "x")]) {
      await using bench = await startBench((exchange) => {
        (isForChat(exchange.request) ? refusal : second)(exchange);
      });
      for (const requests of ["CR", "C", "C"]) {
        bench.primary.forget();
        const { error } = await outcomeOf(bench);
        assert.equal(error?.gatewayMessage, message);
        assert.equal(error.attempts.length, requests.length - 1);
        assert.deepEqual([asked(bench.primary), bench.backup.posts], [requests, 0]);
      }
    }
  });

  it("is asked once, where each points to the other", async () => {
    await using bench = await startBench((exchange) => {
      const other = isForChat(exchange.request) ? "/v1/responses" : "/v1/chat/completions";
      failure404(`Please use ${other} instead.`)(exchange);
    });
    for (const requests of ["CR", "C"]) {
      bench.primary.forget();
      assert.equal((await outcomeOf(bench)).error?.gatewayMessage, "Please use /v1/responses instead.");
      assert.equal(asked(bench.primary), requests);
    }
  });

  it("is not guessed about where both refuse", async () => {
    const unsupported = "Unsupported legacy protocol: /v1/chat/completions is not supported.";
    const first = send(400, "application/json", JSON.stringify({ error: { message: unsupported } }));
    await using bench = await startBench((exchange) => {
      (isForChat(exchange.request) ? first : failure404("Not Found"))(exchange);
    });
    for (const requests of ["CR", "C"]) {
      bench.primary.forget();
      assert.equal((await outcomeOf(bench)).error?.gatewayMessage, unsupported);
      assert.equal(asked(bench.primary), requests);
    }
    bench.primary.forget();
    await outcomeOf(bench, { api: "chatCompletions" });
    assert.equal(asked(bench.primary), "C");
  });

  it("leaves out what the first one named, where it is not there", async () => {
    const words =
      "Function tools with reasoning_effort are not supported for gpt-5.4. Please use /v1/responses instead.";
    const named = { error: { message: words, param: "reasoning_effort" } };
    await using bench = await startBench((exchange) => {
      const { request } = exchange;
      if (!isForChat(request)) failure404("Not Found")(exchange);
      else if ("reasoning_effort" in bodyOf(request)) send(400, "application/json", JSON.stringify(named))(exchange);
      else answering(exchange);
    });
    for (const requests of ["CRC", "C", "C"]) {
      bench.primary.forget();
      const parts = await ask(bench, { tools, reasoningEffort: "high" });
      assert.deepEqual([textIn(parts), apiIn(parts)], [rightText, "chatCompletions"]);
      assert.equal(asked(bench.primary), requests);
    }
  });

  it("is asked at the other entry where this one has failed, four requests in all", async () => {
    const overloaded = failure(503, "x", "retry-after: 9\r\n");
    await using bench = await startBench(refusing(refusal));
    bench.primary.always((exchange) => {
      (isForChat(exchange.request) ? refusal : overloaded)(exchange);
    });
    assert.equal(apiIn(await ask(bench, { tools })), "responses");
    assert.deepEqual([asked(bench.primary), asked(bench.backup)], ["CR", "CR"]);
  });

  it("is not given up for a failure that passes, which is told", async () => {
    await using bench = await startBench(
      (exchange) => {
        (isForChat(exchange.request) ? refusal : failure(429, "x", "retry-after: 90\r\n"))(exchange);
      },
      { hasBackup: false },
    );
    assert.equal((await outcomeOf(bench)).outcome, "rateLimited");
    bench.clock.advance(90_000);
    bench.primary.always(refusing(refusal));
    assert.equal((await outcomeOf(bench)).outcome, rightText);
  });

  it("is asked without the fields it refuses, within four requests", async () => {
    await using bench = await startBench((exchange) => {
      const body = bodyOf(exchange.request);
      const refused = ["stream_options", "stream"].find((field) => field in body);
      const named = JSON.stringify({ error: { message: "Unknown parameter.", param: refused } });
      if (refused !== undefined) send(400, "application/json", named)(exchange);
      else refusing(refusal)(exchange);
    });
    assert.equal(apiIn(await ask(bench, { tools })), "responses");
    assert.equal(asked(bench.primary), "CCCR");
    bench.primary.forget();
    await ask(bench, { tools });
    assert.match(asked(bench.primary), /^RR?$/);
  });

  const shapes = Object.entries(errorShapes);
  const statuses = [400, 404, 405, 422, 500, 501] as const;
  it("is found by every saying, in every shape of an error", async () => {
    await using bench = await startBench(answering);
    for (const [name, shape] of shapes) {
      for (const [at, saying] of servedByResponses.entries()) {
        bench.primary.always(refusing(shape({ ...saying, status: statuses[at % statuses.length] ?? 400 })));
        const parts = await ask(bench, { model: `${name}-${String(at)}` });
        assert.deepEqual([textIn(parts), apiIn(parts)], [rightText, "responses"], `${name}: ${saying.message}`);
      }
    }
    assert.deepEqual(
      [asked(bench.primary), bench.backup.posts],
      ["CR".repeat(shapes.length * servedByResponses.length), 0],
    );
  });
});

describe("the API that was learned", () => {
  leavesNothing();

  it("is forgotten when it refuses in its turn", async () => {
    await using bench = await startBench(refusing(refusal));
    await ask(bench);
    bench.primary.forget();
    bench.primary.always((exchange) => {
      const isRefused = !isForChat(exchange.request);
      (isRefused ? failure404("This model is not supported in v1/responses.") : answering)(exchange);
    });
    for (const requests of ["RC", "C"]) {
      bench.primary.forget();
      assert.equal(apiIn(await ask(bench)), "chatCompletions");
      assert.equal(asked(bench.primary), requests);
    }
  });

  it("is looked for anew when the path of responses is gone", async () => {
    await using bench = await startBench(refusing(refusal));
    await ask(bench);
    bench.primary.always((exchange) => {
      (isForChat(exchange.request) ? answering : failure404("Not Found"))(exchange);
    });
    assert.equal((await outcomeOf(bench)).outcome, "notFound");
    assert.equal(apiIn(await ask(bench)), "chatCompletions");
  });

  it("is learned for one entry only, and until the settings change", async () => {
    await using bench = await startBench(answering);
    bench.primary.always(refusing(refusal));
    await ask(bench);
    bench.primary.next(close, close);
    assert.equal(apiIn(await ask(bench)), "chatCompletions");
    assert.equal(asked(bench.backup), "C");
    bench.clock.advance(100_000_000);
    bench.settings = { ...bench.settings, allowInsecureHttp: true };
    bench.primary.forget();
    await ask(bench);
    assert.equal(asked(bench.primary), "CR");
  });

  it("is fixed by the request", async () => {
    await using bench = await startBench(refusing(refusal));
    assert.equal((await outcomeOf(bench, { api: "chatCompletions" })).outcome, "notFound");
    assert.equal(apiIn(await ask(bench, { api: "responses" })), undefined);
    assert.equal(asked(bench.primary), "CR");
  });
});

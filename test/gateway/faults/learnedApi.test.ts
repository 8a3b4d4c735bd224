import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { ChatRequest } from "../../../src/gateway/types.ts";
import { type Bench, startBench } from "../../support/faults/bench.ts";
import { close } from "../../support/faults/faults.ts";
import { leavesNothing } from "../../support/faults/leavesNothing.ts";
import { failureOf } from "../../support/faults/scenario.ts";
import {
  answering,
  apiIn,
  ask,
  asked,
  failure404,
  isForChat,
  refusal,
  refusing,
} from "../../support/faults/twoApis.ts";
import { textIn } from "../../support/localClient.ts";

describe("the API that was learned", () => {
  leavesNothing();

  const outcomeOf = async (bench: Bench, more: Partial<ChatRequest> = {}) =>
    await ask(bench, more).then((parts) => ({ outcome: textIn(parts), error: undefined }), failureOf);

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

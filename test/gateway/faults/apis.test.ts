import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { EntryName } from "../../../src/gateway/types.ts";
import { rightText } from "../../support/faults/answers.ts";
import { type Bench, startBench } from "../../support/faults/bench.ts";
import { errorShapes } from "../../support/faults/errorShapes.ts";
import { close } from "../../support/faults/faults.ts";
import { leavesNothing } from "../../support/faults/leavesNothing.ts";
import { servedByResponses } from "../../support/faults/servedByResponses.ts";
import { answering, apiIn, ask, asked, refusing, tools } from "../../support/faults/twoApis.ts";
import { textIn } from "../../support/localClient.ts";

const models = ["gpt-5.3-codex", "gpt-5.3-codex-spark", "gpt-5.4", "gpt-5.4-mini", "gpt-5.5"] as const;

describe("the API that serves a model", () => {
  leavesNothing();

  const shapes = Object.entries(errorShapes);
  const statuses = [400, 404, 405, 422, 500, 501] as const;
  for (const [at, saying] of servedByResponses.entries()) {
    for (const streaming of ["auto", "off"] as const) {
      it(`is found, ${streaming === "off" ? "whole" : "streamed"}, by: ${saying.code ?? ""} ${saying.message}`, async () => {
        await using bench = await startBench(answering, { settings: { streaming } });
        for (const [place, model] of models.entries()) {
          const [, shape] = shapes[(at * models.length + place) % shapes.length] ?? assert.fail();
          const status = statuses[(at + place) % statuses.length] ?? assert.fail();
          const fault = refusing(shape({ ...saying, status }), saying.unserved);
          for (const name of ["primary", "backup"] as const) {
            bench.primary.always(name === "primary" ? fault : close);
            bench.backup.always(fault);
            await check(bench, { name, model, unserved: saying.unserved });
            bench.clock.advance(700_000);
          }
        }
      });
    }
  }

  async function check(
    bench: Bench,
    { name, model, unserved }: { name: EntryName; model: string; unserved: "model" | "tools" },
  ): Promise<void> {
    for (const hasTools of [false, true, false, true]) {
      bench[name].forget();
      const parts = await ask(bench, { model, ...(hasTools && { tools }) });
      assert.equal(textIn(parts), rightText);
      const isServed = unserved === "tools" && !hasTools;
      assert.equal(apiIn(parts), isServed ? "chatCompletions" : "responses");
      const extra = asked(bench[name]).slice(1);
      assert.ok(extra === "" || extra === "R", asked(bench[name]));
      const key = `${name} ${model} ${String(hasTools)}`;
      assert.ok(extra === "" || !extras.has(bench) || !extras.get(bench)?.has(key), `a second extra request: ${key}`);
      if (extra !== "") extras.set(bench, (extras.get(bench) ?? new Set()).add(key));
    }
  }
  const extras = new WeakMap<Bench, Set<string>>();

  it("is found in every shape of an error", async () => {
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

  it("is asked for with no request more on a gateway that takes everything", async () => {
    await using bench = await startBench(answering);
    for (const model of models) {
      for (const more of [{}, { tools }]) assert.equal(textIn(await ask(bench, { model, ...more })), rightText);
    }
    assert.equal(asked(bench.primary), "C".repeat(10));
    assert.equal(bench.backup.posts, 0);
  });
});

import assert from "node:assert/strict";
import type { AnswerOrigin, EntryName } from "../../src/gateway/types.ts";
import { SessionStats } from "../../src/status/sessionStats.ts";

const usual: AnswerOrigin = { entry: "primary", what: "text", api: "responses", model: "gpt-5.4", hasTools: false };

describe("the models that responses serve", () => {
  let session: SessionStats;
  beforeEach(() => (session = new SessionStats()));
  const answer = (more: Partial<AnswerOrigin> = {}): boolean => session.onAnswer({ ...usual, ...more });
  const modelsOf = (entry: EntryName): readonly string[] =>
    session.responsesModelsOf(entry).map(({ model, hasTools }) => `${model}${hasTools ? " with tools" : ""}`);

  it("are new once for each entry, model and use of tools, and none of an image, a fixed API, or chat completions", () => {
    for (const more of [{}, { hasTools: true }, { model: "gpt-5.5" }, { entry: "backup" }] as const)
      assert.deepEqual([answer(more), answer(more)], [true, false]);
    session = new SessionStats();
    for (const origin of [{ what: "image" }, { what: "text" }] as const)
      assert.equal(session.onAnswer({ entry: "primary", ...origin }), false);
    assert.equal(answer({ api: "chatCompletions" }), false);
    assert.deepEqual(modelsOf("primary"), []);
  });

  it("are shown by entry, with tools only where that is all that is known", () => {
    for (const more of [{ hasTools: true }, { hasTools: true, model: "gpt-5.5" }, { model: "gpt-5.5" }]) answer(more);
    assert.deepEqual(modelsOf("primary"), ["gpt-5.4 with tools", "gpt-5.5"]);
    assert.deepEqual(modelsOf("backup"), []);
  });

  it("are forgotten when chat completions answer again, and when the settings change", () => {
    answer();
    answer({ api: "chatCompletions" });
    assert.deepEqual([modelsOf("primary"), answer()], [[], true]);
    session.forgetEntries();
    assert.equal(answer(), true);
  });
});

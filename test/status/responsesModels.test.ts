import assert from "node:assert/strict";
import type { AnswerOrigin } from "../../src/gateway/types.ts";
import { ResponsesModels } from "../../src/status/responsesModels.ts";

const usual: AnswerOrigin = { entry: "primary", what: "text", api: "responses", model: "gpt-5.4", hasTools: false };
const origin = (more: Partial<AnswerOrigin> = {}): AnswerOrigin => ({ ...usual, ...more });

describe("the models that responses serve", () => {
  it("are new once for each entry, model and use of tools", () => {
    const found = new ResponsesModels();
    for (const more of [{}, { hasTools: true }, { model: "gpt-5.5" }, { entry: "backup" }] as const) {
      assert.equal(found.note(origin(more)), true);
      assert.equal(found.note(origin(more)), false);
    }
  });

  it("are not those of an image, of a fixed API, or of chat completions", () => {
    const found = new ResponsesModels();
    assert.equal(found.note({ entry: "primary", what: "image" }), false);
    assert.equal(found.note({ entry: "primary", what: "text" }), false);
    assert.equal(found.note(origin({ api: "chatCompletions" })), false);
    assert.deepEqual(found.at("primary"), []);
  });

  it("are shown by entry, with tools only where that is all that is known", () => {
    const found = new ResponsesModels();
    found.note(origin({ hasTools: true }));
    found.note(origin({ hasTools: true, model: "gpt-5.5" }));
    found.note(origin({ model: "gpt-5.5" }));
    assert.deepEqual(found.at("primary"), [
      { model: "gpt-5.4", withTools: true },
      { model: "gpt-5.5", withTools: false },
    ]);
    assert.deepEqual(found.at("backup"), []);
  });

  it("are forgotten when chat completions answer again, and when the settings change", () => {
    const found = new ResponsesModels();
    found.note(origin());
    found.note(origin({ api: "chatCompletions" }));
    assert.deepEqual(found.at("primary"), []);
    assert.equal(found.note(origin()), true);
    found.clear();
    assert.equal(found.note(origin()), true);
  });
});

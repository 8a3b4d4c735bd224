import assert from "node:assert/strict";
import { chosenEffort, effortSchema } from "../../src/chat/models/modelInformation.ts";
import { effortNotice } from "../../src/failures/effortNotice.ts";
import { reasoningEfforts } from "../../src/gateway/models.ts";
import { asArray } from "../../src/text/json.ts";

describe("the reasoning effort", () => {
  it("is that of the model picker, or of the settings where VS Code has no such choice, or an unknown one", () => {
    assert.equal(chosenEffort({ modelConfiguration: { reasoningEffort: "low" } }, "high"), "low");
    const unknown = ["", "max", 3].map((reasoningEffort) => ({ reasoningEffort }));
    const choices = [undefined, null, "low", {}, ...unknown].map((modelConfiguration) => ({ modelConfiguration }));
    for (const request of [{}, ...choices]) {
      assert.equal(chosenEffort(request, "high"), "high");
      assert.equal(chosenEffort(request, undefined), undefined);
    }
  });

  it("is offered in the model picker, each choice with a label; at first it is that of the settings", () => {
    const property = effortSchema().properties.reasoningEffort;
    assert.ok(property);
    const choices = asArray(property.enum);
    assert.deepEqual(choices.slice(1), reasoningEfforts);
    assert.equal(new Set(asArray(property.enumItemLabels)).size, choices.length);
    assert.equal(property.default, choices[0]);
    const request = { modelConfiguration: { reasoningEffort: property.default } };
    assert.deepEqual([chosenEffort(request, "high"), chosenEffort(request, undefined)], ["high", undefined]);
  });

  it("that a gateway rejects is told once per model", () => {
    const lines: string[] = [];
    const log = { info: (line: string) => lines.push(line) };
    const tell = effortNotice(log, () => ({ models: [] }));
    tell("gpt-5.4", ["stream"]);
    tell("gpt-5.4", ["reasoning_effort", "stream"]);
    tell("gpt-5.4", ["reasoning_effort"]);
    tell("gpt-5.5", ["reasoning_effort"]);
    assert.deepEqual(lines, ["reasoning effort left out · gpt-5.4", "reasoning effort left out · gpt-5.5"]);
  });
});

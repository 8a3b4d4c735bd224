import assert from "node:assert/strict";
import { chosenEffort, modelInformation } from "../../../src/chat/models/modelInformation.ts";
import { effortNotice } from "../../../src/settings/effortNotice.ts";
import { textModels } from "../../../src/gateway/models.ts";
import { mergeModels } from "../../../src/settings/modelSettings.ts";
import { asArray } from "../../../src/base/json.ts";

describe("the reasoning effort", () => {
  const model = { efforts: ["low", "high"], reasoningEffort: "high" } as const;

  it("is that of the model picker, or of the settings without a choice, or with one that the model does not have", () => {
    assert.equal(chosenEffort({ modelConfiguration: { reasoningEffort: "low" } }, model), "low");
    // Version 1.1.0 offered "settings", and all efforts for every model.
    const unknown = ["", "max", "settings", "medium", 3].map((reasoningEffort) => ({ reasoningEffort }));
    const choices = [undefined, null, "low", {}, ...unknown].map((modelConfiguration) => ({ modelConfiguration }));
    for (const request of [{}, ...choices]) {
      assert.equal(chosenEffort(request, model), "high");
      assert.equal(chosenEffort(request, { efforts: model.efforts }), undefined);
    }
    for (const other of [{}, undefined]) {
      assert.equal(chosenEffort({ modelConfiguration: { reasoningEffort: "low" } }, other), undefined);
    }
  });

  it("is offered in the model picker as each model takes it, each with a label, and none is chosen at first", () => {
    for (const known of textModels) {
      const property = modelInformation(known, true).configurationSchema?.properties.reasoningEffort;
      assert.deepEqual(property?.enum, known.efforts);
      const labels = asArray(property?.enumItemLabels);
      assert.deepEqual(
        [new Set(labels).size, property && "default" in property],
        [known.efforts?.length ?? 0, known.efforts && false],
      );
    }
    const [offered, without] = [textModels[0], textModels[1]].map((one) => one?.efforts);
    assert.deepEqual([offered, without], [["low", "medium", "high", "xhigh"], undefined]);
  });

  it("is not offered for a model that the settings add, which may ask for one all the same", () => {
    const added = mergeModels({ "gpt-6": { reasoningEffort: "minimal" }, "gpt-5.4": { name: "Mine" } });
    const [mine, other] = ["gpt-5.4", "gpt-6"].map((id) => added.find((one) => one.id === id));
    assert.ok(mine && other);
    assert.equal(modelInformation(other, true).configurationSchema, undefined);
    assert.equal(chosenEffort({}, other), "minimal");
    assert.ok(modelInformation(mine, true).configurationSchema);
  });

  it("that a gateway rejects is told once per model", () => {
    const lines: string[] = [];
    const log = { info: (line: string) => lines.push(line) };
    const texts: string[] = [];
    const tell = effortNotice(
      log,
      () => ({ models: [] }),
      (text) => texts.push(text),
    );
    tell("gpt-5.4", ["stream"]);
    tell("gpt-5.4", ["reasoning_effort", "stream"]);
    tell("gpt-5.4", ["reasoning_effort"]);
    tell("gpt-5.5", ["reasoning_effort"]);
    const told = texts.map((text) => /sent to (.+), because/.exec(text)?.[1]);
    assert.deepEqual(told, ["gpt-5.4", "gpt-5.5"]);
    assert.deepEqual(lines, ["reasoning effort omitted · gpt-5.4", "reasoning effort omitted · gpt-5.5"]);
  });
});

import assert from "node:assert/strict";
import { GatewayError, type GatewayErrorDetails, type GatewayErrorKind } from "../../../src/gateway/errors.ts";
import { FieldMemory } from "../../../src/gateway/operations/fields.ts";

const used = ["stream_options", "tools", "stream"];

function refusal(details: GatewayErrorDetails = {}, kind: GatewayErrorKind = "rejected"): GatewayError {
  return new GatewayError(kind, "", { status: 400, ...details });
}

describe("the memory of refused fields", () => {
  const suspects: readonly (readonly [string, GatewayError, string | undefined])[] = [
    ["the field the entry names", refusal({ field: "stream" }), "stream"],
    ["a field by what is inside it", refusal({ field: "stream_options.include_usage" }), "stream_options"],
    ["the first where none is named", refusal(), "stream_options"],
    ["the first after 422", refusal({ status: 422 }), "stream_options"],
    ["the first after 501", refusal({ status: 501 }), "stream_options"],
    ["the first after an error in a 200", refusal({ status: undefined }), "stream_options"],
    ["none where one is named that is documented", refusal({ field: "model" }), undefined],
    ["none where one tool is at fault", refusal({ field: "tools[0].function.parameters" }), undefined],
    ["none after another status", refusal({ status: 413 }), undefined],
    ["none after another failure", refusal({}, "serverError"), undefined],
  ];
  for (const [title, failure, suspect] of suspects) {
    it(`suspects ${title}`, () => {
      assert.equal(new FieldMemory().suspect("a", failure, used)?.field, suspect);
    });
  }

  it("does not suspect what the model has taken before", () => {
    const memory = new FieldMemory();
    memory.learn("a", ["stream_options", "stream"], []);
    assert.equal(memory.suspect("a", refusal(), used)?.field, "tools");
    assert.equal(memory.suspect("b", refusal(), used)?.field, "stream_options");
    memory.learn("a", used, []);
    assert.equal(memory.suspect("a", refusal(), used), undefined);
  });

  it("leaves out for all models what one was refused, but not where it was taken", () => {
    const memory = new FieldMemory();
    memory.learn("b", ["tools"], []);
    memory.learn("a", ["stream"], [{ field: "tools", isNamed: true }]);
    assert.deepEqual([...memory.refused("a")], ["tools"]);
    assert.deepEqual([...memory.refused("b")], []);
    assert.deepEqual([...memory.refused("c")], ["tools"]);
  });

  it("takes of several guesses only the last for proven", () => {
    const memory = new FieldMemory();
    const guesses = ["stream_options", "tools", "stream"].map((field) => ({ field, isNamed: false }));
    memory.learn("a", [], guesses);
    assert.deepEqual([...memory.refused("a")], ["stream"]);
  });
});

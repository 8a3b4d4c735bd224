import assert from "node:assert/strict";
import { LanguageModelTextPart } from "vscode";
import { toolResult } from "../../src/images/toolResult.ts";

describe("the image tool for agents", () => {
  it("tells the model that nothing was made, and not to try again, when no folder is chosen", () => {
    const [part] = toolResult(undefined).content;
    assert.ok(part instanceof LanguageModelTextPart);
    assert.match(part.value, /^No folder was chosen, so no image was made\. Do not try again/);
  });
});

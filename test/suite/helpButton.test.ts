import assert from "node:assert/strict";
import { helpButton } from "../../src/chat/helpButton.ts";

describe("the button below a failure in the chat", () => {
  it("sets up what is not set up at all", () => {
    assert.deepEqual(
      [helpButton("noEntry", "codex")?.command, helpButton("noEntry", "codex")?.title],
      ["codexGateway.setUp", "Set Up"],
    );
  });

  it("asks for the key of the group that was used", () => {
    const button = helpButton("unauthorized", "image");
    assert.deepEqual([button?.command, button?.arguments], ["codexGateway.setApiKey", ["image"]]);
  });

  it("chooses another text model, but offers none for images", () => {
    assert.equal(helpButton("modelNotFound", "codex")?.command, "codexGateway.selectModel");
    assert.equal(helpButton("modelNotFound", "image"), undefined);
  });

  it("is missing where no command helps", () => {
    assert.equal(helpButton("serverError", "codex"), undefined);
  });
});

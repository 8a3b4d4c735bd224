import assert from "node:assert/strict";
import { chooseModel } from "../../../src/chat/participant/chooseModel.ts";
import { textModels } from "../../../src/gateway/models.ts";

describe("the model that @codex asks", () => {
  const cases = [
    ["is the one picked in the Chat view", "codex-gateway", "gpt-5.4", "gpt-5.4"],
    ["is that of the settings while VS Code shows its preselection", "codex-gateway", "gpt-5.3-codex", "gpt-5.5"],
    ["is that of the settings while another provider's model is picked", "copilot", "gpt-5.4", "gpt-5.5"],
  ] as const;
  for (const [title, vendor, id, expected] of cases) {
    it(title, () => {
      assert.equal(chooseModel({ vendor, id }, "gpt-5.5", textModels), expected);
    });
  }
});

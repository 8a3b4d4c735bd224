import assert from "node:assert/strict";
import { bodyText } from "../../../src/gateway/wire/bodyText.ts";

it("the text of a body has no half characters", async () => {
  assert.equal(await bodyText({ content: ["half a \ud83d smile"] }), '{"content":["half a \ufffd smile"]}');
});

import assert from "node:assert/strict";
import { OneAtATime } from "../../../src/base/oneAtATime.ts";
import { editCommands } from "../../../src/chat/edit/editActions.ts";

describe("an edit in Restricted Mode", () => {
  for (const name of ["applyEdit", "undoEdit"] as const)
    it(`changes no file: ${name}`, async () => {
      // An access to anything else fails.
      const edits = { queue: new OneAtATime() };
      const services = { editing: { edits, notice: { end: () => undefined } } } as never;
      await assert.rejects(editCommands[name](services, "id"), { kind: "editRestricted" });
    });
});

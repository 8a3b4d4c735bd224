import assert from "node:assert/strict";
import { needsTools } from "../../../src/chat/models/needsTools.ts";

describe("a request needs tools", () => {
  const cases: readonly (readonly [string, readonly string[], boolean, boolean])[] = [
    ["not, when it offers none", [], true, false],
    ["not, when it offers only tools that read, as Ask does", ["file_search", "read_file", "get_errors"], false, false],
    ["when it must be answered by a call", ["read_file"], true, true],
    ["when it offers an edit tool, as inline chat does", ["apply_patch"], false, true],
    ["when it offers tools that change files, as agent mode does", ["read_file", "create_file"], false, true],
    ["when it offers the other edit tools", ["replace_string_in_file"], false, true],
  ];
  for (const [title, names, mustCall, expected] of cases) {
    it(title, () => {
      assert.equal(
        needsTools(
          names.map((name) => ({ name })),
          mustCall,
        ),
        expected,
      );
    });
  }
});

import assert from "node:assert/strict";
import { cleanCompletion } from "../../../src/completions/cleanCompletion.ts";
import { completionPrompt } from "../../../src/completions/completionPrompt.ts";
import { placeKind } from "../../../src/completions/placeKind.ts";
import { reply } from "./reply.ts";

const cases: readonly (readonly [code: string, suggestion: string | undefined])[] = [
  ["const names = [];\nconst first = |\n", "names;"],
  ["const names = [];\ngreet(|\n", "names);"],
  ["const names = [];\n// |\n", "Uses names."],
  ["const names = [];\n|\n", "console.log(names);"],
  ["const names = [];\nfunction first() {\n  |\n}\n", "return names;"],
  ["const names = [];\nnam|\n", undefined],
];

describe("the local gateway asked for a completion", () => {
  for (const [code, suggestion] of cases) {
    it(`suggests ${suggestion ?? "nothing"} at ${JSON.stringify(code)}`, () => {
      const [prefix = "", suffix = ""] = code.split("|");
      const place = { prefix, suffix, languageId: "typescript" };
      const kind = placeKind(place, false);
      assert.ok(kind !== "none");
      const { system, user } = completionPrompt(place, { path: "a.ts", symbols: [], edits: [] }, kind, 8_000);
      const turns = [
        { role: "system", text: system, calls: [] },
        { role: "user", text: user, calls: [] },
      ] as const;
      const { text } = reply({ model: "gpt-5.4", turns, tools: [], mustCall: false });
      assert.equal(cleanCompletion(text, place), suggestion);
    });
  }
});

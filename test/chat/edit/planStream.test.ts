import assert from "node:assert/strict";
import fc from "fast-check";
import { PlanStream } from "../../../src/chat/edit/planStream.ts";
import { each } from "../../support/each.ts";

const fence = "`````";
const patch = ["*** Begin Patch", "*** Add File: a.ts", "+const hidden = 1;", "*** End Patch"].join("\n");

describe("the plan of an answer with edits", () => {
  each([
    ["goes on before and behind a patch", `One.\n\n${patch}\nTwo.\n`, "One.\nTwo.\n"],
    ["leaves out the fence around a patch", `One.\n\n${fence}\n${patch}\n${fence}\nTwo.\n`, "One.\nTwo.\n"],
    ["leaves out a patch that is cut off", `One.\n\n${fence}\n*** Begin Patch\n*** Add File: a\n+hid`, "One.\n"],
    [
      "shows what only begins a patch",
      "It begins with\n\n*** Begin Patch\n\nSo.\n",
      "It begins with\n\n*** Begin Patch\n\nSo.\n",
    ],
    [
      "leaves out SEARCH/REPLACE blocks and their paths",
      "One.\n\nsrc/a.ts\n```ts\n<<<<<<< SEARCH\nhidden\n=======\nhidden too\n>>>>>>> REPLACE\n```\n",
      "One.\n",
    ],
    ["keeps other code", "One.\n\n```ts\nconst a = 1;\n```\n", "One.\n\n```ts\nconst a = 1;\n```\n"],
    ["keeps an answer without edits", "Nothing has to change in src/a.ts.", "Nothing has to change in src/a.ts."],
    ["keeps Chinese", "修改灯塔。\n", "修改灯塔。\n"],
  ]).hold((answer, shown) => {
    assert.equal(shownOf(answer, [answer.length]), shown);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 60 }), (sizes) => {
        assert.equal(shownOf(answer, sizes), shown);
      }),
    );
  });

  it("shows prose before its line ends", () => {
    assert.equal(new PlanStream().add("The lamp is").text, "The lamp is");
  });

  it("tells when the first edit begins", () => {
    const plan = new PlanStream();
    const begin = "*** Begin Patch\n*** Add File: a\n";
    const starts = ["Plan.\n", begin, `*** End Patch\n${begin}`].map((piece) => plan.add(piece).startsEdits);
    assert.deepEqual(starts, [false, true, false]);
  });
});

/** What is shown of an answer that arrives in pieces of these sizes. */
function shownOf(answer: string, sizes: readonly number[]): string {
  const plan = new PlanStream();
  let [shown, at] = ["", 0];
  for (const size of [...sizes, answer.length]) {
    shown += plan.add(answer.slice(at, at + size)).text;
    at += size;
  }
  return shown + plan.end();
}

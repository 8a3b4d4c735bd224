import assert from "node:assert/strict";
import fc from "fast-check";
import { PlanStream, restOf } from "../../../src/chat/edit/planStream.ts";
import { readEdits } from "../../../src/edits/read/readEdits.ts";
import { each } from "../../support/each.ts";

const fence = "`````";
const patch = ["*** Begin Patch", "*** Add File: a.ts", "+const hidden = 1;", "*** End Patch"].join("\n");
const fenced = `${fence}\n${patch}\n${fence}`;
const search = "src/a.ts\n```ts\n<<<<<<< SEARCH\nhidden\n=======\nhidden too\n>>>>>>> REPLACE\n```";

describe("an answer with edits", () => {
  each([
    ["leaves out patches and their fences", `One.\n\n${fenced}\nTwo.\n${patch}\nThree.`, "One.\n\nTwo.\nThree."],
    ["leaves out SEARCH/REPLACE blocks and their paths", `One.\n\n${search}\n`, "One.\n\n"],
    ["shows what only begins a patch", "So:\n\n*** Begin Patch\n\nSo.\n", "So:\n\n*** Begin Patch\n\nSo.\n"],
    ["keeps other code", "One.\n\n```ts\nconst a = 1;\n```\n", "One.\n\n```ts\nconst a = 1;\n```\n"],
    ["keeps an answer without edits", "Nothing has to change in src/a.ts.", "Nothing has to change in src/a.ts."],
  ]).hold((answer, shown) => {
    isShown(answer, shown, true);
  });

  each([
    ["in its own fence", `One.\n\n${fenced}\nTwo.\n`, `One.\n\n${fenced}\nTwo.\n`],
    ["in a fence of its own where it has none", `One.\n${patch}\nTwo.\n`, `One.\n\`\`\`\n${patch}\n\`\`\`\nTwo.\n`],
    ["that ends early", `One.\n\n${fence}\n*** Begin Patch\n+hid`, `One.\n\n${fence}\n*** Begin Patch\n+hid`],
    ["and its path", `One.\n\n${search}\n`, `One.\n\n${search}\n`],
  ]).hold((answer, shown) => {
    isShown(answer, shown, false);
  });

  it("is shown to its last word where its edits are not offered, whatever it is made of", () => {
    const line = fc.constantFrom(...`One.|src/a.ts||${fence}|\`\`\`ts|+a| b|${search}|${patch}`.split(/[|\n]/));
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), (lines) => {
        const answer = lines.join("\n");
        const shown = shownOf(answer, [answer.length], false).split("\n");
        for (const one of lines) assert.ok(shown.includes(one), JSON.stringify(answer));
      }),
    );
  });

  it("shows prose before its line ends", () => {
    assert.equal(new PlanStream().add("The lamp is").text, "The lamp is");
  });

  it("tells when the first edit begins", () => {
    const plan = new PlanStream();
    const pieces = ["Plan.\n", "*** Begin Patch\n", "*** End Patch\n*** Begin Patch\n"];
    const starts = pieces.map((piece) => plan.add(piece).startsEdits);
    assert.deepEqual(starts, [false, true, false]);
  });
});

/** Whether this is shown of an answer, in whatever pieces it arrives. */
function isShown(answer: string, shown: string, isOffered: boolean): void {
  assert.equal(shownOf(answer, [answer.length], isOffered), shown);
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 60 }), (sizes) => {
      assert.equal(shownOf(answer, sizes, isOffered), shown);
    }),
  );
}

/** What is shown of an answer that arrives in pieces of these sizes. */
function shownOf(answer: string, sizes: readonly number[], isOffered: boolean): string {
  const plan = new PlanStream();
  let [shown, at] = ["", 0];
  for (const size of [...sizes, answer.length]) {
    shown += plan.add(answer.slice(at, at + size)).text;
    at += size;
  }
  return shown + restOf(answer, plan.shown, readEdits(answer, new Map()), isOffered);
}

import assert from "node:assert/strict";
import fc from "fast-check";
import { repairFor, resolveAnswer, shownTexts } from "../../../src/chat/edit/resolveAnswer.ts";
import { readEdits } from "../../../src/edits/read/readEdits.ts";
import { mergedEdits } from "../../../src/edits/repairPrompt.ts";
import { each } from "../../support/each.ts";
import { anchors, hostileAnswer, newlyRevealed } from "../../support/edits/hostileAnswer.ts";

/** A file in which every other line is one that anybody knows. */
const fileOf = (name: string): readonly string[] =>
  Array.from({ length: 60 }, (_, line) =>
    line % 2 === 0 ? (anchors[line % anchors.length] ?? "") : `value ${line} of ${name}`,
  );
const names = ["src/a.ts", "src/b.ts", "notes/.env", "deep/key.pem", "config.json"];
const texts = new Map(names.map((name) => [name, fileOf(name).join("\n")]));

/** What a question shows: the middle of one file, and all of another, with a value masked. */
const parts = [
  { uri: "src/a.ts", text: fileOf("src/a.ts").slice(20, 30).join("\n"), start: 20 },
  { uri: "src/a.ts", text: fileOf("src/a.ts").slice(40, 45).join("\n"), start: 40 },
  { uri: "config.json", text: fileOf("config.json").join("\n").replace("value 7 of config.json", "[removed]") },
];
const shown = shownTexts(parts, (path) => path);

describe("the second request for an edit that does not fit", () => {
  const repair = (answer: string, quoted = shown): string | undefined =>
    repairFor(resolveAnswer(readEdits(answer, texts), { texts, shownInFull: new Set(), denied: new Map() }), quoted);
  const first = parts.map(({ text }) => text).join("\n");
  const hidden = names.flatMap((name) => fileOf(name)).filter((line) => line.startsWith("value"));

  it("quotes the lines that the model was shown", () => {
    const answer = "src/a.ts\n`````\n<<<<<<< SEARCH\nvalue 21 of src/a.ts\nwrong\n=======\nx\n>>>>>>> REPLACE\n`````";
    const prompt = repair(answer) ?? "";
    assert.match(
      prompt,
      /The first of its old lines that differs is:\n```\nwrong\n```\nThe file has another line 23\.[^]*value 21 of src\/a\.ts\n/,
    );
    assert.match(prompt, /\(a line that was not quoted\)/);
  });

  it("has no line of a file that the first did not have, whatever the answer names and quotes", () => {
    let asked = 0;
    let leaks = 0;
    fc.assert(
      fc.property(hostileAnswer(names, hidden), (answer) => {
        const prompt = repair(answer);
        if (prompt !== undefined) asked += 1;
        assert.deepEqual(newlyRevealed(prompt ?? "", hidden, first + answer), []);
        leaks += newlyRevealed(repair(answer, texts) ?? "", hidden, first + answer).length;
      }),
      { numRuns: 1_500 },
    );
    assert.ok(asked > 100 && leaks > 100, `${asked} second requests; quoting the files would reveal ${leaks} lines`);
  });

  /** An edit whose first old line is in each file, but not the one below it. */
  const misfit = (name: string): string =>
    `${name}\n\`\`\`\`\`\n<<<<<<< SEARCH\nNODE_ENV=\nwrong\n=======\nx\n>>>>>>> REPLACE\n\`\`\`\`\``;

  it("is not sent for a file that the question did not show", () => {
    assert.notEqual(repair(misfit("src/a.ts")), undefined);
    assert.equal(repair(misfit("src/b.ts")), undefined);
  });

  it("is not sent if the answer changes a file that may not be read, too", () => {
    const edits = readEdits(`${misfit("src/a.ts")}\n\n${misfit("notes/.env")}`, texts);
    const denied = new Map([["notes/.env", "secret" as const]]);
    const resolved = resolveAnswer(edits, { texts, shownInFull: new Set(), denied });
    assert.deepEqual(resolved.refusals, [{ kind: "secret", path: "notes/.env" }]);
    assert.equal(repairFor(resolved, shown), undefined);
  });
});

describe("the second answer for edits that do not fit", () => {
  /** An edit of a line that each file has once, and one of a line that no file has. */
  const fit = (name: string, line: number): string =>
    `src/${name}\n\`\`\`\`\`\n<<<<<<< SEARCH\nvalue ${line} of src/${name}\n=======\nx${line}\n>>>>>>> REPLACE\n\`\`\`\`\``;
  const misfit = fit("b.ts", 99);
  const [one, two, three] = [fit("a.ts", 21), fit("b.ts", 21), fit("b.ts", 31)];
  const moved = fit("b.ts", 41).replace("x41", "x21");

  each<[first: readonly string[], second: readonly string[]], readonly string[]>([
    ["keeps what fits in other files", [one, misfit], [two], ["src/a.ts x21", "src/b.ts x21"]],
    ["keeps what fits in the same file", [two, misfit], [three], ["src/b.ts x21 x31"]],
    ["may repeat what fits", [one, two, misfit], [two, one, three], ["src/a.ts x21", "src/b.ts x21 x31"]],
    ["may leave out what does not fit", [one, misfit], [one], ["src/a.ts x21"]],
    ["may add the same lines at another place", [two, misfit], [moved, three], ["src/b.ts x31 x21"]],
  ]).gives((first, second) => {
    const known = { texts, shownInFull: new Set<string>(), denied: new Map() };
    const before = resolveAnswer(readEdits(first.join("\n\n"), texts), known);
    const reading = readEdits(second.join("\n\n"), texts);
    const operations = mergedEdits(reading.operations, before.operations, before.problems);
    const { changes } = resolveAnswer({ ...reading, operations }, known);
    const found = changes.map(({ path, text }) => [path, ...(text.match(/^x\d+/gm) ?? [])].join(" "));
    return found.toSorted();
  });
});

import assert from "node:assert/strict";
import { before, describe, it } from "mocha";
import { resolveEdits } from "../../src/edits/resolveEdits.ts";
import { type Draft, draftOf, type Format } from "../support/edits/draft.ts";
import { fileText, type RealEdit, withHunks } from "../support/edits/edit.ts";
import { Random } from "../support/edits/random.ts";
import { realEdits } from "../support/edits/realEdits.ts";
import { writeEdit } from "../support/edits/writeAnswer.ts";
import { patchSection } from "../support/edits/writePatch.ts";

const named = ["searchReplace", "fencedPatch", "diff", "wholeFile"] as const;
const random = new Random("several files");

describe("an answer about several files", function () {
  this.timeout(60_000);
  let edits: readonly RealEdit[] = [];

  before("make the edits", () => {
    ({ edits } = realEdits());
  });

  for (const format of named) {
    it(`changes each of them, as ${format}`, () => {
      const pairs = pairsOf(edits, format).slice(0, 40);
      assert.ok(pairs.length >= 20, `${pairs.length} pairs`);
      for (const pair of pairs) {
        const { changes, problems } = resolveEdits(together(pair, format), filesOf(pair));
        assert.deepEqual(problems, [], together(pair, format));
        assert.deepEqual(textsOf(changes), new Map(pair.map(({ edit }) => [edit.path, textAfter(edit)])));
      }
    });

    it(`never mistakes one for the other where the second is cut off, as ${format}`, () => {
      for (const pair of pairsOf(edits, format).slice(0, 20)) {
        const answer = together(pair, format);
        const cut = answer.slice(0, answer.length - 8 - random.below(Math.floor(answer.length / 3)));
        const { changes } = resolveEdits(cut, filesOf(pair));
        for (const { path, text } of changes) {
          const edit = pair.find((one) => one.edit.path === path)?.edit;
          assert.ok(edit && partsOf(edit).includes(text), cut);
        }
      }
    });
  }

  it("adds, deletes, and moves files in the same patch", () => {
    for (const pair of pairsOf(edits, "fencedPatch").slice(0, 20)) {
      const [moved, deleted] = pair;
      const [head = "", ...section] = patchSection(moved);
      const added = ["*** Add File: new/folder/added.ts", "+export const added = true;", "+"];
      const change = [...added, head, "*** Move to: new/name.txt", ...section, `*** Delete File: ${deleted.edit.path}`];
      const answer = ["`````", "*** Begin Patch", ...change, "*** End Patch", "`````"].join("\n");
      const { changes, problems } = resolveEdits(answer, filesOf(pair));
      assert.deepEqual(problems, [], answer);
      const told = changes.map(({ path, kind, newPath }) => [kind, path, newPath]);
      assert.deepEqual(told.sort(), [
        ["create", "new/folder/added.ts", undefined],
        ["delete", deleted.edit.path, undefined],
        ["rename", moved.edit.path, "new/name.txt"],
      ]);
      assert.equal(changes.find(({ kind }) => kind === "rename")?.text, textAfter(moved.edit));
      assert.match(changes.find(({ kind }) => kind === "create")?.text ?? "", /^export const added = true;\n{1,2}$/);
    }
  });
});

/** Two answers in the same format about different files. */
function pairsOf(edits: readonly RealEdit[], format: Format): readonly (readonly [Draft, Draft])[] {
  const drafts = edits.flatMap((edit) => draftOf(edit, format, "generous", random) ?? []);
  const clear = drafts.filter(
    ({ chunks }) => !chunks.some(({ rows }) => rows.some(({ text }) => /^\s*(```|~~~|[<=>]{5})/.test(text))),
  );
  return clear.flatMap((draft, index) => {
    const other = clear[index + 1];
    return index % 2 === 0 && other && other.edit.path !== draft.edit.path ? [[draft, other] as const] : [];
  });
}

function together(pair: readonly [Draft, Draft], format: Format): string {
  if (format !== "fencedPatch")
    return pair.map((draft) => writeEdit(draft, new Random(draft.path))).join("\n\nAnd then:\n\n");
  return ["`````", "*** Begin Patch", ...pair.flatMap((draft) => patchSection(draft)), "*** End Patch", "`````"].join(
    "\n",
  );
}

function filesOf(pair: readonly [Draft, Draft]): ReadonlyMap<string, string> {
  return new Map(pair.map(({ edit }) => [edit.path, fileText(edit.lines, edit.form)]));
}

function textsOf(changes: ReturnType<typeof resolveEdits>["changes"]): ReadonlyMap<string, string> {
  return new Map(changes.map(({ path, text }) => [path, text]));
}

function textAfter({ lines, hunks, form }: RealEdit): string {
  return fileText(withHunks(lines, hunks), form);
}

/** The file with some of the hunks, as they may be complete where the answer ends. */
function partsOf({ lines, hunks, form }: RealEdit): readonly string[] {
  const some = Array.from({ length: 2 ** hunks.length }, (_, chosen) =>
    hunks.filter((__, index) => chosen & (1 << index)),
  );
  return some.map((part) => fileText(withHunks(lines, part), form));
}

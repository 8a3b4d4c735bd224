import assert from "node:assert/strict";
import fc from "fast-check";
import { hasEdits, pathsIn, repairFor, resolveAnswer, unchangedTarget } from "../../../src/chat/edit/resolveAnswer.ts";
import { type EditReading, readEdits } from "../../../src/edits/read/readEdits.ts";
import { shownText } from "../../../src/prompts/shownText.ts";

const known = {
  texts: new Map([["a.py", "a = 1\nb = 2\n"]]),
  shownInFull: new Set<string>(),
  denied: new Map(),
};

const read = (answer: string): EditReading => readEdits(answer, known.texts);

describe("the edits of an answer in the chat", () => {
  it("replace a whole file only if the model has read all of it", () => {
    const texts = new Map([["b.ts", "one();\ntwo();\n"]]);
    const whole = readEdits("```ts b.ts\none();\nthree();\n```", texts);
    for (const shown of [[], ["b.ts"]]) {
      const { changes } = resolveAnswer(whole, { ...known, texts, shownInFull: new Set(shown) });
      assert.equal(changes.length, shown.length);
    }
  });

  it("name files by the paths that are read and changed", () => {
    for (const path of ["./a.py", "lib/./b.py:2", "lib//b.py:2-3", "lib\\b.py#L2", "`lib/b.py`"]) {
      const { all, existing } = pathsIn(read(`*** Begin Patch\n*** Update File: ${path}\n-a\n+b\n*** End Patch`));
      const expected = [path.includes("a.py") ? "a.py" : "lib/b.py"];
      assert.deepEqual([[...all], [...existing]], [expected, expected], path);
    }
  });

  it("are asked for again where they cannot be read and name no file", () => {
    const rows = ["*** Update File: a.py", "@@", "-a = 1", "+<!-- a", "+  b -->", "*** End Patch"];
    const reading = read(["*** Begin Patch", ...rows].join("\n"));
    assert.equal(hasEdits(reading), true);
    assert.match(repairFor(resolveAnswer(reading, known), known.texts) ?? "", /put it into a fenced block/);
  });

  it("replace the target lines only where these are as the model has read them", () => {
    const [target, old] = [{ path: "b.ts", start: 3, end: 5 }, ["same();", "x();", "}", "same();", "x();", "}"]];
    const shown = new Map([["b.ts", shownText([{ text: "same();\nx();", start: 3 }])]]);
    const hunk = "b.ts\n<<<<<<< SEARCH\nsame();\n=======\nother();\n>>>>>>> REPLACE";
    for (const [typed, expected] of [
      ["", [old.with(3, "other();")]],
      ["\uFEFF", [old.with(3, "other();")]],
      ["typed();\n", []],
    ] as const) {
      const texts = new Map([["b.ts", typed + textOf(old)]]);
      const { changes } = resolveAnswer(read(hunk), { ...known, texts }, unchangedTarget(target, shown, texts));
      const [found, wanted] = [changes.map(({ text }) => text), expected.map((lines) => typed + textOf(lines))];
      assert.deepEqual(found, wanted);
    }
  });

  it("change all files or none", () => {
    const lines = Array.from({ length: 40 }, (_, at) => `line ${at}`);
    const texts = new Map(["a.ts", "src/b.ts", "src/c.ts"].map((path) => [path, textOf(lines)]));
    const kinds = fc.constantFrom("update", "delete", "rename");
    const rows = fc.uniqueArray(fc.integer({ min: 0, max: 39 }), { minLength: 1, maxLength: 5 });
    const wanted = fc.tuple(...Array.from(texts.keys(), (path) => fc.tuple(fc.constant(path), kinds, rows)));
    fc.assert(
      fc.property(wanted, fc.double({ min: 0, max: 0.99, noNaN: true }), (files, cutAt) => {
        const expected = new Map([["new.ts", "one\n"]]);
        const sections = files.flatMap(([path, kind, changed]): readonly string[] => {
          if (kind === "delete") return [`*** Delete File: ${path}`];
          const after = lines.map((text, at) => (changed.includes(at) ? `${text} of ${path}` : text));
          expected.set(kind === "rename" ? `moved/${path}` : path, textOf(after));
          const hunks = changed
            .toSorted((one, other) => one - other)
            .flatMap((at) => ["@@", `-${lines[at] ?? ""}`, `+${after[at] ?? ""}`]);
          return [`*** Update File: ${path}`, ...(kind === "rename" ? [`*** Move to: moved/${path}`] : []), ...hunks];
        });
        const patch = ["*** Begin Patch", ...sections, "*** Add File: new.ts", "+one", "*** End Patch"];
        const answer = ["`````", ...patch, "`````"].join("\n");
        const shown = { ...known, texts };
        assert.deepEqual(textsAfter(texts, resolveAnswer(readEdits(answer, texts), shown)), expected, answer);
        const cut = answer.slice(0, Math.floor(cutAt * (answer.length - 12)));
        const wrong = answer.replace("\n-line", "\n-mine");
        for (const broken of [cut, ...(wrong === answer ? [] : [wrong])]) {
          assert.deepEqual(resolveAnswer(readEdits(broken, texts), shown).changes, [], broken);
        }
      }),
    );
  });
});

function textOf(lines: readonly string[]): string {
  return `${lines.join("\n")}\n`;
}

function textsAfter(
  texts: ReadonlyMap<string, string>,
  { changes }: ReturnType<typeof resolveAnswer>,
): ReadonlyMap<string, string> {
  const after = new Map(texts);
  for (const { path, kind } of changes) if (kind === "delete" || kind === "rename") after.delete(path);
  for (const { path, kind, newPath, text } of changes) if (kind !== "delete") after.set(newPath ?? path, text);
  return after;
}

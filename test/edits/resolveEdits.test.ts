import assert from "node:assert/strict";
import { type EditProblemKind, resolveEdits } from "../../src/edits/resolveEdits.ts";
import { outcome } from "../support/edits/outcome.ts";
import { each } from "../support/each.ts";

const path = "src/a.ts";
const text = "import x from 'x';\n\nfunction one() {\n  return 1;\n}\n\nfunction two() {\n  return 2;\n}\n";
const files = new Map([
  [path, text],
  ["src/b.ts", "export const b = 1;\n"],
]);
const changed = text.replace("return 1", "return 10");

const search = (old: string, lines: string): string => `<<<<<<< SEARCH\n${old}\n=======\n${lines}\n>>>>>>> REPLACE`;
const patch = (...lines: readonly string[]): string => ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");
const one = search("  return 1;", "  return 10;");
const replace = (lines: string): string => `\`\`\`ts replace\n${lines}\n\`\`\``;
const asked = { path, start: 3, end: 4 };
const moved = (from: string, to: string): readonly string[] => [`*** Update File: ${from}`, `*** Move to: ${to}`];

describe("an answer that changes a file", () => {
  const cases: Readonly<Record<string, string>> = {
    "with a SEARCH/REPLACE block below the path": `${path}\n${one}`,
    "with a SEARCH/REPLACE block in a fence below the path": `**${path}**:\n\n\`\`\`ts\n${one}\n\`\`\``,
    "with the path inside of the fence": `\`\`\`ts\n${path}\n${one}\n\`\`\``,
    "with the path in a sentence": `In \`${path}\`, change this:\n\n${one}\n\nDone.`,
    "with the path as a link": `[${path}](${path})\n${one}`,
    "with the path as a mention": `@${path}\n${one}`,
    "with a bold label before the path": `**File:** \`${path}\`\n${one}`,
    "with a picture before the path": `📄 ${path}\n${one}`,
    "with the path in a line of dashes": `--- ${path} ---\n${one}`,
    "with a verb before the path": `Update ${path}:\n${one}`,
    "with tildes for a fence": `${path}\n~~~ts\n${one}\n~~~`,
    "in a quote": `> ${path}\n> \`\`\`ts\n> ${one.replaceAll("\n", "\n> ")}\n> \`\`\``,
    "with line endings of Windows": `${path}\n${one}`.replaceAll("\n", "\r\n"),
    "with a patch": patch(`*** Update File: ${path}`, "@@", " function one() {", "-  return 1;", "+  return 10;", " }"),
    "with a patch that is not indented like its fence": `  \`\`\`\n${patch(`*** Update File: ${path}`, "@@", "-  return 1;", "+  return 10;", " }")}\n  \`\`\``,
    "with the whole file not indented like its fence": `${path}\n  \`\`\`ts\n${changed}  \`\`\``,
    "with a unified diff outside of a fence": `So:\n\n--- a/${path}\n+++ b/${path}\n@@ -3,3 +3,3 @@\n function one() {\n-  return 1;\n+  return 10;\n }\n\nDone.`,
    "with a unified diff above a rule": `--- a/${path}\n+++ b/${path}\n@@ -3,2 +3,2 @@\n function one() {\n-  return 1;\n+  return 10;\n\n---\n\nDone.`,
    "with a unified diff that ends with a blank line of context": `--- a/${path}\n+++ b/${path}\n@@ -4,3 +4,3 @@\n-  return 1;\n+  return 10;\n }\n `,
    "with a unified diff whose last blank line has lost its mark": `--- a/${path}\n+++ b/${path}\n@@ -4,3 +4,3 @@\n-  return 1;\n+  return 10;\n }\n\n`,
    "with the whole file": `\`\`\`ts ${path}\n${changed}\`\`\``,
  };
  for (const [title, answer] of Object.entries(cases)) {
    it(title, () => {
      const { changes, problems } = resolveEdits(answer, files);
      assert.deepEqual(problems, []);
      const told = changes.map((change) => [change.path, change.kind, change.text]);
      assert.deepEqual(told, [[path, "update", changed]]);
      const hunks = changes[0]?.hunks.map(({ start, end, lines }) => ({ start, end, lines }));
      assert.deepEqual(hunks, [{ start: 3, end: 4, lines: ["  return 10;"] }]);
    });
  }

  it("may change several places and files, in any order", () => {
    const two = search("  return 2;", "  return 20;");
    const answer = `${path}\n${two}\n\n${one}\n\nsrc/b.ts\n${search("export const b = 1;", "export const b = 2;")}`;
    assert.deepEqual(outcome(answer, files), [changed.replace("return 2", "return 20"), "export const b = 2;\n"]);
  });

  it("may delete a file by a diff", () => {
    const answer = "```diff\n--- a/src/b.ts\n+++ /dev/null\n@@ -1 +0,0 @@\n-export const b = 1;\n```";
    assert.deepEqual(
      resolveEdits(answer, files).changes.map(({ kind, path }) => [kind, path]),
      [["delete", "src/b.ts"]],
    );
  });

  it("may create, delete and rename files", () => {
    const answer = patch(
      "*** Add File: src/new.ts",
      "+const a = 1;",
      "*** Delete File: src/b.ts",
      `*** Update File: ${path}`,
      "*** Move to: src/c.ts",
      "-  return 1;",
      "+  return 10;",
    );
    assert.deepEqual(
      resolveEdits(answer, files).changes.map((change) => [change.kind, change.path, change.newPath, change.text]),
      [
        ["delete", "src/b.ts", undefined, ""],
        ["rename", path, "src/c.ts", changed],
        ["create", "src/new.ts", undefined, "const a = 1;\n"],
      ],
    );
  });

  const block = ["    if (a) {", "      b();", "    }"];
  const spacings: Readonly<Record<string, readonly string[]>> = {
    "indented by two more": block.map((line) => `  ${line}`),
    "without any indentation": block.map((line) => line.trim()),
    "with tabs": ["\t\tif (a) {", "\t\t\tb();", "\t\t}"],
    "with one line indented otherwise": block.with(1, "        b();"),
    "with white space at their ends": block.map((line) => `${line}  `),
  };
  for (const [title, lines] of Object.entries(spacings)) {
    it(`may give the target lines ${title}, and the reverse`, () => {
      const between = (from: readonly string[], to: readonly string[]): void => {
        const all = new Map([[path, `first\n${from.join("\n")}\nlast\n`]]);
        const answer = `\`\`\`ts replace\n${to.join("\n")}\n\`\`\``;
        const { changes } = resolveEdits(answer, all, { path, start: 1, end: 1 + from.length });
        assert.equal(changes[0]?.text, `first\n${to.join("\n")}\nlast\n`);
      };
      between(block, lines);
      between(lines, block);
    });
  }

  const lines = block.join("\n");
  const lost = block.map((line) => line.slice(4).replace("b()", "c()")).join("\n");
  const imported = "import x from 'x';\nimport y from 'y';";
  const marked = `Text.\n\nMore.\n\n${one}\n`;
  const twice = `${marked}\nAnother one:\n\n${one}\n`;
  const shown = (rows: string): string =>
    patch(`*** Update File: ${path}`, "@@", rows, "@@", "-  return 1;", "+  return 10;");
  each<[answer: string, before: string, start: number, end: number], string>([
    ["gets the indentation it lost where it changes more", replace(lost), lines, 0, 3, lines.replace("b()", "c()")],
    [
      "may name its file",
      `${path}\n${replace("  return 10;").replace("replace", "replace a.ts")}`,
      text,
      3,
      4,
      changed,
    ],
    ["may be below a title", `### Promise.all\n${replace("  return 10;")}`, text, 3, 4, changed],
    ["may have an info string that is nothing but the mark", "```replace\n  return 10;\n```", text, 3, 4, changed],
    ["may have marks in a file that has some", `\`\`\`md ${path}\n${twice}\`\`\``, marked, 0, 0, twice],
    [
      "may replace the lines in question and add an import elsewhere",
      `${replace("  return 10;")}\n\n${search("import x from 'x';", imported)}`,
      text,
      3,
      4,
      changed.replace("import x from 'x';", imported),
    ],
    ["may show where it is by a line", shown(" function one() {"), text, 0, 0, changed],
    ["may show where it is with lines left out", shown(" function one() {\n   // ...\n }"), text, 0, 0, changed],
    [
      "may name a class after @@ whose name begins another one",
      patch(`*** Update File: ${path}`, "@@ class A", "-  x;", "+  y;"),
      "class A {\n  x;\n}\nclass Ab {\n  x;\n}\n",
      0,
      0,
      "class A {\n  y;\n}\nclass Ab {\n  x;\n}\n",
    ],
    [
      "may name a title after @@",
      patch(`*** Update File: ${path}`, "@@ ## B", "-Run.", "+Go."),
      "## A\n\nRun.\n\n## B\n\nRun.\n",
      0,
      0,
      "## A\n\nRun.\n\n## B\n\nGo.\n",
    ],
    ["may have fences that end no block", replace("    ```\n    a\n    ```"), "    a", 0, 1, "    ```\n    a\n    ```"],
    ["leaves the end of a file without a newline as it is", replace("b();\n"), "a();", 0, 1, "b();"],
    ["repeats no lines around those in question", replace("function one() {\n  return 10;"), text, 3, 4, "malformed"],
    ["repeats no bracket below those in question", replace("  return 10;\n}"), text, 3, 4, "malformed"],
    [
      "may end with a bracket that it opens",
      replace("  if (x) {\n  return 10;\n}"),
      text,
      3,
      4,
      text.replace("  return 1;", "  if (x) {\n  return 10;\n}"),
    ],
    ["repeats not all of the file", replace(changed.trimEnd()), text, 3, 4, "malformed"],
    ["means a hunk that it repeats once", `${path}\n${one}\n${one}`, text, 0, 0, changed],
  ]).hold((answer, before, start, end, expected) => {
    assert.deepEqual(outcome(answer, { [path]: before }, { path, start, end }), [expected]);
  });

  it("may be Markdown above another block, after a blank line or with a longer fence", () => {
    const answer = "```md replace\n# B\n```\nThen run:\n```\na\n```";
    const land = (text: string): readonly string[] =>
      outcome(text, { "a.md": "# A" }, { path: "a.md", start: 0, end: 1 });
    assert.deepEqual(land(answer.replace("Then", "\n$&")), ["# B"]);
    assert.deepEqual(land(answer.replace(/^```(.*\n.*)\n```/, "````$1\n````")), ["# B"]);
    assert.deepEqual(land(answer), ["fence"]);
  });

  it("does not change several places by repeating a hunk", () => {
    const hunk = search("foo();", "bar();");
    assert.deepEqual(resolveEdits(`a\n${hunk}\n${hunk}`, new Map([["a", "x;\nfoo();\ny;\nfoo();\n"]])).changes, []);
  });

  const torn: Readonly<Record<string, string>> = {
    "with marks of another form": "<<<<<<< ORIGINAL\n  return 1;\n=======\n  return 10;\n>>>>>>> UPDATED",
    "with marks in bold": one.replace(/[<>]{7} \w+/g, "**$&**"),
    "with escaped marks": one.replaceAll("<", "&lt;").replaceAll(">", "&gt;"),
  };
  for (const [title, block] of Object.entries(torn)) {
    it(`never writes the marks of a block ${title} into a file`, () => {
      for (const answer of [
        `${path}\n\`\`\`ts\n${block}\n\`\`\``,
        `src/new.ts\n\`\`\`ts\n${block}\n\`\`\``,
        replace(block),
      ]) {
        assert.deepEqual(outcome(answer, files, asked), ["malformed"], answer);
      }
    });
  }

  it("creates no file whose path begins with a sentence", () => {
    for (const line of ["Update lib/new.ts:", "Then add this to lib/new.ts", "Move it into src/new.ts"]) {
      assert.deepEqual(resolveEdits(`${line}\n\`\`\`ts\nnew();\n\`\`\``, files).changes, [], line);
    }
    const [created] = resolveEdits("Create lib/new.ts:\n```ts\nnew();\n```", files).changes;
    assert.deepEqual([created?.kind, created?.path], ["create", "lib/new.ts"]);
  });

  it("may quote a part of a file that is named like its language", () => {
    const make = "all: build\n\tnpm test\n\nbuild:\n\ttsc\n\nclean:\n\trm -rf dist\n";
    const all = new Map([["Makefile", make]]);
    const quoted = (lines: string): string => `\`\`\`makefile\n${lines}\`\`\``;
    const answer = `${quoted("clean:\n\trm -rf dist\n")}\n\nMakefile\n${search("\trm -rf dist", "\trm -rf out")}`;
    assert.equal(resolveEdits(answer, all).changes[0]?.text, make.replace("dist", "out"));
    assert.deepEqual(resolveEdits(quoted("clean:\n\trm -rf dist\n"), all).changes, []);
  });

  it("changes the file of the target lines if it names no file, or several", () => {
    const both = { ...Object.fromEntries(files), "lib/a.ts": text };
    const first = { path, start: 0, end: 1 };
    const rows = "@@ -4 +4 @@\n-  return 1;\n+  return 10;";
    for (const answer of [one, `a.ts\n${one}`, `\`\`\`diff\n${rows}\n\`\`\``]) {
      assert.equal(resolveEdits(answer, new Map(Object.entries(both)), first).changes[0]?.path, path);
      assert.deepEqual(outcome(answer, both, first), [changed]);
    }
    assert.deepEqual(outcome(`a.ts\n${one}`, both), ["ambiguous"]);
    for (const answer of [one, `\`\`\`ts\n${one}\n\`\`\``, `\`\`\`diff\n${rows}\n\`\`\``, rows]) {
      assert.deepEqual(outcome(answer, { [path]: text }), ["noTarget"], answer);
    }
    assert.deepEqual(outcome(search("nowhere();", "there();"), both, first), ["notFound"]);
  });
});

describe("an answer is refused", () => {
  const cases: Partial<Record<EditProblemKind, Readonly<Record<string, string>>>> = {
    cutOff: {
      "with an open SEARCH block after a complete one": `${path}\n${one}\n<<<<<<< SEARCH\n  return 2;\n=====`,
      "with less of a diff than its header says": `--- a/${path}\n+++ b/${path}\n@@ -3,3 +3,3 @@\n function one() {\n-  return 1;\n+  ret`,
      "with a diff without numbers that stops in a change": `--- a/${path}\n+++ b/${path}\n@@\n function one() {\n-  return 1;\n`,
      "with fewer new lines of a diff than its header says": `--- a/${path}\n+++ b/${path}\n@@ -3,2 +3,3 @@\n function one() {\n-  return 1;\n+  let one;`,
      "that stops in the mark of a block": `${path}\n${one}\n\n<<<<<<< SEA`,
      "that stops in the next fence": `${path}\n\`\`\`\n${one}\n\`\`\`\n\nsrc/b.ts\n\``,
    },
    fence: {
      "as a diff that a fence in its context ends": `\`\`\`diff\n--- a/${path}\n+++ b/${path}\n@@ -3,9 +3,9 @@\n-  return 1;\n+  return 10;\n\`\`\`\n+lost\n\`\`\`\nx\n\`\`\``,
      "with a fence that is too short": "```md replace\n~~~\na\n~~~\n```",
      "with a new file that a fence in it ends": "```md new.md\n# A\n\n```\na\n```\n\nB\n```",
      "with a new file that a fence in a text ends": '```py new.py\na = """\n```\na\n```\n"""\n```',
    },
    ambiguous: {
      "with lines to add at no place": patch(`*** Update File: ${path}`, "@@", "+added();"),
      "with a part of the path of a file of which nothing stays": "```ts b.ts\nexport const c = 1;\n```",
    },
    notFound: {
      "as a diff outside of a block with rows after its end": `--- a/${path}\n+++ b/${path}\n@@ -4 +4 @@\n-  return 1;\n+  return 10;\n\n+lost\n`,
    },
    html: {
      "in a tag": `<div hidden>\n${patch(`*** Update File: ${path}`, "-  return 1;", "+  return 10;")}\n</div>`,
      "in a link definition": `[x]: /u "\n${path}\n${one}\n"`,
      "below an edit that opens a comment": `src/b.ts\n${search("export const b = 1;", " <!--")}\n\n${path}\n${one}`,
      "with a comment that hides a line": `${path}\n${search("  return 1;", "  return 1; <!--\n  evil();\n-->")}`,
    },
    tooLong: {
      "beyond what is shown": `${"x\n".repeat(60_000)}${path}\n${one}`,
    },
    unseen: {
      "with invisible characters": `${path}\n${search("  return 1;", "  return 1;\u202e")}`,
      "with code out of view": `${path}\n${search("  return 1;", `  return 1;${" ".repeat(200)}evil();`)}`,
    },
    ellipsis: {
      "with old lines that are left out": `${path}\n${search("function one() {\n  // ...\n}", "function one() {}")}`,
    },
    alreadyApplied: {
      "with the new lines in place": `${path}\n${search("  return 0;", "  return 1;")}`,
      "with lines to insert that are there": `${path}\n${search("function two() {", "function two() {\n  return 2;")}`,
    },
    noChange: {
      "with nothing to change": `${path}\n${search("  return 1;", "  return 1;")}`,
    },
    several: {
      "with two blocks for the same lines": "```ts replace\na\n```\n```ts replace\nb\n```",
      "with two versions of a file": [changed, text.replace("return 2", "return 20")]
        .map((version) => `\`\`\`ts ${path}\n${version}\`\`\``)
        .join("\n"),
    },
    noTarget: {
      "with a replacement below the path of another file": `src/b.ts\n\n${replace("  return 10;")}`,
      "with a replacement that names another file": replace("  return 10;").replace("replace", "replace src/b.ts"),
    },
    overlap: {
      "with two insertions at one place": patch(
        `*** Update File: ${path}`,
        ...["first", "second"].flatMap((name) => ["@@", " function one() {", `+  ${name}();`]),
      ),
    },
    unknownFile: {
      "for another file beside one that is there": `${path}\n${one}\n\nsrc/c.ts\n${one}`,
      "for another file": `src/c.ts\n${one}`,
      "with a part of the path of a file to delete": patch("*** Delete File: b.ts"),
      "with a part of the path of a file to move": patch(...moved("b.ts", "src/c.ts")),
    },
    exists: {
      "for a new file that is there": patch("*** Add File: src/B.ts", "+a"),
    },
    malformed: {
      "with a SEARCH block with two middles": `${path}\n${search("  return 1;", "  return 2;\n=======\n  return 10;")}`,
      "with a SEARCH block without its middle": `${path}\n<<<<<<< SEARCH\n  return 1;\n>>>>>>> REPLACE`,
    },
  };
  for (const [kind, answers] of Object.entries(cases)) {
    for (const [title, answer] of Object.entries(answers))
      it(title, () => {
        const code = new Map([...files, ["fences.md", "```\na\n```\n"]]);
        const target = kind === "fence" ? { path: "fences.md", start: 0, end: 3 } : asked;
        const { changes, problems } = resolveEdits(answer, code, target);
        assert.deepEqual(changes, []);
        assert.ok(
          problems.some((problem) => problem.kind === kind),
          JSON.stringify(problems),
        );
      });
  }

  each<[kind: string], string>([
    ["that move two files to one path", "exists", patch(...moved(path, "src/c.ts"), ...moved("src/b.ts", "src/C.ts"))],
    ["that swap two files", "exists", patch(...moved(path, "src/b.ts"), ...moved("src/b.ts", path))],
    ["that delete a file and create it", "exists", patch(`*** Delete File: ${path}`, `*** Add File: ${path}`, "+a")],
    [
      "that create files of one name, apart from case",
      "overlap",
      patch("*** Add File: c", "+a", "*** Add File: C", "+b"),
    ],
    ["that move a file to a new one", "overlap", patch(...moved(path, "src/c.ts"), "*** Add File: src/c.ts", "+b")],
  ]).hold((kind, answer) => {
    assert.ok(outcome(answer, files).includes(kind));
  });

  const roots = ["/etc/a.ts", "C:\\a.ts", "c:/a.ts", "\\\\host\\a.ts", "~/a.ts", "file:///a.ts"];
  for (const bad of [...roots, "../a.ts", "src/../../a.ts", "src/.. /a.ts", "a\0.ts"]) {
    it(`for a path outside of the workspace: ${JSON.stringify(bad)}`, () => {
      const answers = [
        patch(`*** Add File: ${bad}`, "+a"),
        patch(`*** Update File: ${bad}`, "-  return 1;", "+  return 10;"),
        patch(`*** Update File: ${path}`, `*** Move to: ${bad}`, "-  return 1;", "+  return 10;"),
        `${bad}\n${search("", "a")}`,
        `\`\`\`diff\n--- /dev/null\n+++ b/${bad}\n@@ -0,0 +1 @@\n+a\n\`\`\``,
      ];
      for (const answer of answers) assert.deepEqual(resolveEdits(answer, files).changes, [], answer);
    });
  }

  for (const name of [`${path}\0`, `${path}\u202e`, "a.ts\x07", "a.ts\u200b"]) {
    it(`for a whole file whose path ends in an invisible character: ${JSON.stringify(name)}`, () => {
      const lines = "```ts\none\n```";
      const infos = [`ts ${name}`, `ts:${name}`, `ts title="${name}"`, name];
      for (const answer of [`${name}\n${lines}`, ...infos.map((info) => lines.replace("ts", () => info))])
        assert.deepEqual(outcome(answer, new Map([...files, ["a.ts", "one"]])), ["outside"], answer);
    });
  }

  it("for a whole file if one of its hunks has a problem, while other files are changed", () => {
    const answer = `${path}\n${one}\n${search("nowhere", "a")}\n\nsrc/b.ts\n${search("export const b = 1;", "export const b = 2;")}`;
    const { changes, problems } = resolveEdits(answer, files);
    const changed = changes.map((change) => change.path);
    assert.deepEqual(changed, ["src/b.ts"]);
    assert.deepEqual(problems, [{ kind: "notFound", path, line: 6 }]);
  });

  it("for a whole file that is only a part of it", () => {
    const lines = Array.from({ length: 40 }, (_, index) => `line ${index};`);
    const parts = [lines.slice(15), lines.slice(0, 25), lines.slice(3, 37), lines.slice(10, 14)];
    for (const part of parts) {
      const answer = `\`\`\`ts src/a.ts\n${part.join("\n").replace("12;", "12; // new")}\n\`\`\``;
      assert.deepEqual(resolveEdits(answer, new Map([["src/a.ts", `${lines.join("\n")}\n`]])).changes, []);
    }
  });

  it("for a file of which it only quotes some lines", () => {
    const lines = text.split("\n");
    const quote = (title: string, end: number): string =>
      `${title}\n\`\`\`ts\n${lines.slice(2, end).join("\n")}\n\`\`\``;
    for (const title of [`${path}:3-5`, `\`${path}#L3-L5\``, path]) {
      assert.deepEqual(resolveEdits(quote(title, 5), files).changes, [], title);
    }
    assert.deepEqual(resolveEdits(quote(`${path}:3-9`, 9), files).changes, []);
    assert.deepEqual(outcome(quote(path, 9), files), [lines.slice(2).join("\n")]);
    const answer = quote(`${path}:3-5`, 5).replace("1", "2");
    assert.deepEqual(resolveEdits(answer, files, asked), { changes: [], problems: [] });
    assert.deepEqual(outcome(`${answer}\n${path}\n${one}`, files), [changed]);
  });

  it("wherever it is cut off", () => {
    const rows = "@@ -4 +4 @@\n-  return 1;\n+  return 10;";
    for (const answer of [
      `So:\n\n\`\`\`\n${patch(`*** Update File: ${path}`, "@@", "-  return 1;", "+  return 10;")}\n\`\`\``,
      patch(`*** Update File: ${path}`, "@@", "-  return 1;", "+  return 10;"),
      `**${path}**\n\`\`\`ts\n${one}\n\`\`\``,
      `${path}\n${one}`,
      `\`\`\`diff\n--- a/${path}\n+++ b/${path}\n${rows}\n\`\`\``,
      "```ts replace\n  return 10;\n```",
      `\`\`\`ts ${path}\n${changed}\`\`\``,
    ]) {
      for (let length = 0; length < answer.length; length += 1) {
        assert.deepEqual(resolveEdits(answer.slice(0, length), files, asked).changes, [], answer.slice(0, length));
      }
    }
  });

  it("without a problem if it contains no edit", () => {
    const answer = "The function returns `1`:\n\n```ts\nreturn 1;\n```\n\n- so\n- it is\n";
    assert.deepEqual(resolveEdits(answer, files, asked), { changes: [], problems: [] });
  });
});

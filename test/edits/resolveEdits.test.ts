import assert from "node:assert/strict";
import { type EditProblemKind, resolveEdits } from "../../src/edits/resolveEdits.ts";

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
const moved = (from: string, to: string): readonly string[] => [`*** Update File: ${from}`, `*** Move to: ${to}`];

describe("an answer that changes a file", () => {
  const cases: Readonly<Record<string, string>> = {
    "with a SEARCH/REPLACE block below the path": `${path}\n${one}`,
    "with a SEARCH/REPLACE block in a fence below the path": `**${path}**:\n\n\`\`\`ts\n${one}\n\`\`\``,
    "with the path in the fence": `\`\`\`ts:${path}\n${one}\n\`\`\``,
    "with the path as a title": `\`\`\`ts title="${path}"\n${one}\n\`\`\``,
    "with the path inside of the fence": `\`\`\`ts\n${path}\n${one}\n\`\`\``,
    "with the path in a sentence": `In \`${path}\`, change this:\n\n${one}\n\nDone.`,
    "with only the name of the file": `a.ts\n${one}`,
    "with backslashes in the path": `src\\a.ts\n${one}`,
    "with a line number behind the path": `./${path}:4\n${one}`,
    "with the path as a link": `[${path}](${path})\n${one}`,
    "with the path as a mention": `@${path}\n${one}`,
    "with a bold label before the path": `**File:** \`${path}\`\n${one}`,
    "with a picture before the path": `📄 ${path}\n${one}`,
    "with the path in a line of dashes": `--- ${path} ---\n${one}`,
    "with a verb before the path": `Update ${path}:\n${one}`,
    "with tildes for a fence": `${path}\n~~~ts\n${one}\n~~~`,
    "in a list": `1. In \`${path}\`:\n\n   \`\`\`ts\n   ${one.replaceAll("\n", "\n   ")}\n   \`\`\``,
    "in a quote": `> ${path}\n> \`\`\`ts\n> ${one.replaceAll("\n", "\n> ")}\n> \`\`\``,
    "with line endings of Windows": `${path}\n${one}`.replaceAll("\n", "\r\n"),
    "with a patch": patch(`*** Update File: ${path}`, "@@", " function one() {", "-  return 1;", "+  return 10;", " }"),
    "with a patch in a fence": `\`\`\`diff\n${patch(`*** Update File: ${path}`, "-  return 1;", "+  return 10;")}\n\`\`\``,
    "with a patch whose context lost its blanks": patch(
      `*** Update File: ${path}`,
      "@@ function one() {",
      "function one() {",
      "-  return 1;",
      "+  return 10;",
      "}",
      "",
      "function two() {",
    ),
    "with a patch that has a blank too many after each mark": patch(
      `*** Update File: ${path}`,
      " function one() {",
      "-   return 1;",
      "+   return 10;",
      " }",
    ),
    "with a unified diff whose numbers are wrong": `\`\`\`diff\n--- a/${path}\n+++ b/${path}\n@@ -90,2 +70,9 @@\n function one() {\n-  return 1;\n+  return 10;\n }\n\`\`\``,
    "with a unified diff outside of a fence": `So:\n\n--- a/${path}\n+++ b/${path}\n@@ -3,3 +3,3 @@\n function one() {\n-  return 1;\n+  return 10;\n }\n\nDone.`,
    "with the whole file": `\`\`\`ts ${path}\n${changed}\`\`\``,
    "with the whole file below its path": `### \`${path}\`\n\n\`\`\`ts\n${changed}\`\`\``,
    "with tabs for spaces": `${path}\n${search("function one() {\n\treturn 1;\n}", "function one() {\n\treturn 10;\n}")}`,
    "with indentation too much": `${path}\n${search("    return 1;\n  }", "    return 10;\n  }")}`,
    "with white space at the ends of lines": `${path}\n${search("  return 1;  \n} ", "  return 10;  \n} ")}`,
    "with a blank line too many in context": `${path}\n${search("function one() {\n\n  return 1;\n}", "function one() {\n\n  return 10;\n}")}`,
    "without a blank line of the context": `${path}\n${search("import x from 'x';\nfunction one() {\n  return 1;", "import x from 'x';\nfunction one() {\n  return 10;")}`,
  };
  for (const [title, answer] of Object.entries(cases)) {
    it(title, () => {
      const { changes, problems } = resolveEdits(answer, files);
      assert.deepEqual(problems, []);
      assert.deepEqual(
        changes.map((change) => [change.path, change.kind, change.text]),
        [[path, "update", changed]],
      );
      assert.deepEqual(
        changes[0]?.hunks.map(({ start, end, lines }) => ({ start, end, lines })),
        [{ start: 3, end: 4, lines: ["  return 10;"] }],
      );
    });
  }

  it("may change several places and files, in any order", () => {
    const two = search("  return 2;", "  return 20;");
    const answer = `${path}\n${two}\n\n${one}\n\nsrc/b.ts\n${search("export const b = 1;", "export const b = 2;")}`;
    const { changes } = resolveEdits(answer, files);
    assert.deepEqual(
      changes.map((change) => change.text),
      [changed.replace("return 2", "return 20"), "export const b = 2;\n"],
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
    "indented by two less": block.map((line) => line.slice(2)),
    "without any indentation": block.map((line) => line.trim()),
    "without what they have in common": block.map((line) => line.slice(4)),
    "with tabs": ["\t\tif (a) {", "\t\t\tb();", "\t\t}"],
    "indented twice as much": ["        if (a) {", "            b();", "        }"],
    "with one line indented otherwise": block.with(1, "        b();"),
    "with white space at their ends": block.map((line) => `${line}  `),
  };
  for (const [title, lines] of Object.entries(spacings)) {
    it(`may give the lines in question ${title}, and the reverse`, () => {
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

  it("gets the indentation of the lines in question where it lost it and changes more", () => {
    const all = new Map([[path, block.join("\n")]]);
    const answer = `\`\`\`ts replace\n${block.map((line) => line.slice(4).replace("b()", "c()")).join("\n")}\n\`\`\``;
    const { changes } = resolveEdits(answer, all, { path, start: 0, end: 3 });
    assert.equal(changes[0]?.text, block.join("\n").replace("b()", "c()"));
  });

  it("changes nothing where only the first line lost its indentation", () => {
    const all = new Map([[path, block.join("\n")]]);
    const answer = `\`\`\`ts replace\n${block.join("\n").trim()}\n\`\`\``;
    const { problems } = resolveEdits(answer, all, { path, start: 0, end: 3 });
    assert.deepEqual(
      problems.map(({ kind }) => kind),
      ["noChange"],
    );
  });

  it("may replace the lines in question in a block whose info string is nothing but the mark", () => {
    const { changes } = resolveEdits("```replace\n  return 10;\n```", files, { path, start: 3, end: 4 });
    assert.equal(changes[0]?.text, changed);
  });

  it("is refused where a block has old and new code between marks of another form", () => {
    const block = "<<<<<<< ORIGINAL\n  return 1;\n=======\n  return 10;\n>>>>>>> UPDATED";
    for (const answer of [
      `${path}\n\`\`\`ts\n${block}\n\`\`\``,
      `src/new.ts\n\`\`\`ts\n${block}\n\`\`\``,
      `\`\`\`ts replace\n${block}\n\`\`\``,
    ]) {
      const { changes, problems } = resolveEdits(answer, files, { path, start: 3, end: 4 });
      assert.deepEqual([changes, problems.map(({ kind }) => kind)], [[], ["malformed"]]);
    }
  });

  const torn: Readonly<Record<string, string>> = {
    "without its first mark": `  return 1;\n=======\n  return 10;\n>>>>>>> REPLACE`,
    "with marks in bold": one.replace(/[<>]{7} \w+/g, "**$&**"),
    "with short marks": one.replaceAll("<<<<<<<", "<").replaceAll(">>>>>>>", ">"),
    "with escaped marks": one.replaceAll("<", "&lt;").replaceAll(">", "&gt;"),
  };
  for (const [title, block] of Object.entries(torn)) {
    it(`never writes the marks of a block ${title} into a file`, () => {
      for (const answer of [
        `${path}\n\`\`\`ts\n${block}\n\`\`\``,
        `src/new.ts\n\`\`\`ts\n${block}\n\`\`\``,
        `\`\`\`ts replace\n${block}\n\`\`\``,
      ]) {
        const { changes, problems } = resolveEdits(answer, files, { path, start: 3, end: 4 });
        assert.deepEqual([changes, problems.map(({ kind }) => kind)], [[], ["malformed"]], answer);
      }
    });
  }

  it("may have marks in a file that has some", () => {
    const text = `Text.\n\nMore.\n\n${one}\n`;
    const changed = `${text}\nAnother one:\n\n${one}\n`;
    const { changes } = resolveEdits(`\`\`\`md a.md\n${changed}\`\`\``, new Map([["a.md", text]]));
    assert.equal(changes[0]?.text, changed);
  });

  it("creates no file whose folder is a sentence", () => {
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

  it("may replace the lines in question and add an import elsewhere", () => {
    const answer = `\`\`\`ts replace\n  return 10;\n\`\`\`\n\n${search("import x from 'x';", "import x from 'x';\nimport y from 'y';")}`;
    const [change] = resolveEdits(answer, files, { path, start: 3, end: 4 }).changes;
    assert.equal(change?.text, changed.replace("'x';\n", "'x';\nimport y from 'y';\n"));
  });

  it("may show where its hunks are with others that change nothing", () => {
    for (const shown of [" function one() {", " }", " function one() {\n   // ...\n }"]) {
      const answer = patch(`*** Update File: ${path}`, "@@", shown, "@@", "-  return 1;", "+  return 10;");
      assert.equal(resolveEdits(answer, files).changes[0]?.text, changed, shown);
    }
  });

  it("leaves the end of a file without a newline as it is", () => {
    const { changes } = resolveEdits("```ts replace\nb();\n\n```", new Map([[path, "a();"]]), {
      path,
      start: 0,
      end: 1,
    });
    assert.equal(changes[0]?.text, "b();");
  });

  it("may have numbers before all lines, but never some of them in a file", () => {
    const numbered = (line: string, at: number): string => `${at + 1}: ${line}`;
    const whole = changed.trimEnd().split("\n");
    const block = (lines: readonly string[]): string => `\`\`\`ts ${path}\n${lines.join("\n")}\n\`\`\``;
    assert.equal(resolveEdits(block(whole.map(numbered)), files).changes[0]?.text, changed);
    const hunk = search(["  return 1;", "}"].map(numbered).join("\n"), ["  return 10;", "}"].map(numbered).join("\n"));
    assert.equal(resolveEdits(`${path}\n${hunk}`, files).changes[0]?.text, changed);
    const some = block(whole.map((line, at) => (at % 2 === 0 ? numbered(line, at) : line)));
    assert.deepEqual(resolveEdits(some, files), { changes: [], problems: [{ kind: "malformed", path, line: 1 }] });
  });

  it("may write old lines in other characters, and new ones then as well", () => {
    const all = new Map([["a.ts", 'const a = f("x");\nconst b = a && c;\n']]);
    const answer = "a.ts\n" + search("const b = a &amp;&amp; c;", "const b = a &amp;&amp; d;");
    assert.equal(resolveEdits(answer, all).changes[0]?.text, 'const a = f("x");\nconst b = a && d;\n');
    const quotes = "a.ts\n" + search("const a = f(“x”);", "const a = f(“y”);");
    assert.equal(resolveEdits(quotes, all).changes[0]?.text, 'const a = f("y");\nconst b = a && c;\n');
  });

  it("means the file in question, or the only one with its old lines, where it names none", () => {
    assert.equal(resolveEdits(one, new Map([[path, text]])).changes[0]?.text, changed);
    assert.equal(resolveEdits(one, files).changes[0]?.text, changed);
    const both = new Map([...files, ["lib/a.ts", text]]);
    assert.equal(resolveEdits(one, both, { path, start: 0, end: 1 }).changes[0]?.text, changed);
    assert.deepEqual(resolveEdits(one, both), { changes: [], problems: [{ kind: "ambiguous", line: 0 }] });
    const none = search("nowhere();", "there();");
    assert.deepEqual(resolveEdits(none, both), { changes: [], problems: [{ kind: "notFound", line: 0 }] });
  });

  it("means the file in question where a path is short for several, and none otherwise", () => {
    const both = new Map([...files, ["lib/a.ts", text]]);
    const [change] = resolveEdits(`a.ts\n${one}`, both, { path, start: 0, end: 1 }).changes;
    assert.equal(change?.path, path);
    const { changes, problems } = resolveEdits(`a.ts\n${one}`, both);
    assert.deepEqual([changes, problems.map(({ kind }) => kind)], [[], ["ambiguous"]]);
  });

  it("does not repeat lines from around the lines in question", () => {
    const answer = "```ts replace\nfunction one() {\n  return 10;\n```";
    const { changes, problems } = resolveEdits(answer, files, { path, start: 3, end: 4 });
    assert.deepEqual([changes, problems.map(({ kind }) => kind)], [[], ["malformed"]]);
  });

  it("may take away white space at the ends of lines together with other lines", () => {
    const all = new Map([["a.yml", "one: 1  \ntwo: 2\nthree: 3\n"]]);
    const { changes } = resolveEdits("```yaml a.yml\none: 1\ntwo: 3\nthree: 3\n```", all);
    assert.equal(changes[0]?.text, "one: 1\ntwo: 3\nthree: 3\n");
  });

  it("means a hunk that it repeats once", () => {
    assert.equal(resolveEdits(`${path}\n${one}\n${one}`, files).changes[0]?.text, changed);
    const equal = new Map([["a", "x;\nfoo();\ny;\nfoo();\n"]]);
    const hunk = search("foo();", "bar();");
    assert.deepEqual(resolveEdits(`a\n${hunk}\n${hunk}`, equal).changes, []);
  });
});

describe("of equal places, an answer means", () => {
  const equal = "class A {\n  run() {\n    go();\n  }\n}\nclass B {\n  run() {\n    go();\n  }\n}\n";
  const answer = (anchor: string): string =>
    patch("*** Update File: a", `@@${anchor}`, "   run() {", "-    go();", "+    stop();", "   }");

  it("the one below its anchor", () => {
    const first = resolveEdits(answer(" class A {"), new Map([["a", equal]]));
    assert.equal(first.changes[0]?.text, equal.replace("go", "stop"));
    const second = resolveEdits(answer(" class B"), new Map([["a", equal]]));
    assert.equal(second.changes[0]?.text, equal.replace(/go(?=[^]*$)(?![^]*go)/, "stop"));
  });

  it("the one in the lines in question", () => {
    const { changes } = resolveEdits(answer(""), new Map([["a", equal]]), { path: "a", start: 5, end: 9 });
    assert.deepEqual(
      changes[0]?.hunks.map(({ start }) => start),
      [7],
    );
  });

  it("none, where nothing tells them apart", () => {
    for (const anchor of ["", " class C", " run() {"]) {
      const { changes, problems } = resolveEdits(answer(anchor), new Map([["a", equal]]));
      assert.deepEqual([changes, problems.map(({ kind }) => kind)], [[], ["ambiguous"]]);
    }
  });
});

describe("an answer is refused", () => {
  const asked = { path, start: 3, end: 4 };
  const cases: readonly (readonly [string, EditProblemKind, string])[] = [
    ["with an open fence", "cutOff", `${path}\n\`\`\`ts\n${one}`],
    ["with an open SEARCH block after a complete one", "cutOff", `${path}\n${one}\n<<<<<<< SEARCH\n  return 2;\n=====`],
    ["without the end of a patch", "cutOff", `*** Begin Patch\n*** Update File: ${path}\n-  return 1;\n+  return 10;`],
    [
      "with less of a diff than its header says",
      "cutOff",
      `--- a/${path}\n+++ b/${path}\n@@ -3,3 +3,3 @@\n function one() {\n-  return 1;\n+  ret`,
    ],
    ["that stops in the mark of a block", "cutOff", `${path}\n${one}\n\n<<<<<<< SEA`],
    ["that stops in the next fence", "cutOff", `${path}\n\`\`\`\n${one}\n\`\`\`\n\nsrc/b.ts\n\``],
    [
      "that stops in the header of a diff",
      "cutOff",
      `--- a/${path}\n+++ b/${path}\n@@ -3,3 +3,3 @@\n function one() {\n-  return 1;\n+  return 10;\n }\n@@ -7,3`,
    ],
    [
      "as a diff that a fence in its context ends",
      "fence",
      `\`\`\`diff\n--- a/${path}\n+++ b/${path}\n@@ -3,9 +3,9 @@\n-  return 1;\n+  return 10;\n\`\`\`\n+lost\n\`\`\`\nx\n\`\`\``,
    ],
    [
      "as a diff outside of a block with rows after its end",
      "notFound",
      `--- a/${path}\n+++ b/${path}\n@@ -4 +4 @@\n-  return 1;\n+  return 10;\n\n+lost\n`,
    ],
    ["in a comment", "html", `<!--\n${path}\n${one}\n-->`],
    ["in a comment, in a fence", "html", `<!--\n\`\`\`ts replace\n  return 10;\n\`\`\`\n-->`],
    ["in a tag", "html", `<div hidden>\n${patch(`*** Update File: ${path}`, "-  return 1;", "+  return 10;")}\n</div>`],
    ["in a link definition", "html", `[x]: /u "\n${path}\n${one}\n"`],
    [
      "with a comment that hides a line",
      "html",
      `${path}\n${search("  return 1;", "  return 1; <!--\n  evil();\n-->")}`,
    ],
    ["beyond what is shown", "tooLong", `${"x\n".repeat(60_000)}${path}\n${one}`],
    ["with invisible characters", "unseen", `${path}\n${search("  return 1;", "  return 1;\u202e")}`],
    ["with code out of view", "unseen", `${path}\n${search("  return 1;", `  return 1;${" ".repeat(200)}evil();`)}`],
    ["with old lines that are nowhere", "notFound", `${path}\n${search("  return 3;", "  return 10;")}`],
    [
      "with old lines that are left out",
      "ellipsis",
      `${path}\n${search("function one() {\n  // ...\n}", "function one() {}")}`,
    ],
    [
      "with a comment for code",
      "omission",
      `${path}\n${search("  return 1;", "  // ... existing code ...\n  return 10;")}`,
    ],
    [
      "with a comment for code in a whole file",
      "omission",
      `\`\`\`ts ${path}\nimport x from 'x';\n\nfunction one() {\n  return 10;\n}\n\n// rest of the code\n\`\`\``,
    ],
    [
      "with a comment in place of lines that it does not mention otherwise",
      "omission",
      `${path}\n${search("function one() {\n  return 1;\n}", "// both functions stay the same here, apart from their names")}`,
    ],
    ["with the new lines in place", "alreadyApplied", `${path}\n${search("  return 0;", "  return 1;")}`],
    [
      "with lines to insert that are there",
      "alreadyApplied",
      `${path}\n${search("function two() {", "function two() {\n  return 2;")}`,
    ],
    ["with nothing to change", "noChange", `${path}\n${search("  return 1;", "  return 1;")}`],
    ["with two blocks for the same lines", "several", "```ts replace\na\n```\n```ts replace\nb\n```"],
    [
      "with rows of a patch that lost their marks",
      "notFound",
      patch(
        `*** Update File: ${path}`,
        "@@",
        " function one() {",
        "  return 10;",
        " }",
        "@@",
        "-  return 2;",
        "+  return 20;",
      ),
    ],
    [
      "with nothing but context",
      "noChange",
      patch(`*** Update File: ${path}`, "@@", " function one() {", "   return 1;"),
    ],
    ["with hunks that overlap", "overlap", `${path}\n${one}\n${search("  return 1;\n}", "  return 11;\n}")}`],
    ["with a fence that is too short", "fence", "```md replace\n~~~\na\n~~~\n```"],
    ["for another file", "unknownFile", `src/c.ts\n${one}`],
    ["for a new file that is there", "exists", patch("*** Add File: src/B.ts", "+a")],
    [
      "with a SEARCH block with two middles",
      "malformed",
      `${path}\n${search("  return 1;", "  return 2;\n=======\n  return 10;")}`,
    ],
    ["with a SEARCH block without its middle", "malformed", `${path}\n<<<<<<< SEARCH\n  return 1;\n>>>>>>> REPLACE`],
  ];
  for (const [title, kind, answer] of cases) {
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

  const inTheWay: readonly (readonly [string, EditProblemKind, string])[] = [
    ["that move two files to one path", "exists", patch(...moved(path, "src/c.ts"), ...moved("src/b.ts", "src/C.ts"))],
    ["that swap two files", "exists", patch(...moved(path, "src/b.ts"), ...moved("src/b.ts", path))],
    ["that delete a file and create it", "exists", patch(`*** Delete File: ${path}`, `*** Add File: ${path}`, "+a")],
    [
      "that move a file to where one is deleted",
      "exists",
      patch("*** Delete File: src/b.ts", ...moved(path, "src/b.ts")),
    ],
    [
      "that create files of one name, apart from case",
      "overlap",
      patch("*** Add File: c", "+a", "*** Add File: C", "+b"),
    ],
    ["that move a file to a new one", "overlap", patch(...moved(path, "src/c.ts"), "*** Add File: src/c.ts", "+b")],
  ];
  for (const [title, kind, answer] of inTheWay) {
    it(title, () => {
      const kinds = resolveEdits(answer, files).problems.map((problem) => problem.kind);
      assert.ok(kinds.includes(kind), kinds.join());
    });
  }

  const outside = [
    "/etc/a.ts",
    "../a.ts",
    "src/../../a.ts",
    "C:\\a.ts",
    "c:/a.ts",
    "\\\\host\\a.ts",
    "~/a.ts",
    "a\0.ts",
  ];
  for (const bad of [...outside, "file:///a.ts", "src/.. /a.ts"]) {
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

  for (const character of ["\0", "\x07", "\u200b", "\u202e"]) {
    for (const name of [path, "a.ts"]) {
      const bad = name + character;
      it(`for a whole file whose path ends in an invisible character: ${JSON.stringify(bad)}`, () => {
        const lines = "```ts\none\n```";
        const answers = [
          `${bad}\n${lines}`,
          `**${bad}**:\n${lines}`,
          ...[`ts ${bad}`, `ts:${bad}`, `ts title="${bad}"`, bad].map((info) => lines.replace("ts", () => info)),
        ];
        for (const answer of answers) {
          const { changes, problems } = resolveEdits(answer, new Map([...files, ["a.ts", "one"]]));
          assert.deepEqual(changes, [], answer);
          assert.deepEqual(
            problems.map(({ kind }) => kind),
            ["outside"],
            answer,
          );
        }
      });
    }
  }

  it("for a whole file if one of its hunks has a problem, while other files are changed", () => {
    const answer = `${path}\n${one}\n${search("nowhere", "a")}\n\nsrc/b.ts\n${search("export const b = 1;", "export const b = 2;")}`;
    const { changes, problems } = resolveEdits(answer, files);
    assert.deepEqual(
      changes.map((change) => change.path),
      ["src/b.ts"],
    );
    assert.deepEqual(problems, [{ kind: "notFound", path, line: 6 }]);
  });

  it("as a whole file that has only a part of it", () => {
    const lines = Array.from({ length: 40 }, (_, index) => `line ${index};`);
    const parts = [lines.slice(15), lines.slice(0, 25), lines.slice(3, 37), lines.slice(10, 14)];
    for (const part of parts) {
      const answer = `\`\`\`ts src/a.ts\n${part.join("\n").replace("12;", "12; // new")}\n\`\`\``;
      assert.deepEqual(resolveEdits(answer, new Map([["src/a.ts", `${lines.join("\n")}\n`]])).changes, []);
    }
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

  it("without an edit, and without a problem", () => {
    const answer = "The function returns `1`:\n\n```ts\nreturn 1;\n```\n\n- so\n- it is\n";
    assert.deepEqual(resolveEdits(answer, files, asked), { changes: [], problems: [] });
  });
});

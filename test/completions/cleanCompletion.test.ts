import assert from "node:assert/strict";
import fc from "fast-check";
import { cleanCompletion } from "../../src/completions/cleanCompletion.ts";
import { assertLinear, processorTime } from "../support/assertLinear.ts";
import { damages, holes, hopeless } from "../support/completions/damagedAnswers.ts";

describe("a completion", () => {
  for (const [damage, answersFor] of Object.entries(damages)) {
    it(`is found in an answer with ${damage}`, () => {
      for (const hole of holes)
        for (const answer of answersFor(hole))
          assert.equal(cleanCompletion(answer, hole)?.trimEnd(), hole.text.trimEnd(), answer);
    });
  }

  for (const [answered, answersFor] of Object.entries(hopeless)) {
    it(`is not invented where the answer is ${answered}`, () => {
      for (const hole of holes)
        for (const answer of answersFor(hole)) assert.equal(cleanCompletion(answer, hole), undefined, answer);
    });
  }
});

describe("an answer with additions", () => {
  for (const languageId of ["tcl", "cmake", "haskell", "ocaml", "clojure", "viml", "restructuredtext", "plaintext"])
    it(`loses its fence in ${languageId}`, () => {
      const context = { prefix: "one\n", suffix: "\nthree\n", languageId };
      for (const info of ["text", languageId, ""])
        for (const opener of ["Here you go:\n\n", ""])
          assert.equal(cleanCompletion(`${opener}\`\`\`${info}\ntwo\n\`\`\`\n`, context), "two", opener + info);
    });

  it("loses the line of the cursor that it repeats", () => {
    const cases: readonly (readonly [languageId: string, prefix: string, answer: string, own: string])[] = [
      ["xml", "<a>\n  <", "  <b>c</b>", "b>c</b>"],
      ["xml", "<a>\n  <", "<b>c</b>", "b>c</b>"],
      ["typescript", "f(() => {\n  g(() => {\n  }", "  });", ");"],
      ["typescript", "type A =\n  |", '  | "b"', ' "b"'],
      ["markdown", "# A\n\n##", "## B", " B"],
      ["typescript", "if (a) {\n  b();\n} e", "} else {", "lse {"],
    ];
    for (const [languageId, prefix, answer, own] of cases)
      assert.equal(cleanCompletion(answer, { prefix, suffix: "\n", languageId }), own, prefix);
  });

  it("loses the words before the cursor that it repeats, and keeps longer ones", () => {
    const cases: readonly (readonly [languageId: string, prefix: string, answer: string, own: string])[] = [
      ["typescript", "const total = ite", "items.length;", "ms.length;"],
      ["typescript", "const open = items.fil", "items.filter(isOpen);", "ter(isOpen);"],
      ["typescript", "const open = await ", "await read();", "read();"],
      ["java", "a();\ni", "import b.C;", "mport b.C;"],
      ["c", "if (p", "(pos > 0)", "os > 0)"],
      ["go", 'import (\n\t"', '"net/http"', 'net/http"'],
      ["json", '{ "a": "', '"b",', 'b",'],
      ["css", "a {}\n.", ".b {", "b {"],
      ["python", "import ", "importlib.util", "importlib.util"],
      ["c", "int a = b ? 1", "10 : 2;", "10 : 2;"],
      ["php", "$a = $", "$b;", "$b;"],
    ];
    for (const [languageId, prefix, answer, own] of cases)
      assert.equal(cleanCompletion(answer, { prefix, suffix: "\n", languageId }), own, prefix);
  });

  it("is what is after the mark of the cursor, or before it, where the rest repeats little of the document", () => {
    const context = { prefix: "class A {\n  /**\n   * B.\n   */\n  ", suffix: "\n}\n", languageId: "java" };
    for (const answer of ["   */\n  <|cursor|>int c;", "int c;<|cursor|>\n}", "*/\n  <|cursor|>int c;[CURSOR]\n}"])
      assert.equal(cleanCompletion(`<completion>${answer}</completion>`, context), "int c;", answer);
  });

  it("loses repetitions of the line that it goes on", () => {
    const context = { prefix: "function f() {\n  return ", suffix: "\n}\n", languageId: "typescript" };
    assert.equal(cleanCompletion(`a;${"\n  return a;".repeat(5)}`, context), "a;");
  });

  it("keeps the line break and the indentation after reasoning", () => {
    const context = { prefix: "<head>\n  // Then", suffix: "\n", languageId: "javascript" };
    for (const end of ["</think>\n", "</think>\n\n\n", "</think>\n\nSure, here it is:\n\n"])
      assert.equal(cleanCompletion(`<think>Hm.${end}  run();`, context), "\n  run();", end);
  });

  it("loses the closing bracket that follows the cursor", () => {
    const context = { prefix: "#include <", suffix: ">\n", languageId: "cpp" };
    assert.equal(cleanCompletion("vector>", context), "vector");
    assert.equal(cleanCompletion("map<int, a>>", { ...context, prefix: "std::optional<" }), "map<int, a>");
  });

  it("loses the closing bracket of the editor, and the rest after it", () => {
    const context = { prefix: "const a = sum(", suffix: ")\n", languageId: "typescript" };
    assert.equal(cleanCompletion("items);", context), "items");
    assert.equal(cleanCompletion("[1, 2]);", context), "[1, 2]");
  });

  it("keeps sentences of a document that may be excuses", () => {
    const context = { prefix: "# Use\n\n", suffix: "\n", languageId: "markdown" };
    for (const line of ["Unfortunately, this needs Node 22.", "The code is in `src`.", "It seems slow at first."]) {
      const text = `First.\n\n${line}`;
      assert.equal(cleanCompletion(`<completion>${text}</completion>`, context), text);
      assert.equal(cleanCompletion(`<completion>${line}</completion>`, context), line);
    }
  });

  it("loses a sentence before it whose letters the text around it does not have", () => {
    const context = { prefix: "# 说明\n\n这个库很小。\n\n", suffix: "\n", languageId: "markdown" };
    for (const opener of ["これが補完コードです：", "다음은 완성된 코드입니다:", "Вот недостающий код:"])
      assert.equal(cleanCompletion(`${opener}\n\n根据需要安装。`, context), "根据需要安装。");
  });

  it("loses everything outside of the tag", () => {
    const context = { prefix: "<p>\n", suffix: "\n</p>\n", languageId: "html" };
    assert.equal(cleanCompletion("A text.\n<completion>  Hello</completion>\nAnother one.", context), "  Hello");
  });

  it("gets the indentation of the cursor where it has none", () => {
    const context = { prefix: "function f() {\n  ", suffix: "\n}\n", languageId: "typescript" };
    assert.equal(cleanCompletion("if (a) {\n  b();\n}\nreturn c;", context), "if (a) {\n    b();\n  }\n  return c;");
    assert.equal(cleanCompletion("if (a) {\nb();\n}", context), "if (a) {\n    b();\n    }");
    const keys = { prefix: "a:\n  b:\n    ", suffix: "\n", languageId: "yaml" };
    assert.equal(cleanCompletion("- c: d\n  e:\n  - f", keys), "- c: d\n      e:\n      - f");
    assert.equal(cleanCompletion("c:\n  d:\n    e: f", keys), "c:\n      d:\n        e: f");
    const comment = { prefix: "class A {\n  /**\n   ", suffix: "\n  b() {}\n}\n", languageId: "typescript" };
    assert.equal(cleanCompletion("* C.\n * @returns d\n */", comment), "* C.\n   * @returns d\n   */");
    const list = { prefix: "<ul>\n  ", suffix: "\n  <li>3</li>\n</ul>\n", languageId: "xml" };
    assert.equal(cleanCompletion("<li>1</li>\n<li>2</li>", list), "<li>1</li>\n  <li>2</li>");
  });

  it("gets the indentation of its first line from the lines around it", () => {
    const cases: readonly (readonly [
      languageId: string,
      prefix: string,
      answer: string,
      suffix: string,
      indent: string,
    ])[] = [
      ["typescript", "function f() {\n", "a();", "\n}\n", "    "],
      ["typescript", "function f() {\n  a();\n", "if (b) {\n    c();\n  }", "\n}\n", "  "],
      ["python", "class A:\n    a = 1\n\n", "def b(self):\n        return 1", "\n", "    "],
      ["cpp", "namespace a {\n\n", "class B {\n    int c;\n};", "\n\nclass D;\n}\n", ""],
      ["ruby", "def a\n", "b\n  c", "\nend\n", "  "],
      ["go", "func a() {\n\tb()\n}\n\nfunc c() {\n", "return d\n", "}\n\nfunc e() {}\n", "\t"],
      ["yaml", "---\na:\n", "b:\n    c: d\n", "  e:\n    f: g\n", "  "],
      ["yaml", "a:\n  - b: c\n", "d: e", "\n  - b: f\n", "    "],
      ["java", "  /**\n   * A.\n", "* B.", "\n   */\n", "   "],
      ["python", "def a():\n    return 1\n\n\n", "def b():\n    return 1", "\n", ""],
      ["java", "class A {\n  /** B. */\n", "int c;", "\n}\n", "  "],
      ["c", "  if (a)\n", "b();", "\n  c();\n", "    "],
      ["typescript", "  a = b\n    .c()\n", ".d();", "\n  e();\n", "    "],
      ["html", "<ul>\n  <li>\n", "<b>c</b>", "\n  </li>\n</ul>\n", "    "],
      ["sql", "SELECT\n", "a,", "\n    b\nFROM c;\n", "    "],
      ["markdown", "- a\n  - b\n", "- c", "\n  d\n", ""],
      ["markdown", "```js\nf(() => {\n", "a();", "\n  b();\n});\n```\n", "  "],
    ];
    for (const [languageId, prefix, answer, suffix, indent] of cases)
      assert.equal(cleanCompletion(answer, { prefix, suffix, languageId }), indent + answer, prefix);
  });
});

describe("an answer in an envelope", () => {
  // The cursor is at ¦.
  const cases: readonly (readonly [title: string, code: string, answer: string, text: string | undefined])[] = [
    ["closes the type that it opens", "typescript: const a = new Map<¦>();", "string, Set<b>", "string, Set<b>"],
    ["closes both types", "rust: let a: Arc<¦> = b;", "Mutex<Vec<u8>>", "Mutex<Vec<u8>>"],
    ["closes one type too many", "java: List<¦> a;", "Map<B, C>>", "Map<B, C>"],
    [
      "begins with the end of the block",
      "javascript: try {\n  a();\n} ¦",
      "} catch {\n  b();\n}",
      "catch {\n  b();\n}",
    ],
    ["begins with the end of the loop", "c: do {\n  a();\n} ¦", "} while (b);", "while (b);"],
    ["ends the block twice", "javascript: const a = {\n  b,\n}¦\nc();\n", "};", ";"],
    ["begins with other closers", "javascript: f({ a: { b ¦\n", "} });", "} });"],
    ["goes on after a string", 'python: print(f"a {¦}")\n', 'b}")\nprint("c")', "b"],
    ["goes on with the same string", 'python: print(f"a {¦}")\n', 'b}")\nprint(f"c {d}")', 'b}")\nprint(f"c {d'],
    ["goes on after spaces", "csharp: string A { get; ¦ }\n", 'set; } = "";', "set;"],
    ["ends the call of the next line", "python: a(\n    b,\n    ¦\n)\n", "c)", "c"],
    ["closes in a regular expression", "javascript: const a = ¦\n", "/\\)$/;", "/\\)$/;"],
    ["closes in a sentence", "html: <p>\n  ¦\n</p>\n", "a) b :)", "a) b :)"],
    ["begins after a word", "shellscript: if a; then¦\nfi\n", "\n  b\n", "\n  b"],
    ["goes on after a key", 'json: {\n  "a¦"\n}\n', 'b": {\n    "c": "d"\n  }', "b"],
    ["goes on to the end of a value", 'json: {\n  "a¦"\n}\n', 'b": "c"', 'b": "c'],
    ["ends an outer block", "c: if (a) {\n  if (b) {\n    ¦\n  }\n}\n", "c();\n}", "c();"],
    ["has no indentation", "go: func a() {\n\t¦\n}\n", "if b {\n\tc()\n}", "if b {\n\t\tc()\n\t}"],
    ["has a key without indentation", "yaml: a:\n  - b: c\n    ¦\n", "d: e\nf:\n  - g", "d: e\n    f:\n      - g"],
    ["has an element without indentation", "html: <ul>\n  ¦\n</ul>\n", "<a>b</a>\n<p>c</p>", "<a>b</a>\n  <p>c</p>"],
    ["begins on the next line", "go: func a() {¦\n}\n", "\n\tb()\n", "\n\tb()"],
    ["begins deeper than any line", "css: .a {¦\n}\n", "\n  b: c;\n", "\n  b: c;"],
    ["has the indentation of the line", "python: def a():\n    return ¦\n", "\n    b\n", "b"],
    ["has the indentation of the argument", "python: def a():\n    b(¦)\n", "\n    c\n", "c"],
    ["keeps spaces in a string", 'python: def a():\n    b("¦")\n', "    c", "    c"],
    ["apologizes to users", 'typescript: alert("¦");', "Sorry, that page is gone.", "Sorry, that page is gone."],
    ["apologizes for itself in a string", 'typescript: alert("¦");', "Sorry, I can't help with that.", undefined],
    ["declines in parentheses", "typescript: const a = ¦", "(no completion)", undefined],
    ["begins PHP", "php: <?php\nnamespace A;\n\n¦", "<?php\n\nclass B {}", "class B {}"],
    ["begins PHP again", "php: <?php\na();\n?>\nb\n¦", "<?php\nb(); ?>", "<?php\nb(); ?>"],
    ["repeats a block", "go: func a() {\n}\n\n¦", "func b() {\n}\n".repeat(9), "func b() {\n}"],
  ];
  for (const [title, code, answer, text] of cases)
    it(`is right where it ${title}`, () => {
      const [, languageId = "", prefix = "", suffix = ""] = /^(\w+): ([^]*)¦([^]*)$/.exec(code) ?? [];
      const context = { prefix, suffix, languageId };
      assert.equal(cleanCompletion(`<completion>${answer}</completion>`, context), text);
    });

  it("may be cut off within its end", () => {
    for (const end of ["</", "</com", "</completion"])
      for (const languageId of ["typescript", "html"])
        assert.equal(cleanCompletion(`<completion>b;${end}`, { prefix: "a = ", suffix: "\n", languageId }), "b;", end);
  });

  it("may be named before", () => {
    const answer = "I use <completion> as asked.\n\n<completion>b;</completion>";
    assert.equal(cleanCompletion(answer, { prefix: "a = ", suffix: "\n", languageId: "typescript" }), "b;");
  });

  it("is preceded by a label with a number", () => {
    const context = { prefix: "const a = ", suffix: "\n", languageId: "typescript" };
    assert.equal(cleanCompletion("Option 1:\n\n```ts\nb;\n```\n\nOption 2:\n\n```ts\nc;\n```", context), "b;");
  });
});

describe("code that looks like damage", () => {
  // The answer is between « and ».
  const cases = {
    "markdown: a block of code in a document": "# Use\n\nInstall it:\n\n«```sh\nnpm install\n```»\n\n## More\n",
    "markdown: the end of a block in a document": "Run:\n\n```sh\nnpm «install\n```»\n\nThen start it.\n",
    "html: an element that is the same as the one before": "<ul>\n  <li></li>\n  «<li></li>»\n</ul>\n",
    "xml: tags with names of envelopes":
      "<result>\n  <completion>a</completion>\n  «<completion>b</completion>»\n</result>\n",
    "typescript: a comment that introduces": "const a = 1;\n«// Here is the completion:\nrun(a);»\n",
    "typescript: a string that introduces": 'const text =« "Here is the completion:";»\n',
    "typescript: a closer that is the same as the one before": "describe(() => {\n  it(() => {\n  });\n«});»\n",
    "typescript: another closer before the one that follows": "f(() => {\n  g(() => {\n    a();\n  «});»\n});\n",
    "javascript: another bracket before the one that follows": "a(b(«c)»)\n",
    "typescript: the rest of a word": "con«st x = 1;»\n",
    "javascript: block characters in a string": 'const bar = «"█".repeat(10);»\n',
    "typescript: something in an empty file": "«export const a = 1;»",
    "typescript: lines of CRLF": "function f() {\r\n«  a();\r\n  b();\r\n»}\r\n",
    "typescript: the marker of a document that uses it":
      'const marker = "<|cursor|>";\nconst other = «"<|cursor|>";»\n',
    "typescript: a property with a short name": "send({\n  «ok: true,\n  status: 200,»\n});\n",
    "swift: a short sentence in a string": 'var message = "«No response.»"\n',
    "perl: documentation in Perl":
      "1;\n\n=head1 DESCRIPTION\n\n«See L<warnings> for more information on this module's usage.»\n\n=cut\n",
    "ruby: words that end blocks": "class A\n  def a\n    if b\n      c\n    «end\n  end\nend»\n",
    "c: a line that starts as the one before": "#ifdef A\n}\n#endif\n«#endif /* B */»\n",
    "typescript: a statement after an expression on several lines":
      'const a = (type: string) =>\n  type === "b" ||\n  type === "c";\n\n«export const d = 1;»',
    "markdown: a paragraph in Chinese": "# 说明\n\n这个库很小。\n\n«根据需要安装：\n\n下面是配置。»\n",
    "python: the start of the next line": "import glob\n«import json\nimport os»\nimport os.path\n",
    "ruby: the end of a block after another": "describe A do\n  it do\n    a\n  end«\nend»\n\ndescribe B do\nend\n",
    "java: a bracket between quotes":
      "class A {\n  String a() {\n    return b + '{'\n        «+ '}';\n  }\n\n  void c() {»\n  }\n}\n",
    "go: tabs where nothing is indented yet": "func init() {\n«\ta = b»\n}\n",
    "css: a nested rule": ".a {\n  b: c;\n\n  «& d {\n    e: f;\n  }»\n\n  & g {\n    h: i;\n  }\n}\n",
    "typescriptreact: an expression in braces": "<p>\n  {«a ? (»\n    b\n  ) : null}\n</p>\n",
    "typescriptreact: a sentence among others":
      "<p>\n  No a, b, or c. «No more models to keep in order to tag»\n  them.\n</p>\n",
    "yaml: a new key after a deeper one": "a:\n  b:\n    c: d\n\n«e:\n  - f»\n  - g\n",
    "yaml: an item at the level of its key": "a:\n«- b: c\n  d: e»\n  f: g\n",
    "toml: a sentence in a text of several lines":
      'a = """\nThe first sentence is here.\n«By default, this will respect your settings and skip hidden»\nfiles.\n"""\n',
    "scss: a rule after a comment": ".a {\n  b: c;\n}\n\n// D\n«.d {\n  e: f;»\n}\n",
    "rust: a text of several lines": 'fn a() {\n    b(r#"\n  c\n      «D e f g\n\n"#);\n}\n\nfn h() {»\n}\n',
    "ruby: a line that is there several times": "  a 1\n  b 2\n  b 2\n«  b 2»\n  b 2\nend\n",
    "shellscript: a placeholder": "b() {\n«  echo 'usage: $0 <prefix> [c]'»\n}\n",
    "markdown: a block with a title": 'A:\n\n«```python title="a/b.py"\nimport c»\n```\n',
    "svg: elements with the name of an envelope": "<svg>\n  «<text>a</text>\n  <text>b</text>»\n</svg>\n",
    "sql: a statement of plain words": "\n«SELECT name FROM users WHERE active IS NOT NULL ORDER BY name\nLIMIT 10;»\n",
    "sql: a line that the document repeats":
      "GRANT SELECT ON a\n  TO reader, writer, owner;\n«GRANT SELECT ON b\n  TO reader, writer, owner;\nGRANT SELECT ON c»\n  TO reader, writer, owner;\n",
    "sql: tabs before a comment": "a int,\t«\t-- b»\n",
    "markdown: the brackets of a link": "- [`#«70`](https://a.b/70»)\n",
    "markdown: a heading that goes on": "# A\n\n##«### B»\n",
    "lua: the body of a function": 'a({\n  «["b"] = function()\n    c()»\n  end,\n})\n',
    "java: parameters on lines of their own": "class A {\n  «void b(\n      C c,\n      D d)»\n      throws E;\n}\n",
    "haskell: a declaration at the margin": "f = g\n  where g' = 1\n\n«h :: A»\n  => B\n",
    "c: an item in an item of a comment": "/*\n  «* a\n     * b»\n  * c\n */\n",
    "yaml: an item at the level of the key before it": "a:\n  «b:\n  - c»\n",
    "yaml: a yaml sentence": "description: «This completes the function.»\nname: a\n",
  };
  for (const [title, code] of Object.entries(cases)) {
    it(`stays as it is, in ${title}`, () => {
      const [languageId = ""] = title.split(":");
      const [prefix = "", text = "", suffix = ""] = code.split(/[«»]/);
      assert.equal(cleanCompletion(text, { prefix, suffix, languageId }), text);
    });
  }
});

describe("a sentence in a comment", () => {
  const places: readonly (readonly [languageId: string, prefix: string])[] = [
    ["typescript", "const names = [];\n// "],
    ["typescript", "/**\n * @returns "],
    ["python", "names = []\n# "],
    ["sql", "-- "],
    ["markdown", "- "],
  ];
  for (const [languageId, prefix] of places) {
    it(`stays, after ${JSON.stringify(prefix)}`, () => {
      for (const answer of ["Uses names.", "The names of all people."])
        assert.equal(cleanCompletion(answer, { prefix, suffix: "\n", languageId }), answer);
    });
  }
});

describe("an answer with a hidden part", () => {
  const context = { prefix: "const a = ", suffix: "\n", languageId: "typescript" };
  const hiding: readonly (readonly [string, string])[] = [
    ["turns text around", "a\u202eb\u2066"],
    ["has no width", "a\u200cb"],
    ["has spaces before its end", `1;${" ".repeat(300)}evil();`],
    ["has spaces before its end in a later line", `1;\r\n${" ".repeat(300)}evil();`],
    ["goes on after a gap", `1;${"\n  ".repeat(12)}\nevil();`],
  ];
  for (const [title, text] of hiding) {
    it(`is no completion: it ${title}`, () => {
      assert.equal(cleanCompletion(`value + ${text}`, context), undefined);
    });
  }

  it("is no completion where blanks of the line and of the answer hide a part of it together", () => {
    const prefix = `const a = 1;${" ".repeat(70)}`;
    assert.equal(cleanCompletion(`${" ".repeat(70)}evil();`, { ...context, prefix }), undefined);
  });

  it("is one where it has emoji, and joiners that a script requires", () => {
    const text = '"👩‍💻 می\u200cخواهم";\n\n\nnext();';
    assert.equal(cleanCompletion(text, context), text);
  });
});

describe("any answer", () => {
  const pieces = fc.constantFrom(
    ..."```|```ts|~~~|<code>|</code>|<completion>|</completion>|<|cursor|>|█|Here is the code:|I'm sorry, but|}|)|});|{|(|\"|'|`|/*|*/|//|#|<div>|</div>|<|>|a|foo();|return x;|  | |\t|\n|\n\n|\r\n|\\|${|:|def f():|- a|\u{1F600}|好".split(
      "|",
    ),
    "|",
    "<|cursor|>",
  );
  const text = fc.array(pieces, { maxLength: 30 }).map((parts) => parts.join(""));
  const languageId = fc.constantFrom("typescript", "python", "html", "markdown", "yaml", "css", "php", "unknown");

  it("never throws, and never becomes only white space", () => {
    fc.assert(
      fc.property(text, text, text, languageId, (answer, prefix, suffix, language) => {
        const cleaned = cleanCompletion(answer, { prefix, suffix, languageId: language });
        assert.notEqual(cleaned?.trim(), "");
      }),
      { numRuns: 2_000 },
    );
  });

  it("has the line endings of the document", () => {
    fc.assert(
      fc.property(text, fc.constantFrom("\n", "\r\n"), (answer, end) => {
        const context = { prefix: `a();${end}`, suffix: `${end}b();${end}`, languageId: "typescript" };
        const cleaned = cleanCompletion(answer, context) ?? "";
        assert.equal(cleaned.replaceAll("\r\n", "").includes(end === "\n" ? "\r" : "\n"), false);
      }),
    );
  });

  for (const [name, unit] of Object.entries({
    letters: "a",
    "closing brackets": ")}",
    quotes: '"',
    fences: "```\n",
    tags: "<code>",
    markers: "<|cursor|>",
    spaces: " ",
    "line breaks": "\n",
    "two lines": "foo();\n  bar();\n",
    sentences: "Here is the code: ",
    "regular expressions that do not end": "/[",
    "regular expressions in parentheses": "(/",
    "thoughts that do not end": "<think>",
  })) {
    it(`is read in linear time: ${name}`, () => {
      const clean = (size: number) => {
        const answer = unit.repeat(Math.ceil(size / unit.length));
        cleanCompletion(answer, { prefix: answer, suffix: answer, languageId: "typescriptreact" });
      };
      clean(1_000);
      assertLinear(clean, 50_000);
    });
  }

  it("is read in linear time: a long line before a bracket", () => {
    const context = { prefix: "function f() {\n  ", suffix: "\n}\n", languageId: "typescript" };
    assertLinear((size) => void cleanCompletion(`<completion>${"a".repeat(size)}\n}\n}`, { ...context }), 20_000);
  });

  it("costs little, however much text is around the cursor", () => {
    const prefix = "function f() {\n  a();\n}\n".repeat(50_000);
    const context = { prefix: `${prefix}function g() {\n`, suffix: `\n}\n${prefix}`, languageId: "typescript" };
    const run = () => cleanCompletion("  b();\n  c();", { ...context });
    for (let round = 0; round < 20; round += 1) run();
    assert.ok(processorTime(run) < 300);
  });
});

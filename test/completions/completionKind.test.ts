import assert from "node:assert/strict";
import { completionKind } from "../../src/completions/completionKind.ts";

describe("what is asked for", () => {
  const cases: readonly (readonly [title: string, kind: string, code: string, languageId?: string, isNext?: true])[] = [
    ["the rest of a line", "rest", "const a = |\nb();"],
    ["a new line between others", "rest", "a();\n|\nb();\n"],
    ["before closers only", "rest", "call(|);\n"],
    ["in an empty body", "block", "function f() {\n  |\n}\n"],
    ["behind the brace of an empty body", "block", "function f() {|}\n"],
    ["in an empty function of Python", "block", "def f():\n    |\n\ndef g():\n    pass\n", "python"],
    ["in an empty dictionary of Python", "block", "a = {|}\n", "python"],
    ["under a docstring", "block", 'def f():\n    """Adds\n    two."""\n    |\n\ndef g():\n    pass\n', "python"],
    ["under a comment in an empty body", "block", "function f() {\n  /* One. */\n  // Two.\n  |\n}\n"],
    ["the rest of a line below a string that is a value", "rest", 'a = """\n  b"""\n|\n', "python"],
    ["under a key of YAML", "block", "on:\n  |\n\njobs:\n  a: 1\n", "yaml"],
    ["the type of a parameter of Python", "rest", "def f(a: |)\n", "python"],
    ["the value of a key of YAML", "rest", "a: |\nb: 1\n", "yaml"],
    ["in an empty body of Ruby", "block", "def f\n  |\nend\n", "ruby"],
    ["in an empty loop of a shell", "block", "for a in b; do\n  |\ndone\n", "shellscript"],
    ["in a body that has lines", "rest", "function f() {\n  a();\n  |\n}\n"],
    ["before the end of an element", "rest", "<input type={|} />\n", "typescriptreact"],
    ["before the end of a comment", "rest", "/** | */\nf();"],
    ["the rest of a line before closers, even after what was accepted", "rest", "call(a|);\n", "typescript", true],
    ["nothing inside a word", "none", "con|st a = 1;"],
    ["nothing before more than closers", "none", "const a = | + b;"],
    ["nothing before a name", "none", "|name();"],
    ["nothing in an empty file", "none", "|"],
    ["in an empty body with CRLF", "block", "function f() {\r\n  |\r\n}\r\n"],
    ["one line after what was accepted, even in an empty body", "line", "f() {\n  |\n}\n", "typescript", true],
    ["nothing inside a word after what was accepted", "none", "con|st", "typescript", true],
  ];
  for (const [title, kind, code, languageId = "typescript", isNext = false] of cases) {
    it(title, () => {
      const [prefix = "", suffix = ""] = code.split("|");
      assert.equal(completionKind({ prefix, suffix, languageId }, isNext), kind);
    });
  }
});

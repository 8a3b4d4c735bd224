/** What the cleaning of a completion has to know about a language. */
export interface Syntax {
  readonly lineComments: readonly string[];
  /** What starts and ends comments and strings that span several lines. */
  readonly longTexts: readonly (readonly [open: string, close: string])[];
  /** Quotation marks of strings on one line. */
  readonly quotes: string;
  /** Whether tags nest like brackets. */
  readonly hasTags: boolean;
  /** Whether `/` can start a regular expression. */
  readonly hasRegExps: boolean;
  /** What the indentation follows: brackets, lines that end with a colon, the way of YAML, words like `do` and `end`. */
  readonly layout: "brackets" | "colons" | "yaml" | "words" | "none";
  /** Whether sentences are content: documents, markup, and languages that nothing is known about. */
  readonly isProse: boolean;
  /** Whether fences of Markdown are content. */
  readonly hasFences: boolean;
}

const comment = ["/*", "*/"] as const;
const none: Syntax = {
  lineComments: [],
  longTexts: [],
  quotes: "",
  hasTags: false,
  hasRegExps: false,
  layout: "none",
  isProse: true,
  hasFences: false,
};
const braces: Syntax = {
  ...none,
  lineComments: ["//"],
  longTexts: [comment],
  quotes: '"',
  layout: "brackets",
  isProse: false,
};
const anyQuotes: Syntax = { ...braces, quotes: "\"'" };
const same = (...marks: readonly string[]) => marks.map((mark) => [mark, mark] as const);
const script: Syntax = { ...anyQuotes, longTexts: [comment, ...same("`")], hasRegExps: true };
const hash: Syntax = { ...none, lineComments: ["#"], quotes: "\"'", layout: "brackets", isProse: false };
const words: Syntax = { ...hash, layout: "words" };
const markup: Syntax = { ...none, longTexts: [["<!--", "-->"]], hasTags: true, layout: "brackets" };
const dashes: Syntax = { ...words, lineComments: ["--"] };
const free: Syntax = { ...none, quotes: '"', isProse: false };

const families: readonly (readonly [Syntax, string])[] = [
  [script, "javascript typescript"],
  [{ ...script, hasTags: true }, "javascriptreact typescriptreact"],
  [braces, "c cpp objective-c objective-cpp cuda-cpp json jsonc d zig glsl hlsl shaderlab proto proto3"],
  [anyQuotes, "scss less json5 solidity"],
  [{ ...braces, longTexts: [comment, ...same('"""')] }, "java kotlin swift scala fsharp"],
  [{ ...anyQuotes, longTexts: [comment, ...same('"""', "'''")] }, "dart groovy"],
  [{ ...braces, longTexts: [comment, ...same('"""'), ['@"', '"'], ['@$"', '"']] }, "csharp"],
  [{ ...braces, longTexts: [comment, ['r#"', '"#'], ...same('"')] }, "rust"],
  [{ ...braces, longTexts: [comment, ...same("`")] }, "go"],
  [{ ...anyQuotes, lineComments: [] }, "css"],
  [{ ...anyQuotes, lineComments: ["//", "#"], longTexts: [comment, ...same('"', "'")] }, "php"],
  [{ ...hash, longTexts: same('"""', "'''"), layout: "colons" }, "python"],
  [{ ...words, longTexts: same('"', "'") }, "shellscript"],
  [words, "ruby crystal"],
  [{ ...words, longTexts: same('"""') }, "elixir julia"],
  [{ ...hash, longTexts: same('"""', "'''") }, "toml"],
  [hash, "perl perl6 r ini properties powershell coffeescript"],
  [{ ...hash, layout: "none" }, "makefile dockerfile"],
  [{ ...hash, layout: "yaml", isProse: true }, "yaml dockercompose"],
  [{ ...dashes, longTexts: [comment, ...same("'")] }, "sql"],
  [
    {
      ...dashes,
      longTexts: [
        ["--[[", "]]"],
        ["[[", "]]"],
      ],
    },
    "lua",
  ],
  [{ ...none, hasFences: true }, "markdown mdx quarto rmd"],
  [
    {
      ...hash,
      longTexts: [
        ["#[[", "]]"],
        ["#[=", "]="],
      ],
      layout: "none",
    },
    "cmake",
  ],
  [{ ...free, lineComments: ["#"] }, "tcl graphql nix awk starlark bazel fish"],
  [{ ...braces, lineComments: ["#", "//"] }, "terraform hcl"],
  [{ ...free, lineComments: ["--"], longTexts: [["{-", "-}"]] }, "haskell elm purescript"],
  [{ ...free, longTexts: [["(*", "*)"]] }, "ocaml"],
  [{ ...free, lineComments: [";"] }, "clojure lisp scheme racket commonlisp asm"],
  [{ ...free, lineComments: ["%"] }, "erlang matlab prolog"],
  [{ ...free, lineComments: ["'"] }, "vb"],
  [markup, "html xml xsl svg vue svelte astro handlebars razor vue-html mjml"],
];
const known = new Map(families.flatMap(([syntax, ids]) => ids.split(" ").map((id) => [id, syntax] as const)));

const fence = /^[ \t]{0,12}```/m;

/** The syntax of a language. Files of JavaScript may hold tags as well; the code around shows whether they do. */
export function syntaxOf(languageId: string, before: string, after: string): Syntax {
  const syntax = known.get(languageId) ?? { ...none, hasFences: fence.test(before) || fence.test(after) };
  if (languageId !== "javascript" || !(closesTag(before.slice(-8_192)) || closesTag(after.slice(0, 8_192))))
    return syntax;
  return { ...syntax, hasTags: true };
}

/** Whether the text next to the cursor has tags that are closed. */
function closesTag(text: string): boolean {
  return /^\s*<\/[A-Za-z][\w.]*>|\/>\s*$|^\s*<[A-Z][\w.]*>$/m.test(text);
}

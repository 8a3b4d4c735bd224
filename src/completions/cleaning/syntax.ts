/** What the cleaning of a completion has to know about a language. */
export interface Syntax {
  readonly lineComments: readonly string[];
  readonly blockComments: readonly (readonly [open: string, close: string])[];
  /** Quotation marks of strings on one line, and of those that span several. */
  readonly quotes: string;
  readonly longQuotes: readonly string[];
  /** Whether tags nest like brackets. */
  readonly hasTags: boolean;
  /** Whether `/` can start a regular expression. */
  readonly hasRegExps: boolean;
  /** Whether the indentation is the structure: by lines that end with a colon, or in the way of YAML. */
  readonly layout: "brackets" | "colons" | "yaml" | "none";
  /** Whether sentences are content: documents, markup, and languages that nothing is known about. */
  readonly isProse: boolean;
}

const none: Syntax = {
  lineComments: [],
  blockComments: [],
  quotes: "",
  longQuotes: [],
  hasTags: false,
  hasRegExps: false,
  layout: "none",
  isProse: true,
};
const braces: Syntax = {
  ...none,
  lineComments: ["//"],
  blockComments: [["/*", "*/"]],
  quotes: "\"'",
  layout: "brackets",
  isProse: false,
};
const script: Syntax = { ...braces, longQuotes: ["`"], hasRegExps: true };
const hash: Syntax = { ...none, lineComments: ["#"], quotes: "\"'", layout: "brackets", isProse: false };
const markup: Syntax = { ...none, blockComments: [["<!--", "-->"]], hasTags: true, layout: "brackets" };
const dashes: Syntax = { ...hash, lineComments: ["--"] };

const families: readonly (readonly [Syntax, string])[] = [
  [script, "javascript typescript"],
  [{ ...script, hasTags: true }, "javascriptreact typescriptreact"],
  [
    braces,
    "c cpp csharp java kotlin swift rust dart scala groovy objective-c objective-cpp cuda-cpp json jsonc json5 scss less " +
      "d zig glsl hlsl shaderlab proto proto3 solidity fsharp",
  ],
  [{ ...braces, longQuotes: ["`"] }, "go"],
  [{ ...braces, lineComments: [] }, "css"],
  [{ ...braces, lineComments: ["//", "#"], hasTags: true, isProse: true }, "php"],
  [{ ...hash, longQuotes: ['"""', "'''"], layout: "colons" }, "python"],
  [hash, "shellscript ruby perl perl6 r toml ini properties makefile dockerfile powershell elixir julia coffeescript"],
  [{ ...hash, layout: "yaml", isProse: true }, "yaml dockercompose"],
  [{ ...dashes, blockComments: [["/*", "*/"]] }, "sql"],
  [{ ...dashes, blockComments: [["--[[", "]]"]] }, "lua"],
  [markup, "html xml xsl svg vue svelte astro handlebars razor vue-html mjml"],
];
const known = new Map(families.flatMap(([syntax, ids]) => ids.split(" ").map((id) => [id, syntax] as const)));

/** The syntax of a language. Files of JavaScript may hold tags as well; the code around shows whether they do. */
export function syntaxOf(languageId: string, before: string, after: string): Syntax {
  const syntax = known.get(languageId) ?? none;
  if (languageId !== "javascript" || !(closesTag(before.slice(-8_192)) || closesTag(after.slice(0, 8_192))))
    return syntax;
  return { ...syntax, hasTags: true };
}

/** Whether the text next to the cursor has tags that are closed. */
function closesTag(text: string): boolean {
  return /^\s*<\/[A-Za-z][\w.]*>|\/>\s*$/m.test(text);
}

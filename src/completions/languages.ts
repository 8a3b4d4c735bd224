/** The syntax of a language, as far as completions need it. */
export interface Language {
  /** What marks blocks: brackets, words such as `end`, colons after statements or keys, tags, or nothing. */
  readonly blocks: "brackets" | "words" | "colons" | "keys" | "tags" | "none";
  readonly lineComments: readonly string[];
  /** Start and end of comments and strings that may span lines. */
  readonly multiline: readonly (readonly [open: string, close: string])[];
  /** The brackets that come in pairs. By default, all. */
  readonly brackets?: string;
  /** Quotation marks of strings that end on their line. */
  readonly quotes: string;
  /** Whether regular expressions stand between slashes. */
  readonly hasRegex?: true;
  /** Whether documents have fences of their own. */
  readonly hasFences?: true;
}

const starComment = ["/*", "*/"] as const;
const slashes = { blocks: "brackets", lineComments: ["//"], multiline: [starComment], quotes: `"` } as const;
const hashes = { blocks: "words", lineComments: ["#"], multiline: [], quotes: `"'` } as const;
const threeQuotes = ['"""', '"""'] as const;

const script: Language = { ...slashes, multiline: [starComment, ["`", "`"]], quotes: `"'`, hasRegex: true };
const style: Language = { ...slashes, lineComments: [], quotes: `"'` };
const markup: Language = { blocks: "tags", lineComments: [], multiline: [["<!--", "-->"]], quotes: "" };
const none: Language = { blocks: "none", lineComments: [], multiline: [], quotes: "" };

const families: readonly (readonly [ids: string, language: Language])[] = [
  ["typescript javascript typescriptreact javascriptreact", script],
  ["rust", { ...slashes, multiline: [starComment, ['r#"', '"#'], ['"', '"']], quotes: "" }],
  ["c cpp objective-c objective-cpp solidity proto jsonc json json5 zig", slashes],
  ["go", { ...slashes, multiline: [starComment, ["`", "`"]] }],
  // In C#, three quotation marks are mostly part of a verbatim string.
  ["csharp", slashes],
  ["java swift kotlin scala", { ...slashes, multiline: [starComment, threeQuotes] }],
  ["php", { ...slashes, lineComments: ["//", "#"], quotes: `"'` }],
  ["dart groovy", { ...slashes, quotes: `"'` }],
  ["css", style],
  ["scss less", slashes],
  ["python coffeescript", { ...hashes, blocks: "colons", multiline: [threeQuotes, ["'''", "'''"]] }],
  ["yaml dockercompose", { ...hashes, blocks: "keys" }],
  ["ruby crystal", hashes],
  ["elixir julia", { ...hashes, multiline: [threeQuotes] }],
  // Patterns of `case` end with a bracket that nothing opens.
  ["shellscript", { ...hashes, brackets: "{}" }],
  ["perl makefile dockerfile r powershell terraform nix graphql", { ...hashes, blocks: "brackets" }],
  ["toml", { ...hashes, blocks: "brackets", multiline: [threeQuotes, ["'''", "'''"]] }],
  ["lua", { ...hashes, lineComments: ["--"], multiline: [["[[", "]]"]] }],
  ["sql", { ...slashes, lineComments: ["--"], quotes: `"'` }],
  // Its unindented lines start declarations.
  ["haskell elm", { ...slashes, lineComments: ["--"], multiline: [["{-", "-}"]] }],
  ["ada vhdl", { ...hashes, lineComments: ["--"], multiline: [starComment] }],
  ["html xml xsl svg vue svelte astro handlebars razor", markup],
  ["markdown mdx quarto rmd chatagent instructions prompt", { ...none, hasFences: true }],
];
const known = new Map(families.flatMap(([ids, language]) => ids.split(" ").map((id) => [id, language] as const)));

/** Whether a colon opens a block of a language, as in Python and YAML. */
export function hasColons({ blocks }: Language): boolean {
  return blocks === "colons" || blocks === "keys";
}

/** The syntax of a language with an identifier of VS Code. */
export function languageOf(languageId: string): Language {
  return known.get(languageId) ?? none;
}

/** What has to be known of a language to read its brackets and indentation. */
export interface Language {
  /** What shows the levels of a text: brackets, words such as `end`, colons, tags, or nothing. */
  readonly levels: "brackets" | "words" | "colons" | "tags" | "none";
  readonly lineComments: readonly string[];
  /** Comments and strings that may span lines: how they start and end. */
  readonly longTexts: readonly (readonly [open: string, close: string])[];
  /** A whole string in which backslashes are just characters. */
  readonly rawText?: RegExp;
  /** Quotation marks of strings that end on their line. */
  readonly quotes: string;
  readonly hasRegExps?: boolean;
}

const starComment = ["/*", "*/"] as const;
const slashes = { levels: "brackets", lineComments: ["//"], longTexts: [starComment], quotes: `"` } as const;
const hashes = { levels: "words", lineComments: ["#"], longTexts: [], quotes: `"'` } as const;
const threeQuotes = ['"""', '"""'] as const;

const script: Language = { ...slashes, longTexts: [starComment, ["`", "`"]], quotes: `"'`, hasRegExps: true };
const style: Language = { ...slashes, lineComments: [], quotes: `"'` };
const markup: Language = { levels: "tags", lineComments: [], longTexts: [["<!--", "-->"]], quotes: "" };
const none: Language = { levels: "none", lineComments: [], longTexts: [], quotes: "" };

const families: readonly (readonly [ids: string, language: Language])[] = [
  ["typescript javascript typescriptreact javascriptreact", script],
  ["csharp", { ...slashes, longTexts: [starComment, threeQuotes], rawText: /^(?:@\$?|\$@)"(?:[^"]|"")*"/ }],
  ["rust", { ...slashes, rawText: /^r(#*)"[^]*?"\1/ }],
  ["c cpp objective-c objective-cpp solidity proto jsonc json json5 zig", slashes],
  ["go", { ...slashes, longTexts: [starComment, ["`", "`"]], rawText: /^`[^`]*`/ }],
  ["java swift kotlin scala", { ...slashes, longTexts: [starComment, threeQuotes] }],
  ["php", { ...slashes, lineComments: ["//", "#"], quotes: `"'` }],
  ["dart groovy", { ...slashes, quotes: `"'` }],
  ["css", style],
  ["scss less", slashes],
  ["python coffeescript", { ...hashes, levels: "colons", longTexts: [threeQuotes, ["'''", "'''"]] }],
  ["yaml dockercompose", { ...hashes, levels: "colons" }],
  ["ruby shellscript elixir julia crystal", hashes],
  ["perl makefile dockerfile r powershell terraform toml nix graphql", { ...hashes, levels: "brackets" }],
  ["lua", { ...hashes, lineComments: ["--"] }],
  ["sql", { ...slashes, lineComments: ["--"], quotes: `"'` }],
  ["haskell ada vhdl elm", { ...hashes, lineComments: ["--"], longTexts: [starComment] }],
  ["html xml xsl svg vue svelte astro handlebars razor", markup],
];
const known = new Map(families.flatMap(([ids, language]) => ids.split(" ").map((id) => [id, language] as const)));

/** The language at the cursor, and the part of both sides that is written in it: scripts and styles stand in documents. */
export function languageAt(
  languageId: string,
  before: string,
  after: string,
): { readonly language: Language; readonly from: number; readonly to: number } {
  const language = known.get(languageId) ?? none;
  const whole = { language, from: 0, to: after.length };
  if (languageId === "php") {
    const from = before.lastIndexOf("<?");
    if (from >= 0 && !before.includes("?>", from)) return { ...whole, from: from + 2, to: endOf(after, "?>") };
    return { ...whole, language: markup };
  }
  if (language !== markup) return whole;
  for (const [tag, inner] of [
    ["script", script],
    ["style", style],
  ] as const) {
    const start = before.lastIndexOf(`<${tag}`);
    const from = start < 0 ? -1 : before.indexOf(">", start) + 1;
    if (from > 0 && !before.includes(`</${tag}`, from)) return { language: inner, from, to: endOf(after, `</${tag}`) };
  }
  return whole;
}

function endOf(text: string, mark: string): number {
  const end = text.indexOf(mark);
  return end < 0 ? text.length : end;
}

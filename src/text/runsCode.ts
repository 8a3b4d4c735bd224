/** Extensions of source code, documents, and data, which do nothing until somebody runs or opens them. */
const plain: ReadonlySet<string> = new Set(
  [
    "ts tsx mts cts js jsx mjs cjs vue svelte astro py pyi ipynb rb php java kt scala groovy clj cs fs vb swift dart",
    "c cc cpp cxx h hh hpp m mm go rs zig nim d jl r lua pl pm ex exs erl hrl hs elm ml mli sql graphql proto",
    "sh bash zsh fish ps1 psm1 bat cmd html htm css scss sass less styl svg md mdx rst adoc tex txt csv tsv log",
  ].flatMap((line) => line.split(" ")),
);

/** Those of documents and data, which no tool runs. */
const documents = /\.(?:sql|graphql|proto|html?|css|s[ac]ss|less|styl|svg|mdx?|rst|adoc|tex|txt|[ct]sv|log)$/i;

/**
 * Names, without extension, of files that look like source code or text, but that tools look for and obey. `.babel` stands
 * before the extension where Babel reads them first (the package `interpret`, as in gulp and webpack).
 */
const obeyed = [
  /^(?:build|setup|conf|conftest|noxfile|gulpfile|gruntfile|package|mix|extconf|cmakelists|sitecustomize|usercustomize)(?:\.babel)?$/i,
  /^(?:requirements|constraints)(?:[._-]|$)/i,
  /[.-](?:config|conf|setup|workspace|gradle)(?:\.babel)?$/i,
];

/** Folders whose code the tools of a project run: of installed packages, and of Gradle's own build. */
const run = /^(?:node_modules|bower_components|jspm_packages|site-packages|dist-packages|venv|buildSrc)$/i;

/** Documents that agents obey, and where Mix reads its configuration. */
const instructions = /^(?:agents?|claude|gemini|skill)(?:\.\w+)?\.md$|\.(?:agent|instructions|prompt|chatmode)\.md$/i;
const mixConfiguration = /(?:^|\/)config\/[^/]+\.exs$/i;

/**
 * Whether changing a file can run code that nobody starts, by its path in the workspace: dotfiles, and everything that is
 * not clearly source code or a document, because any tool may read its configuration or build file once a project is open.
 * VS Code's own agent asks about fewer files (`chat.tools.edits.autoApprove`, VS Code 1.139), all of which are among these.
 */
export function runsCode(path: string): boolean {
  const names = path.split("/");
  const name = names.at(-1) ?? "";
  const dot = name.lastIndexOf(".");
  if (names.some((each) => each.startsWith(".") || run.test(each)) || dot < 0) return true;
  if (!plain.has(name.slice(dot + 1).toLowerCase()) || instructions.test(name)) return true;
  if (mixConfiguration.test(path)) return true;
  return obeyed.some((pattern) => pattern.test(name.slice(0, dot)));
}

/**
 * Whether the text of a configuration file names a file of source code, as tools load rules and plugins. `path` begins in the
 * folder of the configuration; its last two names count, or in the same folder one that has "./" or its extension. Extension
 * and `index` can be missing.
 */
export function namesFile(text: string, path: string): boolean {
  const [, stem = "", extension = ""] = /^(.*?)(?:\/index)?\.(\w+)$/.exec(path) ?? [];
  if (stem === "" || documents.test(path)) return false;
  const names = stem.split("/").slice(-2).map(RegExp.escape);
  const start = names.length > 1 ? "" : `(?:(?<=\\./)|(?=${names.join("")}\\.${extension}\\b))`;
  return new RegExp(`(?<![\\w-])${start}${names.join(String.raw`[./\\]`)}(?![\\w-])`).test(text);
}

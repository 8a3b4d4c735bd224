/** Extensions of source code, documents and data, which have no effect until somebody runs or opens them. */
const inert: ReadonlySet<string> = new Set(
  [
    "ts tsx mts cts js jsx mjs cjs vue svelte astro py pyi ipynb rb php java kt scala groovy clj cs fs vb swift dart",
    "c cc cpp cxx h hh hpp m mm go rs zig nim d jl r lua pl pm ex exs erl hrl hs elm ml mli sql graphql proto",
    "sh bash zsh fish ps1 psm1 bat cmd html htm css scss sass less styl svg md mdx rst adoc tex txt csv tsv log",
  ].flatMap((line) => line.split(" ")),
);

/** Extensions of documents and data, which no tool runs. */
const documents = /\.(?:sql|graphql|proto|html?|css|s[ac]ss|less|styl|svg|mdx?|rst|adoc|tex|txt|[ct]sv|log)$/i;

/**
 * Names, without extension, of source files that tools load by convention. With `.babel` before the extension, Babel compiles
 * them first (the package `interpret`, as in gulp and webpack).
 */
const loadedByTools = [
  /^(?:build|setup|conf|conftest|noxfile|gulpfile|gruntfile|package|mix|extconf|cmakelists|sitecustomize|usercustomize)(?:\.babel)?$/i,
  /^(?:requirements|constraints)(?:[._-]|$)/i,
  /[.-](?:config|conf|setup|workspace|gradle)(?:\.babel)?$/i,
];

/** Folders of installed packages, and of Gradle's own build, whose code tools run. */
const toolFolder = /^(?:node_modules|bower_components|jspm_packages|site-packages|dist-packages|venv|buildSrc)$/i;

/** Instructions for agents, and configuration of Mix. */
const instructions = /^(?:agents?|claude|gemini|skill)(?:\.\w+)?\.md$|\.(?:agent|instructions|prompt|chatmode)\.md$/i;
const mixConfiguration = /(?:^|\/)config\/[^/]+\.exs$/i;

/**
 * Whether code may run merely because a file is changed, by the file's path in the workspace. That holds for dotfiles, and for
 * everything that is not clearly source code or a document: tools read configuration and build files as soon as a project is
 * open. VS Code's own agent asks about fewer files (`chat.tools.edits.autoApprove`, VS Code 1.139), all of which are among
 * these.
 */
export function isToolFile(path: string): boolean {
  const names = path.split("/");
  const name = names.at(-1) ?? "";
  const dot = name.lastIndexOf(".");
  if (names.some((each) => each.startsWith(".") || toolFolder.test(each)) || dot < 0) return true;
  if (!inert.has(name.slice(dot + 1).toLowerCase()) || instructions.test(name)) return true;
  if (mixConfiguration.test(path)) return true;
  return loadedByTools.some((pattern) => pattern.test(name.slice(0, dot)));
}

/**
 * Whether a configuration file mentions a source file, which tools then load as a rule or plugin. `path` is relative to the
 * folder of the configuration. Matches its last two names, or a single name with "./" before it or with its extension;
 * otherwise, the extension and `index` are optional. `rules/no-foo` mentions rules/no-foo.js and rules/no-foo/index.js.
 */
export function mentionsFile(text: string, path: string): boolean {
  const [, stem = "", extension = ""] = /^(.*?)(?:\/index)?\.(\w+)$/.exec(path) ?? [];
  if (stem === "" || documents.test(path)) return false;
  const names = stem.split("/").slice(-2).map(RegExp.escape);
  const start = names.length > 1 ? "" : `(?:(?<=\\./)|(?=${names.join("")}\\.${extension}\\b))`;
  return new RegExp(`(?<![\\w-])${start}${names.join(String.raw`[./\\]`)}(?![\\w-])`).test(text);
}

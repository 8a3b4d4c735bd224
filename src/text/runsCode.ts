/** Extensions of source code, documents, and data, which do nothing until somebody runs or opens them. */
const plain =
  /\.(?:[cm]?[jt]sx?|vue|svelte|astro|py|pyi|ipynb|rb|php|java|kt|scala|groovy|clj[cs]?|cs|fs|vb|c|cc|cpp|cxx|h|hh|hpp|m|mm|swift|go|rs|zig|nim|d|dart|ex|exs|erl|hrl|hs|elm|ml|mli|jl|r|lua|pl|pm|sql|graphql|proto|sh|bash|zsh|fish|ps1|psm1|bat|cmd|html?|css|scss|sass|less|styl|svg|mdx?|rst|adoc|tex|txt|csv|tsv|log)$/i;

/** Names of files that tools, or agents, look for and obey, although they look like source code or documents. */
const obeyed =
  /^(?:build|setup|conftest|noxfile|(?:gulp|grunt|jake)file|package|mix|extconf|(?:site|user)customize|cmakelists|(?:requirements|constraints)[^/]*)\.\w+$|[.-](?:config|conf|setup|workspace|gradle)\.\w+$|^(?:agents|claude|gemini|skill)\.md$|\.(?:agent|instructions|prompt|chatmode)\.md$/i;

/**
 * Whether changing a file can run code that nobody starts, by its path in the workspace: dotfiles, and everything that is
 * not clearly source code or a document, because any tool may read its configuration or build file once a project is open.
 * VS Code's own agent asks about fewer files (`chat.tools.edits.autoApprove`, VS Code 1.139), all of which are among these.
 */
export function runsCode(path: string): boolean {
  const names = path.split("/");
  const name = names.at(-1) ?? "";
  return names.some((each) => each.startsWith(".")) || !plain.test(name) || obeyed.test(name);
}

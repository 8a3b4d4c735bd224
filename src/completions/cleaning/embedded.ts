/** Code of another language in a document: the language, and where the code starts and ends. */
interface Embedded {
  readonly languageId: string;
  /** Where the code starts in the text before the cursor, and ends in the text after it. */
  readonly from: number;
  readonly to: number;
}

/** A line that starts or ends a fence: its marks, and the language or path of what is in it. */
export const fenceLine = /^[ \t]{0,80}(`{3,8}|~{3,8})[ \t]*([\w#+.:-]*)(?:[ \t/({][^`\n]{0,80})?$/;
const fenceLines = new RegExp(fenceLine, "gm");
const element = /<(\/?)(script|style)\b([^<>]{0,200})>/gi;

/** What blocks of code in documents call languages, where it is not VS Code's id. */
const idOf: Readonly<Record<string, string>> = {
  js: "javascript",
  mjs: "javascript",
  cjs: "javascript",
  node: "javascript",
  jsx: "javascriptreact",
  ts: "typescript",
  tsx: "typescriptreact",
  py: "python",
  python3: "python",
  rb: "ruby",
  rs: "rust",
  golang: "go",
  kt: "kotlin",
  cs: "csharp",
  "c#": "csharp",
  "c++": "cpp",
  sh: "shellscript",
  bash: "shellscript",
  zsh: "shellscript",
  shell: "shellscript",
  console: "shellscript",
  yml: "yaml",
  docker: "dockerfile",
};

/** The code that the cursor is in: a block in a Markdown document, a script or a style sheet of a page, or PHP. */
export function embeddedCode(languageId: string, before: string, after: string): Embedded | undefined {
  if (/^(?:markdown|mdx|quarto|rmd)$/.test(languageId)) return inFence(before, after);
  if (/^(?:html|vue|svelte|astro|handlebars|razor|vue-html)$/.test(languageId)) return inElement(before, after);
  if (languageId === "perl") return inPod(before, after);
  return languageId === "php" ? inPhp(before, after) : undefined;
}

/** The documentation in a file of Perl. */
function inPod(before: string, after: string): Embedded | undefined {
  const command = [...before.matchAll(/^=([a-zA-Z]\w*)/gm)].at(-1);
  if (!command || command[1] === "cut") return undefined;
  const end = after.search(/^=cut\b/m);
  return { languageId: "pod", from: command.index, to: end < 0 ? after.length : end };
}

function inFence(before: string, after: string): Embedded | undefined {
  const fences = [...before.matchAll(fenceLines)].filter(({ index, 0: line }) => index + line.length < before.length);
  const open = fences.at(-1);
  if (fences.length % 2 === 0 || !open) return undefined;
  const [line, , info = ""] = open;
  const name = info.replace(/:.*/, "").toLowerCase();
  // Where no end follows, the answer may end the block.
  const [end] = after.matchAll(fenceLines);
  if (end?.[2] !== "") return undefined;
  return { languageId: idOf[name] ?? name, from: open.index + line.length + 1, to: end.index };
}

function inElement(before: string, after: string): Embedded | undefined {
  const tag = [...before.matchAll(element)].at(-1);
  if (!tag || tag[1] === "/") return undefined;
  const [all, , name = "", attributes = ""] = tag;
  if (/\btype=["']?(?!module|text\/(?:javascript|css|babel))/.test(attributes)) return undefined;
  const lang = /\blang=["']?(\w+)/.exec(attributes)?.[1]?.toLowerCase();
  const plain = name.toLowerCase() === "style" ? "css" : "javascript";
  const end = after.search(new RegExp(`</${name}`, "i"));
  const languageId = lang === undefined ? plain : (idOf[lang] ?? lang);
  return { languageId, from: tag.index + all.length, to: end < 0 ? after.length : end };
}

function inPhp(before: string, after: string): Embedded | undefined {
  const from = before.lastIndexOf("<?");
  if (from < 0 || before.includes("?>", from)) return { languageId: "html", from: 0, to: after.length };
  const end = after.indexOf("?>");
  return { languageId: "php", from: from + 2, to: end < 0 ? after.length : end };
}

import { invisibleIn, withoutInvisible } from "../../text/hiddenText.ts";

/** The path of a file that an answer refers to. */
export interface ResolvedPath {
  readonly path: string;
  /** Whether a file has this path, or only one file or several files have a similar one. */
  readonly found: "exact" | "similar" | "several" | "none";
}

/** Files by path, or only their paths. */
export type Files = ReadonlyMap<string, unknown>;

/** Maximum length of a path, in characters. A longer one names no file. */
export const maxPathLength = 1_000;

/** Decoration that models put around a path, and its replacement. */
const decorations: readonly (readonly [RegExp, string])[] = [
  [/^(?:(?:#{1,6}|[-*+]|\d{1,3}[.)])\s+|\d{1,3}、)/, ""],
  [/^[\p{Extended_Pictographic}\ufe0f]+\s+/u, ""],
  [/^(-{2,}|={2,}|\*{3,})\s+(\S(?:.*\S)?)\s+\1$/, "$2"],
  [/[:：]$/, ""],
  [/^(`{1,3}|\*\*|__|[*_"'])(.+)\1$/, "$2"],
  [/^(\*\*|__|\*|_|)(?:file ?(?:name|path)?|path|文件(?:名|路径)?|路径)(?:\s*[:：]\1|\1\s*[:：])\s*/i, ""],
  [/^\[([^\]]+)\]\([^()]*\)$/, "$1"],
  [/(?<!\s)\s+\((?:new|new file|created|create|updated|update|modified|changed)\)$/i, ""],
  [/（(?:新|新建|新增|新文件|创建|更新|修改)）$/, ""],
  [/\t.*$/, ""],
];

/** Maximum number of layers of decoration that are removed. */
const maxLayers = 10;

/** A path in an answer without its decoration. Backslashes stay, and so does a path that is too long. */
export function cleanPath(written: string): string {
  if (written.length > maxPathLength) return written;
  let path = written.trim();
  for (let [layer, before] = [0, ""]; layer < maxLayers && before !== path; layer += 1) {
    before = path;
    for (const [pattern, rest] of decorations) path = path.replace(pattern, rest).trim();
  }
  return path;
}

/** The numbers of lines after a path, as in `src/a.ts:12-20` and `src/a.ts#L12`. */
const lineNumbers = /(?<=\.\w+|\/\w+)(?::\d+(?:[:-]\d+)?|#L\d+(?:-L?\d+)?)$/;

/** The path as written, from the top of the workspace. `undefined` outside the workspace. */
export function resolveWholePath(written: string): ResolvedPath | undefined {
  if (written.length > maxPathLength) return undefined;
  const bare = cleanPath(written).replace(lineNumbers, "");
  const slashed = bare.replaceAll("\\", "/");
  const path = slashed
    .split("/")
    .filter((segment) => segment !== "." && segment !== "")
    .join("/");
  return isOutside(slashed) || path === "" || slashed.endsWith("/") ? undefined : { path, found: "none" };
}

/** A path, and the same path without the "@" of a mention. */
export function pathAndMention(path: string): readonly [path: string, mentioned: string] {
  return [path, path.replace(/^@/, "")];
}

/** Whether a file is Markdown, which may contain code fences. */
export function isMarkdown(path: string): boolean {
  return /\.(?:md|mdx|markdown|qmd)$/i.test(path);
}

/** Finds the file that a path, or the end of one, refers to: of several, `preferred`. `undefined` outside the workspace. */
export function resolvePath(written: string, files: Files, preferred?: string): ResolvedPath | undefined {
  const path = resolveWholePath(written)?.path;
  if (path === undefined) return undefined;
  const [, bare] = pathAndMention(path);
  const exact = [path, bare].find((one) => files.has(one));
  if (exact !== undefined) return { path: exact, found: "exact" };
  const lower = bare.toLowerCase();
  const similar = [...files.keys()].filter((file) => file.endsWith(`/${bare}`) || file.toLowerCase() === lower);
  const only = similar.length === 1 ? similar[0] : similar.find((file) => file === preferred);
  if (only !== undefined) return { path: only, found: only === preferred ? "exact" : "similar" };
  return { path: bare, found: similar.length > 1 ? "several" : "none" };
}

/** Whether a path may lead out of the workspace: it is absolute, or has a drive, a scheme, or "..". */
function isOutside(path: string): boolean {
  if (/^[/~]|[\t\n\r:]/.test(path) || invisibleIn(path).size > 0) return true;
  return path.split(/[/\\]/).some((segment) => segment !== "." && segment !== "" && /^[. ]+$/.test(segment));
}

/** Words before the path of a new file. */
const creation = /^(?:(?:create|add|new file)\s*:?\s+|(?:新建|新增|创建|添加)(?!文件夹)(?:文件)?\s*[:：]?\s*)(?=\S+$)/i;

/** The path in a line above a block: the whole line (`isOnlyPath`), or the only file that the line mentions. */
export function pathInLine(
  line: string,
  files: Files,
  info = "",
): { readonly path: string; readonly isOnlyPath: boolean } | undefined {
  if (line.length > maxPathLength) return undefined;
  const [, comment] = /^\s*(?:\/\/|#(?!#)|--|;|<!--|\/\*)\s+(.*)$/.exec(line) ?? [];
  const written = comment?.trimEnd().replace(/(?:-->|\*\/)$/, "") ?? line;
  const whole = cleanPath(written);
  const cleaned = isKnown(whole, files) ? whole : cleanPath(whole.replace(creation, ""));
  const isPath = (looksLikePath(cleaned) || isLanguage(cleaned, info)) && !isKnown(withoutHan(cleaned), files);
  if (isKnown(cleaned, files) || isPath) return { path: cleaned, isOnlyPath: true };
  const quoted = [...line.matchAll(/`([^`]+)`|\*\*([^*]+)\*\*/g)].map((match) => match[1] ?? match[2] ?? "");
  const others = line.split(/[\s`*"'(),，。：；、（）]+/).map((word) => word.replace(/[.:;]+$/, ""));
  const words = [...new Set([...quoted, ...others])];
  const known = new Set([...words, ...words.map(withoutHan)].filter((word) => isKnown(word, files)));
  // A path with a folder is meant, even if the file does not exist or may not be changed.
  const foreign = new Set(words.filter((word) => looksLikePath(word) && (isInFolder(word) || isOutside(word))));
  const [path, ...rest] = known.size > 0 ? known : foreign;
  return path === undefined || rest.length > 0 ? undefined : { path, isOnlyPath: false };
}

/** A word without the Chinese ones before and after it, as Chinese has no spaces. */
function withoutHan(word: string): string {
  return word.replace(/^\p{Script=Han}+|\p{Script=Han}+$/gu, "");
}

/** The path in a fence's info string: `ts:src/a.ts`, `ts title="src/a.ts"`, `ts src/a.ts`, `src/a.ts`. */
export function pathInInfo(info: string, files: Files): string | undefined {
  // These two are languages as well.
  if (info.length > maxPathLength || info === "makefile" || info === "dockerfile") return undefined;
  const attribute =
    /(?:^|[\s{,])(?:title|file|filename|file_?path|path|name)\s*[=:]\s*(?:"([^"]*)"|'([^']*)'|([^\s},]+))/i.exec(info);
  const named = attribute?.[1] ?? attribute?.[2] ?? attribute?.[3];
  if (named !== undefined && (isKnown(named, files) || looksLikePath(named))) return named;
  const [first = "", ...others] = info.split(/\s+/);
  const afterColon = /^[\w+#.-]*?:(?!\d)(.+)$/.exec(first)?.[1] ?? "";
  const rest = others.join(" ");
  if (rest !== "" && files.has(cleanPath(rest))) return rest;
  return [afterColon, first, ...others].find(
    (word) => isKnown(word, files) || (looksLikePath(word) && (word !== first || /[/\\]/.test(word))),
  );
}

/** Whether a file has this path, or a path with this end. Invisible characters are ignored. */
function isKnown(written: string, files: Files): boolean {
  if (written === "" || written.length > 500) return false;
  const found = resolvePath(withoutInvisible(written), files)?.found;
  return found === "exact" || found === "similar";
}

/** Common names of files outside folders. Other names with a dot may be code, such as `Promise.all` and `.then`. */
const commonName =
  /^\.(?:env(?:\.\w+)?|\w+-\w+|\w+(?:attributes|config|ignore|rc))$|\.(?:bat|cc?|[cm]?[jt]s|cfg|clj|cmake|conf|cpp|cs|csproj|css|csv|dart|exs?|go|gradle|graphql|h|hpp|hs|html?|ini|java|jl|jsonc?|[jt]sx|kts?|less|lua|mdx?|mod|php|pl|prisma|properties|proto|ps1|pyi?|qmd|rb|rs|rst|sass|scala|scss|sh|sol|sql|svelte|svg|swift|tex|tf|toml|txt|vue|xml|ya?ml|zig)$/i;

/**
 * Whether a block below a path may be the whole file, and not lines of it, or code under a title such as `try/catch`. Outside
 * folders, the extension of a new file is a common one, or also the language of the block, or that of another file.
 */
export function mayBeWhole(written: string, info: string, files: Files): boolean {
  const path = cleanPath(written);
  if (lineNumbers.test(path)) return false;
  if (isLanguage(path, info) || commonName.test(path) || isInFolder(path) || isKnown(path, files) || isOutside(path))
    return true;
  const extension = /\w(\.\w+)$/.exec(path)?.[1]?.toLowerCase();
  return (
    extension !== undefined && [...files.keys(), `.${info}`].some((name) => name.toLowerCase().endsWith(extension))
  );
}

/** Whether a file is named like the language of its block, as `Dockerfile` is. */
function isLanguage(path: string, info: string): boolean {
  return path.endsWith("file") && path.toLowerCase() === info.split(" ", 1)[0];
}

/** Whether a path is that of a file in a folder. Other words have slashes, too. */
function isInFolder(path: string): boolean {
  return /[/\\][^/\\]*(?:\.[a-z][\w-]*|file)$/i.test(path.replace(lineNumbers, ""));
}

/** Names of products that look like those of files. */
const product =
  /^(?:node|next|nuxt|vue|react|express|three|d3|chart|socket|asp|ember|moment|p5|alpine)\.(?:js|io|net)$/i;

/** Whether a word looks like a path. Invisible characters are ignored here, so that such a path is refused later. */
function looksLikePath(written: string): boolean {
  const text = withoutInvisible(written);
  if (product.test(text) || text.length > 500 || /[\s<>|*?"`{}=，。：；、]|:\/\//.test(text)) return false;
  // Lines that are quoted, as in `12:14:src/a.ts`, and the start of a comment.
  if (/^\d+:\d+:|^[^\p{L}\p{N}]*$/u.test(text)) return false;
  if (/^(?:[/~\\]|\.\.?[/\\]|[a-z]:[/\\])/i.test(text)) return true;
  return /^[^.].*\.[a-z]\w{0,9}(?::\d+(?:[:-]\d+)?)?$|^\.\w[\w.-]*$|\w[/\\]\w/i.test(text);
}

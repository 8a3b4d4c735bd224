import { unseenIn, withoutUnseen } from "../../text/unseen.ts";

/** The file that a path names, or why it names none that may be changed. */
export type ResolvedPath =
  | {
      readonly type: "file";
      readonly path: string;
      readonly isKnown: boolean;
      /** Whether the file has a longer path, or one in other case. */
      readonly isGuess: boolean;
      /** Whether the path may be short for several files. */
      readonly isAmbiguous: boolean;
    }
  | { readonly type: "outside" };

/** The longest path that is read, in characters. A longer one names no file. */
export const longestPath = 1_000;

const wrappers = ["**", "__", "*", "_", "`", '"', "'"];
const label = /^(\*\*|__|\*|_|)(?:file ?(?:name|path)?|path)(?:\s*:\1|\1\s*:)\s*/i;
const link = /^\[([^\]]+)\]\([^()]*\)$/;
/** What stands before, and again behind, a path in a line of its own, such as `--- src/a.ts ---`. */
const rule = /^[-=*~]{2,}(?=\s)/;
const pictures = /^[\p{Extended_Pictographic}\ufe0f]+\s+/u;

/** The most layers of decoration around a path. */
const mostLayers = 10;

/** A path as written in an answer, without its decoration. Backslashes stay, and so does all of a path that is too long. */
export function cleanPath(written: string): string {
  if (written.length > longestPath) return written;
  let path = withoutRule(
    written
      .trim()
      .replace(/^(?:#{1,6}|[-*+]|\d{1,3}[.)])\s+/, "")
      .replace(pictures, ""),
  );
  let before = "";
  for (let layer = 0; layer < mostLayers && before !== path; layer += 1) {
    before = path;
    path = unwrapped(path.replace(/:$/, ""))
      .replace(label, "")
      .replace(link, "$1")
      .replace(/(?<!\s)\s+\((?:new|new file|created|create|updated|update|modified|changed)\)$/i, "")
      .replace(/\t.*$/, "")
      .trim();
  }
  return path;
}

function withoutRule(path: string): string {
  const [mark = ""] = rule.exec(path) ?? [];
  const isAround = mark !== "" && path.endsWith(mark) && /\s/.test(path.at(-mark.length - 1) ?? "");
  return isAround ? path.slice(mark.length, -mark.length).trim() || path : path;
}

/** A path without the marks or quotes that are around it, if any. */
function unwrapped(path: string): string {
  const mark = wrappers.find((one) => path.length > 2 * one.length && path.startsWith(one) && path.endsWith(one));
  if (mark === undefined) return path;
  const length = mark === "`" ? ticksAround(path) : mark.length;
  return path.slice(length, -length);
}

/** How many backticks are on both sides of a path. */
function ticksAround(path: string): number {
  let count = 0;
  while (2 * count + 2 < path.length && path[count] === "`" && path.at(-count - 1) === "`") count += 1;
  return count;
}

/**
 * Finds the file that a path as written in an answer means. `mayHavePrefix` allows for the "a/" and "b/" of diffs. Of
 * several files that it may be short for, `asked` is meant.
 */
export function resolvePath(
  written: string,
  files: ReadonlyMap<string, unknown>,
  { mayHavePrefix = false, asked }: { readonly mayHavePrefix?: boolean; readonly asked?: string | undefined } = {},
): ResolvedPath {
  if (written.length > longestPath) return { type: "outside" };
  const cleaned = cleanPath(written);
  if (files.has(cleaned) && !isOutside(cleaned)) return found(cleaned);
  const bare = cleaned.replace(/(?<=\.\w+|\/\w+)(?::\d+(?:[:-]\d+)?|#L\d+(?:-L?\d+)?)$/, "");
  const slashed = bare.replaceAll("\\", "/");
  const segments = slashed.split("/").filter((segment) => segment !== "." && segment !== "");
  const path = segments.join("/");
  if (isOutside(slashed) || path === "" || slashed.endsWith("/")) return { type: "outside" };
  const unprefixed = /^[abciow]\/(.+)$/.exec(path)?.[1] ?? path;
  const exact = [path, path.replace(/^@/, ""), unprefixed].find((one) => files.has(one));
  if (exact !== undefined) return found(exact);
  const meant = mayHavePrefix ? unprefixed : path;
  const lower = meant.toLowerCase();
  const similar = [...files.keys()].filter((file) => file.endsWith(`/${meant}`) || file.toLowerCase() === lower);
  const only = similar.length === 1 ? similar[0] : similar.find((file) => file === asked);
  if (only !== undefined) return { ...found(only), isGuess: true };
  return { ...found(meant), isKnown: false, isAmbiguous: similar.length > 1 };
}

function found(path: string): Extract<ResolvedPath, { readonly type: "file" }> {
  return { type: "file", path, isKnown: true, isGuess: false, isAmbiguous: false };
}

/** Whether a path leads, or may lead, out of the workspace: absolute, with a drive, a scheme, or "..". */
function isOutside(path: string): boolean {
  if (/^[/~]|[\0-\x1f\x7f]|:/.test(path) || unseenIn(path).size > 0) return true;
  return path.split(/[/\\]/).some((segment) => segment !== "." && segment !== "" && /^[. ]+$/.test(segment));
}

/** The path that a line before a block names, if any. `isOnlyPath` is false if the line has other words. */
export function pathInLine(
  line: string,
  files: ReadonlyMap<string, unknown>,
): { readonly path: string; readonly isOnlyPath: boolean } | undefined {
  if (line.length > longestPath) return undefined;
  const [, comment] = /^\s*(?:\/\/|#(?!#)|--|;|<!--|\/\*)\s+(.*)$/.exec(line) ?? [];
  const cleaned = cleanPath(comment?.trimEnd().replace(/(?:-->|\*\/)$/, "") ?? line);
  const isSpaced = /\s/.test(cleaned);
  if (isKnown(cleaned, files) || (!isSpaced && looksLikePath(cleaned))) return { path: cleaned, isOnlyPath: true };
  const quoted = [...line.matchAll(/`([^`]+)`|\*\*([^*]+)\*\*/g)].map((match) => match[1] ?? match[2] ?? "");
  const words = [...quoted, ...line.split(/[\s`*"'(),]+/).map((word) => word.replace(/[.:;]+$/, ""))];
  const files_ = new Set(words.filter((word) => word !== "" && isKnown(word, files)));
  if (files_.size === 1) for (const path of files_) return { path, isOnlyPath: false };
  if (files_.size > 0) return undefined;
  const created = cleanPath(cleaned.replace(/^(?:create|add|new file)\s*:?\s+/i, ""));
  if (created !== cleaned && !/\s/.test(created) && looksLikePath(created)) return { path: created, isOnlyPath: true };
  // A sentence may end in a path; only a folder that is there has blanks in its name.
  if (isSpaced && looksLikePath(cleaned) && isInKnownFolder(cleaned, files)) return { path: cleaned, isOnlyPath: true };
  const foreign = new Set((isSpaced ? words : quoted).filter((word) => /[/\\~]/.test(word) && looksLikePath(word)));
  if (foreign.size === 1) for (const path of foreign) return { path, isOnlyPath: false };
  return undefined;
}

/** Whether the first folder of a path is the first folder of a file. */
function isInKnownFolder(path: string, files: ReadonlyMap<string, unknown>): boolean {
  const [folder = ""] = path.split(/[/\\]/);
  return [...files.keys()].some((file) => file.startsWith(`${folder}/`));
}

/** The path in a fence's info string: `ts:src/a.ts`, `ts title="src/a.ts"`, `ts src/a.ts`, `src/a.ts`. */
export function pathInInfo(info: string, files: ReadonlyMap<string, unknown>): string | undefined {
  if (info.length > longestPath) return undefined;
  const attribute =
    /(?:^|[\s{,])(?:title|file|filename|file_?path|path|name)\s*[=:]\s*(?:"([^"]*)"|'([^']*)'|([^\s},]+))/i.exec(info);
  const named = attribute?.[1] ?? attribute?.[2] ?? attribute?.[3];
  if (named !== undefined) return named;
  const [first = "", ...others] = info.split(/\s+/);
  const afterColon = /^[\w+#.-]*?:(?!\d)(.+)$/.exec(first)?.[1];
  if (afterColon !== undefined && (isKnown(afterColon, files) || looksLikePath(afterColon))) return afterColon;
  if (isKnown(first, files) || (/[/\\]/.test(first) && looksLikePath(first))) return first;
  const rest = others.join(" ");
  if (rest !== "" && files.has(cleanPath(rest))) return rest;
  return others.find((word) => isKnown(word, files) || looksLikePath(word));
}

/** Whether a line has only a path, or the start of one. */
export function startsPath(line: string, files: ReadonlyMap<string, unknown>): boolean {
  if (line.length > longestPath) return false;
  const written = line.trim().replace(/^[#*_`"'\s]+|[*_`"':]+$/g, "");
  if (written === "" || /\s/.test(written)) return false;
  return looksLikePath(written) || [...files.keys()].some((path) => path.startsWith(written));
}

/** Whether a file is named, by its path or by its end. Invisible characters do not change that. */
function isKnown(written: string, files: ReadonlyMap<string, unknown>): boolean {
  if (written === "" || written.length > 500) return false;
  const resolved = resolvePath(withoutUnseen(written), files);
  return resolved.type === "file" && resolved.isKnown;
}

/** Names of products that look like those of files. */
const product =
  /^(?:node|next|nuxt|vue|react|express|three|d3|chart|socket|asp|ember|moment|p5|alpine)\.(?:js|io|net)$/i;

/** Whether a text looks like a path. Invisible characters do not change that, so that a path with them is refused. */
function looksLikePath(written: string): boolean {
  const text = withoutUnseen(written);
  if (product.test(text)) return false;
  if (text === "" || text.length > 500 || /[<>|*?"`{}=]/.test(text) || text.includes("://")) return false;
  if (/^(?:[/~\\]|\.\.?[/\\]|[a-z]:[/\\])/i.test(text)) return !/\s/.test(text);
  if (/\s/.test(text)) return /^[\w@.-]+(?:[ \w@.-]*[/\\])+[ \w@.-]*\.\w{1,10}$/.test(text) && !/[.,]\w*\s/.test(text);
  return (
    /^[^.].*\.[a-z]\w{0,9}(?::\d+(?:[:-]\d+)?)?$/i.test(text) || /^\.\w[\w.-]*$/.test(text) || /\w[/\\]\w/.test(text)
  );
}

import { lstat, readFile } from "node:fs/promises";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { UserError } from "../failures/userError.ts";
import { isSecretPath } from "../reading/secretFiles.ts";
import { oneLine } from "../text/lines.ts";
import { quote } from "../text/safeText.ts";
import type { WindowSecrets } from "../text/secrets/windowSecrets.ts";
import type { Repository } from "./gitApi.ts";
import { type Change, nameOf, readChanges } from "./repository.ts";

/** A changed file for a prompt: one line about it, and the lines of its diff. */
export interface DescribedChange {
  readonly path: string;
  /** The path in the prompt. */
  readonly name: string;
  /** One line: what happened to the file, and why there is no diff. */
  readonly line: string;
  /** Why there is no diff, unless the kind of change explains it. */
  readonly reason?: NoDiff | undefined;
  readonly diff: readonly string[];
}

/** All changes. Files that may hold secrets are only counted. */
export interface DescribedChanges {
  readonly isStaged: boolean;
  readonly files: readonly DescribedChange[];
  readonly secretFiles: number;
}

/** Maximum number of files that Git is asked about, or that are read. The others are only named. */
const maxReads = 200;

/** Maximum number of diffs that Git makes at the same time. */
const atOnce = 4;

/** Maximum size of a file that Git does not track, in bytes. */
const maxFileSize = 512 * 1024;

/** Number of bytes at the beginning in which a zero marks a file as binary, as in Git (`buffer_is_binary`). */
const binaryPart = 8_000;

interface DescribeOptions {
  /** The failure if there are no changes. */
  readonly ifNone: "nothingChanged" | "nothingToReview";
  readonly secrets: Pick<WindowSecrets, "learn">;
  readonly signal: AbortSignal;
  /** Whether a file that Git does not track is denied. Such files are read only if this function is given. */
  readonly isDenied?: (path: string) => Promise<boolean>;
}

/**
 * Reads the changes of a repository and their diffs. Files that may hold secrets are never read. The secrets in others are
 * only learned here: `guardGateway` masks them when the prompt is sent. With `isDenied`, as for a review, diffs include those
 * of renamed files, and of files that Git does not track unless they are denied. Throws a `UserError` if there is nothing to
 * send.
 */
export async function describeChanges(
  repository: Repository,
  { ifNone, secrets, signal, isDenied }: DescribeOptions,
): Promise<DescribedChanges> {
  const root = repository.rootUri.fsPath;
  const { isStaged, changes } = await readChanges(repository);
  const subject = quote(nameOf(repository));
  if (changes.length === 0) throw new UserError(ifNone, { subject });
  const secret = await Promise.all(changes.map((change) => isSecretChange(root, change)));
  const sendable = changes.filter((_, index) => secret[index] !== true);
  if (sendable.length === 0) throw new UserError("onlySecretFiles", { subject });
  const hasDiff = ({ kind }: Change): boolean =>
    kind === "added" || kind === "modified" || (isDenied !== undefined && kind !== "deleted");
  let reads = 0;
  const describeOne = async (change: Change): Promise<DescribedChange> => {
    const brief = briefReason(change);
    if (brief !== undefined || !hasDiff(change)) return describe(change, brief);
    if (binaryFiles.test(change.path)) return describe(change, "binary");
    if (reads >= maxReads) return describe(change, "unread");
    reads += 1;
    if (change.kind === "untracked" && (await isDenied?.(change.path))) return describe(change, "excluded");
    const diff = await readDiff(repository, change, isStaged);
    if (typeof diff === "string") return describe(change, diff);
    await secrets.learn(diff.join("\n"));
    // Lines above a changed one may show that it has a secret.
    const text = await readText(join(root, change.path));
    if (typeof text === "object") await secrets.learn(text.content);
    return describe(change, diff);
  };
  // Names may have secrets, too.
  await secrets.learn(sendable.flatMap(({ path, from = "" }) => [path, from]).join("\n"));
  const files: DescribedChange[] = [];
  for (let start = 0; start < sendable.length; start += atOnce) {
    signal.throwIfAborted();
    const some = sendable.slice(start, start + atOnce);
    files.push(...(await Promise.all(some.map(describeOne))));
  }
  return { isStaged, files, secretFiles: changes.length - sendable.length };
}

/** Whether a file may hold secrets, by its path before or after the change. */
async function isSecretChange(root: string, { path, from }: Change): Promise<boolean> {
  const names = [path, ...(from === undefined ? [] : [from])];
  return (await Promise.all(names.map((name) => isSecretPath(join(root, name), [root])))).includes(true);
}

/** A change with its diff, or the reason why it has none. */
function describe({ path, from, kind }: Change, found: FileDiff | undefined): DescribedChange {
  const name = quotePath(path);
  const head = `${kind} ${from === undefined ? "" : `${quotePath(from)} -> `}${name}`;
  if (typeof found !== "string") return { path, name, line: head, diff: found ?? [] };
  return { path, name, line: found === "unread" ? head : `${head} (${found})`, reason: found, diff: [] };
}

async function readDiff(repository: Repository, { kind, path, from }: Change, isStaged: boolean): Promise<FileDiff> {
  // The index lacks the text, even if it has the name (`git add --intent-to-add`).
  const isNew = kind === "untracked" || (from !== undefined && !isStaged);
  if (isNew) return await readNewFile(join(repository.rootUri.fsPath, path));
  // A pattern could match files with secrets. The Git extension passes on anything but an absolute path (VS Code 1.139.1).
  const literal = `:(top,literal)${path}`;
  const diff =
    from !== undefined
      ? // A path after a revision is not a pattern. Stage 0 is the index.
        repository.diffBlobs(`HEAD:${from}`, `:0:${path}`)
      : isStaged
        ? repository.diffIndexWithHEAD(literal)
        : repository.diffWithHEAD(literal);
  return await diff.then(readFileDiff, () => "unread");
}

/** Reads a file as a diff that adds all of it. */
async function readNewFile(file: string): Promise<FileDiff> {
  const text = await readText(file);
  if (typeof text !== "object") return text;
  const lines = text.content.replace(/\n$/, "").split("\n");
  return text.content === "" ? [] : hunksOf([`@@ -0,0 +1,${lines.length} @@`, ...lines.map((line) => `+${line}`)]);
}

/** The text of a file, or the reason why it is not read. Links may lead out of the repository, so they are not followed. */
async function readText(file: string): Promise<{ readonly content: string } | NoDiff> {
  try {
    const found = await lstat(file);
    if (!found.isFile()) return "unread";
    if (found.size > maxFileSize) return "large";
    const bytes = await readFile(file);
    return bytes.subarray(0, binaryPart).includes(0) ? "binary" : { content: bytes.toString("utf8") };
  } catch {
    return "unread";
  }
}

/** The hunks of a file, or the reason why there are none. */
type FileDiff = readonly string[] | NoDiff;

/** Maximum length of a line, in characters, before secrets are removed from it. */
const maxSearchedLength = 4_000;

/** Marks of generated files, which tools write among the first lines. */
const generatedMark =
  /@generated\b|code generated .{1,80}do not edit|autogenerated by|this file (?:is|was) (?:auto-?)?generated/i;
const firstLines = 15;

/** Reads Git's output for one file. With some settings for diffs, it has another format and is not read. */
function readFileDiff(output: string): FileDiff {
  // The change may have been reverted in the meantime.
  if (output === "") return [];
  // As with `color.ui=always`. A diff without colors may have escape sequences of its own.
  const plain = output.startsWith("\u001b") ? stripVTControlCharacters(output) : output;
  const lines = plain.replace(/\n$/, "").split("\n");
  const heads = lines.filter((line) => line.startsWith("diff --"));
  if (lines[0]?.startsWith("Submodule ")) return "submodule";
  if (heads.length !== 1 || !lines[0]?.startsWith("diff --git ")) return "unread";
  const start = lines.findIndex((line) => line.startsWith("@@ "));
  const header = lines.slice(1, start < 0 ? undefined : start);
  if (header.some((line) => line.endsWith(" 160000"))) return "submodule";
  if (header.some((line) => /^Binary files |^GIT binary patch/.test(line))) return "binary";
  return start < 0 ? [] : hunksOf(lines.slice(start));
}

function hunksOf(body: readonly string[]): FileDiff {
  const start = Number(/^@@ -\S+ \+(\d+)/.exec(body[0] ?? "")?.[1] ?? 1);
  const first = body.slice(0, Math.max(0, firstLines + 1 - start));
  if (first.some((line) => generatedMark.test(line))) return "generated";
  // Without its sign, as the line is in the file.
  return body.map((line) => line.slice(0, 1) + plainLine(line.slice(1)));
}

/** A line without byte order marks and characters that could end it early, and of a length that can be searched quickly. */
export function plainLine(line: string): string {
  const plain = line.replace(/[^\P{Cc}\t]|[\p{Zl}\p{Zp}\uFEFF]/gu, "");
  return plain.length > maxSearchedLength ? `${plain.slice(0, maxSearchedLength)}…` : plain;
}

const lockFiles =
  /^(?:package-lock\.json|npm-shrinkwrap\.json|[\w.-]*\.lock|bun\.lockb|pnpm-lock\.ya?ml|go\.(?:sum|work\.sum)|[\w.-]*\.lockfile|packages\.lock\.json|mix\.lock|package\.resolved|gradle-wrapper\.properties)$/;

/** Paths of binary files. For one in Git LFS, Git shows the change of a pointer. */
const binaryFiles = /\.(?:png|jpe?g|gif|webp|ico|psd|pdf|zip|gz|jar|woff2?|ttf|otf|mp[34]|mov|wav)$/i;

/** Paths of generated files, lowercase. */
const generatedFiles =
  /(?:\.min\.(?:js|css|mjs)|\.(?:js|css|mjs)\.map|\.snap|\.pb\.(?:go|cc|h)|_pb2(?:_grpc)?\.pyi?|\.g\.(?:dart|cs)|\.freezed\.dart|\.designer\.cs|[._-]generated\.\w+)$|(?:^|\/)(?:node_modules|vendor|__generated__|generated)\//;

/** Why a file is sent without a diff. */
type NoDiff = "submodule" | "lock file" | "generated" | "binary" | "large" | "excluded" | "unread";

/** Why the path of a file suffices: lock files and generated files follow from other changes. */
function briefReason({ path }: Change): NoDiff | undefined {
  const lower = path.toLowerCase();
  if (lockFiles.test(lower.slice(lower.lastIndexOf("/") + 1))) return "lock file";
  return generatedFiles.test(lower) ? "generated" : undefined;
}

/** A path for a prompt: a plain one as it is, any other as a JSON string, which shows where it ends. */
function quotePath(path: string): string {
  return /^[\w./@+-]+$/.test(path) ? path : JSON.stringify(oneLine(path));
}

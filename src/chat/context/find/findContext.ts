import { isUtf8 } from "node:buffer";
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { type CancellationToken, commands, Location, Range, SymbolInformation, Uri, workspace } from "vscode";
import { unlessAborted } from "../../../gateway/abort.ts";
import { isExcluded, isInSkippedFolder } from "../../../reading/excludeSettings.ts";
import type { FileGate } from "../../../reading/fileGate.ts";
import { listFiles, syncTime } from "../../../reading/listFiles.ts";
import { nameInRequests, withRelativePaths } from "../../../reading/promptPaths.ts";
import { isSecretFile } from "../../../reading/secretFiles.ts";
import { asArray } from "../../../base/json.ts";
import type { WindowSecrets } from "../../../text/secrets/windowSecrets.ts";
import type { ContextPart } from "../planQuestion.ts";
import { sizeOnDisk } from "../readFile.ts";
import { estimateTokens } from "../../../prompts/estimateTokens.ts";
import { type Excerpt, excerptsOf, wholeOf } from "./excerpts.ts";
import { type Candidate, isRelevant, matchingTerms, namesIn, pathWeightsFor, rankFiles, termsOf } from "./rankFiles.ts";

/** Context that was found for a question. */
export interface FoundContext {
  readonly parts: readonly ContextPart[];
  /** The files and locations of the parts. */
  readonly sources: readonly (Uri | Location)[];
}

interface WorkspaceFile extends Candidate {
  readonly uri: Uri;
}

/**
 * Limits on the files that are listed and read, on the size of each and of all of them in bytes. Reading a file of a virtual
 * workspace may take a request to a server.
 */
const limits = { listed: 5_000, read: 1_500, readVirtual: 100, fileSize: 200_000, totalSize: 12_000_000 };

const concurrency = 32;

/** Limits of what is found. All of a workspace within them may be sent. */
const budget = { files: 40, tokens: 8_000 };

/** Files that are binary or generated. */
const unsearched =
  /(?:\.(?:png|jpe?g|gif|webp|ico|icns|bmp|svgz?|pdf|zip|gz|tgz|bz2|xz|7z|jar|war|class|exe|dll|so|dylib|o|a|wasm|bin|dat|db|sqlite3?|mp[34]|mov|avi|webm|wav|ogg|flac|ttf|otf|woff2?|eot|vsix|lock|map|snap|min\.(?:js|css))|(?:^|\/)(?:package-lock\.json|pnpm-lock\.yaml|go\.sum))$/i;

/** Questions about the workspace as a whole, as in “What does this project do?”. */
const workspaceQuestion =
  /\b(?:this|the|my|our)\s+(?:whole\s+|entire\s+)?(?:project|workspace|repo(?:sitory)?|code\s?base|app(?:lication)?|program|package|library)\b|\b(?:projekt|projet|proyecto|projeto|progetto)\b|项目|專案|仓库|工程|代码库|プロジェクト|프로젝트|проект/i;

/**
 * Finds files of the workspace that a question is about, by their paths, declarations, and words. All of them have passed the
 * gate. Finds nothing for a question about something else. In a workspace that fits into the budget, one matching word in
 * code is enough, and for a question about the workspace, all files are found. For an edit, all matching files are found.
 */
export async function findContext(
  typed: string,
  {
    gate,
    secrets,
    sentAnyway,
    signal,
    token,
    isEditRequest = false,
  }: {
    readonly gate: FileGate;
    readonly secrets: Pick<WindowSecrets, "learn">;
    /** Returns the URIs of files that are sent anyway. The workspace is listed meanwhile. */
    readonly sentAnyway: () => Promise<ReadonlySet<string>>;
    readonly signal: AbortSignal;
    /** The token that `signal` follows. */
    readonly token?: CancellationToken;
    readonly isEditRequest?: boolean;
  },
): Promise<FoundContext> {
  const none = { parts: [], sources: [] };
  // A stack trace names files by absolute paths.
  const question = withRelativePaths(typed);
  const terms = termsOf(question);
  const { size } = terms;
  const names = namesIn(question);
  const isAboutWorkspace = workspaceQuestion.test(question);
  if ((size === 0 && names.length === 0) || !workspace.workspaceFolders?.length) return none;
  const [listed, declarations, known] = await Promise.all([
    listCandidates(gate, token),
    findDeclarations(names, signal),
    sentAnyway(),
  ]);
  const uris = new Map<string, Uri>();
  for (const uri of [...listed, ...Array.from(declarations.keys(), (text) => Uri.parse(text)).filter(isSearchable)]) {
    const path = nameInRequests(uri);
    if (!unsearched.test(path) && !isSecretFile(path) && !known.has(uri.toString())) uris.set(path, uri);
  }
  // One term is not enough to choose among many files, unless their paths have it.
  const isVague = size < 2 && names.length === 0 && !isEditRequest && !isAboutWorkspace;
  if (isVague && uris.size > budget.files)
    for (const path of uris.keys()) if (matchingTerms(path, terms).size === 0) uris.delete(path);
  const files = await readAll(byRelevance(question, uris, declarations), { declarations, signal });
  const fits = isSmall(files);
  if (isVague && !fits) return none;
  const isWhole = isAboutWorkspace && fits;
  const ranked = isWhole
    ? files.map((file) => ({ ...file, score: 1, coverage: 1 }))
    : await rankFiles(isAboutWorkspace ? `${question} \`README\`` : question, files, signal);
  const best = ranked.slice(0, budget.files);
  const denied = await gate.denied(best.map(({ uri }) => uri));
  const allowed = best.filter(({ uri }) => !denied.has(uri));
  const isClear = isEditRequest || isWhole || (!isVague && isRelevant(allowed));
  // Code with a word of the question is mostly relevant. Documents have words of all kinds of questions.
  const weightOf = pathWeightsFor(question);
  const sent = isClear ? allowed : fits ? allowed.filter(({ path }) => weightOf(path) === 1) : [];
  // Secrets are found in whole files, because lines outside an excerpt may show that a value in it is one.
  for (const { path, text } of sent) await secrets.learn(text, path);
  const excerpts = isWhole ? sent.map(wholeOf) : excerptsOf(question, sent, budget.tokens);
  return { parts: excerpts.map(partOf), sources: excerpts.map(sourceOf) };
}

/**
 * The files of the workspace, if they are many without those that Git ignores: a virtual environment may have more files than
 * everything else. Few files are checked once they are ranked.
 */
async function listCandidates(gate: FileGate, token: CancellationToken | undefined): Promise<readonly Uri[]> {
  const listed = await listFiles(limits.listed, token);
  if (listed.length <= budget.files) return listed;
  const ignored = await gate.ignored(listed);
  return listed.filter((uri) => !ignored.has(uri));
}

function isSearchable(uri: Uri): boolean {
  const path = workspace.asRelativePath(uri, false);
  return (
    workspace.getWorkspaceFolder(uri) !== undefined && !isInSkippedFolder(path) && !isExcluded(uri, "files", "search")
  );
}

/** Whether all files of a workspace are within the budget. */
function isSmall(files: readonly Candidate[]): boolean {
  const length = files.reduce((sum, { text }) => sum + text.length, 0);
  if (files.length > budget.files || length >= 8 * budget.tokens) return false;
  return estimateTokens(files.map(({ path, text }) => path + text).join("\n")) <= budget.tokens;
}

/** The files to read: first those with declarations or matching paths, then those near the root. */
function byRelevance(
  question: string,
  uris: ReadonlyMap<string, Uri>,
  declarations: Declarations,
): readonly (readonly [path: string, uri: Uri])[] {
  const terms = termsOf(question);
  const weightOf = pathWeightsFor(question);
  const rankOf = (path: string, uri: Uri): number =>
    path.split("/").length -
    10 * matchingTerms(path, terms).size -
    100 * weightOf(path) -
    (declarations.has(uri.toString()) ? 1_000 : 0);
  return Array.from(uris, ([path, uri]) => ({ file: [path, uri] as const, rank: rankOf(path, uri) }))
    .toSorted((one, other) => one.rank - other.rank)
    .slice(0, limits.read)
    .map(({ file }) => file);
}

/** Reads files in the given order, up to the limits. */
export async function readAll(
  listed: readonly (readonly [path: string, uri: Uri])[],
  { declarations, signal }: { readonly declarations: Declarations; readonly signal: AbortSignal },
): Promise<readonly WorkspaceFile[]> {
  const read: WorkspaceFile[] = [];
  const open = new Map(workspace.textDocuments.map((document) => [document.uri.toString(), document]));
  let virtual = 0;
  const files = listed.filter(([, { scheme }]) => scheme === "file" || (virtual += 1) <= limits.readVirtual);
  let size = 0;
  const begun = performance.now();
  for (let start = 0; start < files.length && size < limits.totalSize; start += concurrency) {
    signal.throwIfAborted();
    const reading = files.slice(start, start + concurrency).map(async ([path, uri]) => {
      const isSync = performance.now() - begun <= syncTime;
      const text = open.get(uri.toString())?.getText() ?? (await readText(uri, isSync));
      return text === undefined ? [] : [{ path, uri, text, declarations: declarations.get(uri.toString()) }];
    });
    for (const file of (await unlessAborted(Promise.all(reading), signal)).flat()) {
      size += file.text.length;
      read.push(file);
    }
  }
  return read;
}

/**
 * The text of a file; `undefined` if it is too large, binary, or cannot be read. Reads without VS Code as `sizeOnDisk` does;
 * `isSync`: with Node's synchronous functions.
 */
async function readText(uri: Uri, isSync: boolean): Promise<string | undefined> {
  try {
    const size = await sizeOnDisk(uri, isSync);
    if (typeof size !== "number" || size > limits.fileSize) return undefined;
    const bytes = await bytesOf(uri, isSync);
    if (bytes.includes(0)) return undefined;
    return isUtf8(bytes) ? Buffer.from(bytes).toString() : await workspace.decode(bytes, { uri });
  } catch {
    return undefined;
  }
}

async function bytesOf(uri: Uri, isSync: boolean): Promise<Uint8Array> {
  if (uri.scheme !== "file") return await workspace.fs.readFile(uri);
  return isSync ? readFileSync(uri.fsPath) : await readFile(uri.fsPath);
}

function partOf({ file: { path, uri }, start, end, text, isWhole }: Excerpt<WorkspaceFile>): ContextPart {
  const name = isWhole ? path : `${path}:${start + 1}-${end}`;
  return { name, text, language: /\.(\w{1,12})$/.exec(path)?.[1] ?? "", start, uri };
}

function sourceOf({ file: { uri }, start, end, isWhole }: Excerpt<WorkspaceFile>): Uri | Location {
  return isWhole ? uri : new Location(uri, new Range(start, 0, end, 0));
}

/** Lines, from zero, with declarations of names in a question, by the URI of their file. */
type Declarations = ReadonlyMap<string, readonly number[]>;

/** Maximum number of names to look up, and of declarations of each. */
const maxNames = 4;
const maxDeclarations = 8;

/** Time for language servers to answer, in milliseconds. A server that is still starting takes longer. */
const symbolTimeout = 500;

const identifier = /^[\p{L}_$][\p{L}\p{N}_$]{2,80}$/u;

/**
 * Finds the lines of declarations by file, with the workspace symbols of language servers: those found before the timeout. For
 * a name such as `a.b`, `b` is looked up.
 */
async function findDeclarations(names: readonly string[], signal: AbortSignal): Promise<Declarations> {
  const identifiers = [...new Set(names.map((name) => name.split(/[./]/).at(-1) ?? ""))]
    .filter((name) => identifier.test(name))
    .slice(0, maxNames);
  const found = new Map<string, number[]>();
  if (identifiers.length === 0) return found;
  const searching = identifiers.map(async (name) => {
    const symbols = (await symbolsOf(name)).filter((symbol) => symbol.name.replace(/\(.*$/, "") === name);
    for (const { location } of symbols.slice(0, maxDeclarations)) {
      const uri = location.uri.toString();
      found.set(uri, [...(found.get(uri) ?? []), location.range.start.line]);
    }
  });
  const timeout = AbortSignal.any([signal, AbortSignal.timeout(symbolTimeout)]);
  await unlessAborted(Promise.all(searching), timeout).catch(() => undefined);
  signal.throwIfAborted();
  return new Map(found);
}

async function symbolsOf(name: string): Promise<readonly SymbolInformation[]> {
  try {
    const symbols = asArray(await commands.executeCommand("vscode.executeWorkspaceSymbolProvider", name));
    return symbols.filter((symbol) => symbol instanceof SymbolInformation);
  } catch {
    // No language server is required to support workspace symbols.
    return [];
  }
}

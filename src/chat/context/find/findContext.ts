import { setTimeout } from "node:timers/promises";
import { type CancellationToken, commands, Location, Range, SymbolInformation, Uri, workspace } from "vscode";
import { unlessAborted } from "../../../gateway/abort.ts";
import { isExcluded } from "../../../reading/excludedFiles.ts";
import type { FileGate } from "../../../reading/fileGate.ts";
import { nameInRequests } from "../../../reading/promptPaths.ts";
import { isSecretFile } from "../../../reading/secretFiles.ts";
import { isInSkippedFolder, skippedFolders } from "../../../reading/skippedFolders.ts";
import { estimateTokens } from "../../../text/estimateTokens.ts";
import { asArray } from "../../../base/json.ts";
import type { WindowSecrets } from "../../../text/secrets/windowSecrets.ts";
import type { ContextPart } from "../planQuestion.ts";
import { type Excerpt, excerptsOf } from "./excerpts.ts";
import { type Candidate, isAbout, namesIn, rankFiles, shareOf, topicWords, wordsIn } from "./rankFiles.ts";

/** What was found for a question. */
export interface FoundContext {
  readonly parts: readonly ContextPart[];
  /** The files and places of the parts. */
  readonly sources: readonly (Uri | Location)[];
}

/**
 * Most files that are listed and read, those read of a virtual workspace, where each may take a request to a server, the
 * largest file, and the most text of all, in bytes.
 */
const limits = { listed: 5_000, read: 1_500, virtual: 100, file: 200_000, all: 12_000_000 };

/** Files read at the same time. */
const atOnce = 32;

/** Most files that are looked at more closely, and the tokens of all that is sent. */
const mostFiles = 40;
const budget = 8_000;

/** Files that hold no text, or none that anybody wrote. */
const unread =
  /(?:\.(?:png|jpe?g|gif|webp|ico|icns|bmp|svgz?|pdf|zip|gz|tgz|bz2|xz|7z|jar|war|class|exe|dll|so|dylib|o|a|wasm|bin|dat|db|sqlite3?|mp[34]|mov|avi|webm|wav|ogg|flac|ttf|otf|woff2?|eot|vsix|lock|map|snap|min\.(?:js|css))|(?:^|\/)(?:package-lock\.json|pnpm-lock\.yaml|go\.sum))$/i;

/** What names all files, as in “What does this project do?”. Its README says that where there are too many. */
const aboutAll =
  /\b(?:this|the|my|our)\s+(?:whole\s+|entire\s+)?(?:project|workspace|repo(?:sitory)?|code\s?base|app(?:lication)?|program|package|library)\b|(?:项目|仓库|工程|代码库)/i;

/**
 * Finds the files of the workspace that a question is about, by their names, what they declare, and their words; language
 * servers say where names are declared. A question that is not about the workspace finds nothing. A request
 * for an edit finds each file that has a word of it. Where all files fit, so does a question, but only in code. All that is
 * found has passed the gate.
 */
export async function findContext(
  question: string,
  {
    gate,
    secrets,
    known,
    signal,
    token,
    isEditRequest = false,
  }: {
    readonly gate: FileGate;
    readonly secrets: Pick<WindowSecrets, "learn">;
    readonly known: ReadonlySet<string>;
    readonly signal: AbortSignal;
    /** The one that the signal follows. */
    readonly token?: CancellationToken;
    readonly isEditRequest?: boolean;
  },
): Promise<FoundContext> {
  const none = { parts: [], sources: [] };
  const { size } = topicWords(question);
  const isAboutAll = aboutAll.test(question);
  if (size === 0 || !workspace.workspaceFolders?.length) return none;
  const [declared, listed] = await Promise.all([
    findSymbols(namesIn(question), signal),
    workspace.findFiles("**/*", skippedFolders, limits.listed, token),
  ]);
  const uris = new Map<string, Uri>();
  for (const uri of [...listed, ...Array.from(declared.keys(), (text) => Uri.parse(text)).filter(mayBeFound)]) {
    const path = nameInRequests(uri);
    if (!unread.test(path) && !isSecretFile(path) && !known.has(uri.toString())) uris.set(path, uri);
  }
  // One word says too little to choose among many files.
  const isVague = size < 2 && !isEditRequest && !isAboutAll;
  if (isVague && uris.size > mostFiles) return none;
  const candidates = await readAll(byName(question, uris, declared), { declared, signal });
  const isSmall = candidates.length <= mostFiles && fits(candidates);
  if (isVague && !isSmall) return none;
  const ranked =
    isAboutAll && isSmall
      ? candidates.map((file) => ({ ...file, score: 1, coverage: 1 }))
      : await rankFiles(isAboutAll ? `${question} \`README\`` : question, candidates, signal);
  const best = ranked.slice(0, mostFiles).flatMap((file) => {
    const uri = uris.get(file.path);
    return uri ? [{ file, uri }] : [];
  });
  const denied = await gate.denied(best.map(({ uri }) => uri));
  const chosen = best.filter(({ uri }) => !denied.has(uri)).map(({ file }) => file);
  const isClear = isEditRequest || (isAboutAll && isSmall) || (!isVague && isAbout(chosen));
  // Code that has a word of the question is mostly what it is about. Documents have words of all kinds of questions.
  const sent = isClear ? chosen : isSmall ? chosen.filter(({ path }) => shareOf(path, question) === 1) : [];
  // The whole files: what is above an excerpt may say that it has a secret.
  for (const { path, text } of sent) await secrets.learn(text, path);
  const found = excerptsOf(question, sent, budget).flatMap((excerpt) => {
    const uri = uris.get(excerpt.path);
    if (!uri) return [];
    const { start, end, isWhole } = excerpt;
    const source = isWhole ? uri : new Location(uri, new Range(start, 0, end, 0));
    return [{ part: partOf(excerpt, uri), source }];
  });
  return { parts: found.map(({ part }) => part), sources: found.map(({ source }) => source) };
}

/** Whether all of the files fit into what is sent. */
function fits(files: readonly Candidate[]): boolean {
  const length = files.reduce((sum, { text }) => sum + text.length, 0);
  return length < 8 * budget && estimateTokens(files.map(({ path, text }) => path + text).join("\n")) <= budget;
}

/** Whether a file that a language server names could have been listed. */
function mayBeFound(uri: Uri): boolean {
  const path = workspace.asRelativePath(uri, false);
  return (
    workspace.getWorkspaceFolder(uri) !== undefined && !isInSkippedFolder(path) && !isExcluded(uri, "files", "search")
  );
}

/** The files to read: those that declare or are named what is asked about, then those near the root; tests and such last. */
function byName(
  question: string,
  uris: ReadonlyMap<string, Uri>,
  declared: DeclaredLines,
): readonly (readonly [string, Uri])[] {
  const topic = topicWords(question);
  const ranked = [...uris].map(([path, uri]) => {
    const hits = new Set(wordsIn(path).filter((word) => topic.has(word))).size;
    const isDeclaring = declared.has(uri.toString());
    const rank = path.split("/").length - 10 * hits - 100 * shareOf(path, question) - (isDeclaring ? 1_000 : 0);
    return { file: [path, uri] as const, rank };
  });
  return ranked
    .toSorted((one, other) => one.rank - other.rank)
    .slice(0, limits.read)
    .map(({ file }) => file);
}

/** Reads files, the first of them where there are too many. */
export async function readAll(
  listed: readonly (readonly [string, Uri])[],
  { declared, signal }: { readonly declared: DeclaredLines; readonly signal: AbortSignal },
): Promise<readonly Candidate[]> {
  const candidates: Candidate[] = [];
  const open = new Map(workspace.textDocuments.map((document) => [document.uri.toString(), document]));
  let virtual = 0;
  const files = listed.filter(([, { scheme }]) => scheme === "file" || (virtual += 1) <= limits.virtual);
  let size = 0;
  for (let start = 0; start < files.length && size < limits.all; start += atOnce) {
    signal.throwIfAborted();
    const some = files.slice(start, start + atOnce);
    const reading = some.map(async ([, uri]) => open.get(uri.toString())?.getText() ?? (await readText(uri)));
    const texts = await unlessAborted(Promise.all(reading), signal);
    for (const [index, [path, uri]] of some.entries()) {
      const text = texts[index];
      if (text === undefined) continue;
      size += text.length;
      candidates.push({ path, text, declares: declared.get(uri.toString()) });
    }
  }
  return candidates;
}

/** The text of a file; `undefined` if it is large, binary, or cannot be read, so that nothing is found in it. */
async function readText(uri: Uri): Promise<string | undefined> {
  try {
    const { size } = await workspace.fs.stat(uri);
    if (size > limits.file) return undefined;
    const bytes = await workspace.fs.readFile(uri);
    return bytes.includes(0) ? undefined : Buffer.from(bytes).toString();
  } catch {
    return undefined;
  }
}

function partOf({ path, start, end, text, isWhole }: Excerpt, uri: Uri): ContextPart {
  const name = isWhole ? path : `${path}:${start + 1}-${end}`;
  return { name, text, language: /\.(\w{1,12})$/.exec(path)?.[1] ?? "", start, uri };
}

/** The lines, from zero, where files declare what a question names, by the URI of the file. */
type DeclaredLines = ReadonlyMap<string, readonly number[]>;

/** Most names that are looked up, and most places of each. */
const mostNames = 4;
const mostPlaces = 8;

/** How long language servers may take in all, in milliseconds. One that is still starting is not waited for. */
const patience = 500;

const identifier = /^[\p{L}_$][\p{L}\p{N}_$]{2,80}$/u;

/** Asks the language servers where the names of a question, `b` of `a.b`, are declared; nothing where it names nothing. */
async function findSymbols(names: readonly string[], signal: AbortSignal): Promise<DeclaredLines> {
  const asked = [...new Set(names.map((name) => name.split(/[./]/).at(-1) ?? ""))]
    .filter((name) => identifier.test(name))
    .slice(0, mostNames);
  const found = new Map<string, number[]>();
  if (asked.length === 0) return found;
  const all = asked.map(async (name) => {
    const places = (await symbolsOf(name)).filter((symbol) => symbol.name.replace(/\(.*$/, "") === name);
    for (const { location } of places.slice(0, mostPlaces)) {
      const uri = location.uri.toString();
      found.set(uri, [...(found.get(uri) ?? []), location.range.start.line]);
    }
  });
  const waited = new AbortController();
  const stop = AbortSignal.any([signal, waited.signal]);
  await Promise.race([Promise.all(all), setTimeout(patience, undefined, { signal: stop }).catch(() => undefined)]);
  waited.abort();
  signal.throwIfAborted();
  return new Map(found);
}

async function symbolsOf(name: string): Promise<readonly SymbolInformation[]> {
  try {
    const symbols = asArray(await commands.executeCommand("vscode.executeWorkspaceSymbolProvider", name));
    return symbols.filter((symbol) => symbol instanceof SymbolInformation);
  } catch {
    // A language server that fails finds nothing.
    return [];
  }
}

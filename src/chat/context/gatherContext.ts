import {
  type CancellationToken,
  type ChatPromptReference,
  type ChatRequest,
  l10n,
  Location,
  Uri,
  window,
  workspace,
} from "vscode";
import { UserError } from "../../failures/userError.ts";
import type { ChatImage } from "../../gateway/types.ts";
import { type DenialReason, type FileGate, mayHoldSecrets } from "../../reading/fileGate.ts";
import { nameInRequests, withRelativePaths } from "../../reading/promptPaths.ts";
import { ReadAllowance } from "../../reading/readAllowance.ts";
import { listFiles } from "../../reading/listFiles.ts";
import { oneLine } from "../../text/lines.ts";
import { maxImageBytes, promptImage } from "../../prompts/promptImages.ts";
import { isTask } from "../../prompts/tasks.ts";
import type { WindowSecrets } from "../../text/secrets/windowSecrets.ts";
import { type FoundImage, selectImages } from "../models/selectImages.ts";
import { forParticipants, implicitKind, isAlwaysAttached, isImageReference, isSvg } from "../models/unpublishedApi.ts";
import { cellOf, cellScheme, urisInTabs } from "../../ui/openDocument.ts";
import { findContext } from "./find/findContext.ts";
import type { ContextPart, Note, NotedContext } from "./planQuestion.ts";
import { fileLimit, readCellsAbove, readFile, sizeOf, sizeOnDisk } from "./readFile.ts";

/** The context of a question. */
export interface GatheredContext extends NotedContext {
  readonly images: readonly ChatImage[];
  /** The source in the active editor, for a task without attachments. */
  readonly editor: Uri | Location | undefined;
  /** Sources that were found for the question. */
  readonly found: readonly (Uri | Location)[];
  /** Sources that were read without being attached to this question. */
  readonly unattached: readonly (Uri | Location)[];
}

/** Options of `gatherContext`. */
export interface GatherOptions {
  readonly gate: FileGate;
  readonly secrets: Pick<WindowSecrets, "learn">;
  readonly signal: AbortSignal;
  readonly token: CancellationToken;
  /** Whether to search the workspace for a question without attachments. */
  readonly findsContext: boolean;
  /** References to read after those of the question. */
  readonly more: readonly Reference[];
}

/**
 * Gathers the context of a question: its references, or for a task without any, the source in the editor; then `more`; then,
 * if nothing is attached, files that the question is about.
 */
export async function gatherContext(
  request: Pick<ChatRequest, "command" | "prompt" | "references">,
  { gate, secrets, signal, token, findsContext, more }: GatherOptions,
): Promise<GatheredContext> {
  const { command, prompt } = request;
  const references = forParticipants(request.references);
  const isForTask = isTask(command);
  const inEditor = isForTask && references.every(isAlwaysAttached) ? sourceInEditor() : undefined;
  const editor = inEditor?.value;
  const current = [inEditor ?? [], references.map((reference) => withOrigin(reference, isForTask))].flat(2);
  const keys = new Set<unknown>();
  // VS Code attaches the file in the editor, too, if the user has attached it.
  const unique = [...current.filter(({ origin }) => origin === "attached"), ...current, ...more].filter(
    ({ value }) => !keys.has(keyOf(value)) && keys.add(keyOf(value)),
  );
  const reading = readReferences(unique, { gate, secrets, token });
  const texts = references.flatMap((one) => (isAlwaysAttached(one) || typeof one.value !== "string" ? [] : one.value));
  // A task is about an attached text. For a question, a stack trace names files.
  const hasAttachments = references.some(isAttachment) || (isForTask && texts.length > 0);
  const isSearched = findsContext && !editor && !hasAttachments;
  const question = [prompt, ...texts].join("\n");
  const sentAnyway = async (): Promise<ReadonlySet<string>> => wholeFiles((await reading).parts);
  const options = { gate, secrets, sentAnyway, signal, token, isEditRequest: command === "edit" };
  const [{ read, parts, notes, images }, found] = await Promise.all([
    reading,
    isSearched ? findContext(question, options) : { parts: [], sources: [] },
  ]);
  const cells = findsContext ? await cellsAbove(read.map(uriOf), { gate, secrets }) : [];
  const attached = new Set<unknown>(references.map(({ value }) => value));
  const unattached = [...read.filter((source) => !attached.has(source)), ...found.sources];
  return { parts: [...parts, ...cells, ...found.parts], notes, images, editor, found: found.sources, unattached };
}

/** Whether the user attached a reference to say what to read. Images and texts do not say where their code is. */
export function isAttachment({ id, value }: ChatPromptReference): boolean {
  return implicitKind(id) === undefined && (value instanceof Uri || value instanceof Location);
}

/** The cells above the cells of notebooks, where these may be read without being attached. */
async function cellsAbove(
  sources: readonly Uri[],
  { gate, secrets }: Pick<GatherOptions, "gate" | "secrets">,
): Promise<readonly ContextPart[]> {
  const cells = sources.filter(({ scheme }) => scheme === cellScheme);
  const denied = await gate.denied(cells, { allowsOutside: true });
  const above = cells.filter((cell) => !denied.has(cell)).map((cell) => readCellsAbove(cell, secrets));
  return (await Promise.all(above)).filter((part) => part !== undefined);
}

/** A reference of a request. For a task, the selection that VS Code attached counts as attached by the user. */
function withOrigin({ id, value }: ChatPromptReference, isForTask: boolean): Reference {
  const kind = implicitKind(id);
  return { id, value, origin: kind === undefined || (kind === "selected" && isForTask) ? "attached" : kind };
}

/** The selection in the active editor, which counts as attached, or else its file. */
export function sourceInEditor(): (Reference & { readonly value: Uri | Location }) | undefined {
  const editor = window.activeTextEditor;
  if (!editor) return undefined;
  const { document, selection } = editor;
  if (selection.isEmpty) return { value: document.uri, origin: "implicit" };
  return { value: new Location(document.uri, selection), origin: "attached" };
}

/** The URIs of files that are sent as a whole. */
function wholeFiles(parts: readonly ContextPart[]): ReadonlySet<string> {
  return new Set(parts.flatMap(({ uri, start }) => (start === undefined && uri ? uri.toString() : [])));
}

function uriOf(source: Uri | Location): Uri {
  return source instanceof Uri ? source : source.uri;
}

/** The same key for the same source. */
function keyOf(value: unknown): unknown {
  if (value instanceof Uri) return value.toString();
  if (!(value instanceof Location)) return value;
  const { start, end } = value.range;
  return `${value.uri.toString()}#${start.line}-${end.line}`;
}

/**
 * Where a reference comes from: the user attached it; the user selected it and VS Code attached it; VS Code attached it;
 * instructions for models, which may be in the user's profile; an earlier turn or the extension.
 */
export type Origin = "attached" | "selected" | "implicit" | "instructions" | "earlier";

/** A reference to read. References of a request have an id. */
export interface Reference extends Partial<Pick<ChatPromptReference, "id">> {
  readonly value: unknown;
  readonly origin: Origin;
}

interface ReadReferences extends NotedContext {
  /** The files, folders, and locations that were read. */
  readonly read: readonly (Uri | Location)[];
  readonly images: readonly ChatImage[];
}

/** The order of sources: locations, files, folders. */
const ranks = { location: 0, file: 1, folder: 2 };

/** Maximum numbers of files of a folder that are listed, with ignored ones, and read, and maximum size of each in bytes. */
const inFolder = { listed: 5_000, files: 200, size: 100_000 };

/**
 * Reads references in order of relevance: texts, then selections and symbols, files, and folders of this question, then those of
 * earlier turns that are not sent anyway. All but attachments have to pass the gate. Throws as `selectImages` does for attached
 * images; images of earlier turns are left out instead.
 */
export async function readReferences(
  references: readonly Reference[],
  { gate, secrets, token }: Pick<GatherOptions, "gate" | "secrets" | "token">,
): Promise<ReadReferences> {
  const parts: ContextPart[] = [];
  const read: (Uri | Location)[] = [];
  const notes: Note[] = [];
  const foundImages: FoundImage<{ readonly name: string }>[] = [];
  const allowance = new ReadAllowance();
  const sources: { readonly source: Uri | Location; readonly origin: Origin; readonly rank: number }[] = [];
  let isEarlier = false;
  for (const { id = "", value, origin } of references) {
    isEarlier = origin === "earlier";
    if (typeof value === "string") await addText(value);
    else if (isImageReference(value)) {
      const bytes = await value.data();
      if (isSvg(value)) await addText(new TextDecoder().decode(bytes));
      else foundImages.push({ source: { name: id }, bytes, isRequired: origin !== "earlier" });
    } else if (value instanceof Location) {
      if (await isAllowed(value.uri, origin)) sources.push({ source: value, origin, rank: ranks.location });
    } else if (!(value instanceof Uri)) notes.push({ kind: "unreadable", name: id });
    else if (await isAllowed(value, origin)) {
      sources.push({ source: value, origin, rank: (await sizeOnDisk(value)) === "folder" ? ranks.folder : ranks.file });
    }
  }
  const age = ({ origin }: { readonly origin: Origin }): number => Number(origin === "earlier");
  for (const { source, origin, rank } of sources.toSorted(
    (one, other) => age(one) - age(other) || one.rank - other.rank,
  )) {
    const isAttached = origin === "attached";
    isEarlier = origin === "earlier";
    if (isEarlier && wholeFiles(parts).has(uriOf(source).toString())) continue;
    if (source instanceof Uri && rank === ranks.folder) await addFolder(source, isAttached);
    else {
      const [uri, range] = source instanceof Uri ? [source] : [source.uri, source.range];
      if (!(await addFile(uri, { range, isChosen: isAttached || origin === "selected" }))) continue;
    }
    read.push(source);
  }
  const images = selectImages(foundImages);
  for (const { source } of foundImages) if (!images.has(source)) notes.push({ kind: "omitted", name: source.name });
  return { parts, read, notes, images: [...images.values()] };

  function add(part: ContextPart): void {
    parts.push({ ...part, ...(isEarlier && { isEarlier }) });
  }

  async function addText(text: string): Promise<void> {
    await secrets.learn(text);
    add({ name: l10n.t("Attached text"), language: "", text: withRelativePaths(text) });
  }

  /** Adds a file, or a note why it is not sent. The allowance limits only files that the user did not choose. */
  async function addFile(
    uri: Uri,
    {
      isChosen = false,
      limit = fileLimit,
      ...options
    }: { readonly isChosen?: boolean; readonly limit?: number } & Parameters<typeof readFile>[3],
  ): Promise<boolean> {
    if (token.isCancellationRequested) return false;
    const name = nameInRequests(uri, options.folder);
    const size = (await sizeOf(uri)) ?? 0;
    if (!isChosen && size > 0 && !allowance.take(size)) {
      notes.push({ kind: "overLimit", name });
      return false;
    }
    const part = await readFile(uri, secrets, limit, options);
    const image = part || options.range || options.folder ? undefined : await readImage(uri, isChosen);
    if (part) add(part);
    else if (image) foundImages.push({ source: { name }, bytes: image.bytes, isRequired: isChosen });
    else notes.push({ kind: size > limit ? "overLimit" : "unreadable", name });
    return part !== undefined || image !== undefined;
  }

  /** Adds the list of a folder's files that may be sent, then these files. */
  async function addFolder(folder: Uri, isAttached: boolean): Promise<void> {
    const listed = await listFiles(inFolder.listed, token, [folder]);
    const ignored = await gate.ignored(listed);
    const open = listed.filter((file) => !ignored.has(file));
    if (open.length > inFolder.files || listed.length === inFolder.listed) {
      notes.push({ kind: "overLimit", name: l10n.t("more files in {0}", nameInRequests(folder)) });
    }
    const files = open.slice(0, inFolder.files).toSorted((one, other) => one.path.localeCompare(other.path));
    const denied = await gate.denied(files, isAttached ? { folder } : {});
    for (const [file, reason] of [...denied, ...ignored])
      notes.push({ kind: noteKind(reason), name: nameInRequests(file, folder) });
    const allowed = files.filter((file) => !denied.has(file));
    const list = allowed.map((file) => oneLine(nameInRequests(file, folder))).join("\n");
    await secrets.learn(list);
    add({ name: `${nameInRequests(folder)}/`, language: "", text: list });
    const sent = wholeFiles(parts);
    for (const file of allowed) {
      if (!sent.has(file.toString())) await addFile(file, { folder, limit: inFolder.size });
    }
  }

  /** Whether a source may be read. Adds a note where it may not, or where it may have secrets. */
  async function isAllowed(uri: Uri, origin: Origin): Promise<boolean> {
    const name = workspace.asRelativePath(uri);
    if (origin === "attached") {
      if (await mayHoldSecrets(uri)) notes.push({ kind: "sentSecret", name });
      return true;
    }
    const isOpen = cellOf(uri) !== undefined || urisInTabs().some((open) => open.toString() === uri.toString());
    const reason = (await gate.denied([uri], { allowsOutside: origin === "instructions" || isOpen })).get(uri);
    if (reason !== undefined) notes.push({ kind: noteKind(reason), name });
    return reason === undefined;
  }
}

/** File names of images that models take, and of others. Only names of attached files are looked at, for errors. */
const imageName = /\.(?:png|jpe?g|gif|webp)$/i;
const otherImageName = /\.(?:bmp|tiff?|hei[cf]|avif|ico)$/i;

/** The image in a file; `undefined` for anything else. Throws for an attached one that is too large or of another type. */
async function readImage(uri: Uri, isAttached: boolean): Promise<ChatImage | undefined> {
  if (isAttached && otherImageName.test(uri.path)) throw new UserError("imageInput");
  const size = await sizeOf(uri);
  if (size === undefined) return undefined;
  if (size <= maxImageBytes) {
    const bytes = await workspace.fs.readFile(uri).then(undefined, () => undefined);
    return bytes && promptImage(bytes);
  }
  if (isAttached && imageName.test(uri.path)) throw new UserError("imagesTooLarge");
  return undefined;
}

/** The kind of the note on a denied file. */
function noteKind(reason: DenialReason): Exclude<DenialReason, "gitFolder"> {
  return reason === "gitFolder" ? "ignored" : reason;
}

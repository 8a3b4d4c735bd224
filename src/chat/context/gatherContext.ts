import {
  type CancellationToken,
  type ChatPromptReference,
  type ChatRequest,
  FileType,
  l10n,
  Location,
  RelativePattern,
  Uri,
  window,
  workspace,
} from "vscode";
import { UserError } from "../../failures/userError.ts";
import type { ChatImage } from "../../gateway/types.ts";
import { type DenialReason, type FileGate, mayHoldSecrets } from "../../reading/fileGate.ts";
import { nameInRequests, withoutRoots } from "../../reading/promptPaths.ts";
import { ReadAllowance } from "../../reading/readAllowance.ts";
import { skippedFolders } from "../../reading/skippedFolders.ts";
import { oneLine } from "../../text/lines.ts";
import { mostImageBytes, promptImage } from "../../text/promptImages.ts";
import { isTask } from "../../text/tasks.ts";
import type { WindowSecrets } from "../../text/secrets/windowSecrets.ts";
import { forParticipants, implicitKind, isImageReference, isSvg } from "../models/unpublishedApi.ts";
import { urisInTabs } from "../../ui/openDocument.ts";
import { findContext } from "./find/findContext.ts";
import type { ContextPart, Note, NotedContext } from "./planQuestion.ts";
import { fileLimit, readFile, sizeOf } from "./readFile.ts";

export interface GatheredContext extends NotedContext {
  readonly images: readonly ChatImage[];
  /** Source in the editor, used when a task has no attachments. */
  readonly editor: Uri | Location | undefined;
  /** Context that is sent without being attached to this question. */
  readonly unasked: readonly (Uri | Location)[];
}

/** How to gather: through which gate, whether to look for what nobody attached, and what to read besides. */
export interface Gathering {
  readonly gate: FileGate;
  readonly secrets: Pick<WindowSecrets, "learn">;
  readonly signal: AbortSignal;
  readonly token: CancellationToken;
  readonly findsContext: boolean;
  readonly more: readonly Reference[];
}

/** Reads the attachments, or the editor for a task without any, then more; without attachments, what the question is about. */
export async function gatherContext(
  request: Pick<ChatRequest, "command" | "prompt" | "references">,
  { gate, secrets, signal, token, findsContext, more }: Gathering,
): Promise<GatheredContext> {
  const { command, prompt } = request;
  const references = forParticipants(request.references);
  const isForTask = isTask(command);
  const inEditor = isForTask && references.length === 0 ? sourceInEditor() : undefined;
  const editor = inEditor?.value;
  const current = inEditor ? [inEditor] : references.map((reference) => attached(reference, isForTask));
  const known = new Set(current.map(({ value }) => keyOf(value)));
  const added = more.filter(({ value }) => !known.has(keyOf(value)) && known.add(keyOf(value)));
  const { read, parts, notes, images } = await readReferences([...current, ...added], { gate, secrets, token });
  const own = new Set<unknown>(references.map(({ value }) => value));
  const unasked = read.filter((source) => !own.has(source));
  const isUnattached = references.every(({ id }) => implicitKind(id) !== undefined);
  if (!findsContext || editor || !isUnattached) return { parts, notes, images, editor, unasked };
  const sent = [...read.map(uriOf), ...parts.flatMap(({ uri }) => uri?.toString() ?? [])];
  const how = { gate, secrets, known: new Set(sent), signal, token, isEditRequest: command === "edit" };
  const found = await findContext(prompt, how);
  return { parts: [...parts, ...found.parts], notes, images, editor, unasked: [...unasked, ...found.sources] };
}

/** What is attached. Where the question is `aboutSelection`, as a task is, the selection counts as attached. */
function attached({ id, value }: ChatPromptReference, aboutSelection: boolean): Reference {
  const kind = implicitKind(id);
  return { id, value, origin: kind === undefined || (kind === "selected" && aboutSelection) ? "attached" : kind };
}

/** The selection of the active editor, or else its file, which is merely open. */
export function sourceInEditor(): (Reference & { readonly value: Uri | Location }) | undefined {
  const editor = window.activeTextEditor;
  if (!editor) return undefined;
  const { document, selection } = editor;
  if (selection.isEmpty) return { value: document.uri, origin: "implicit" };
  return { value: new Location(document.uri, selection), origin: "attached" };
}

function uriOf(source: Uri | Location): string {
  return (source instanceof Uri ? source : source.uri).toString();
}

function keyOf(value: unknown): unknown {
  if (value instanceof Uri) return value.toString();
  if (!(value instanceof Location)) return value;
  const { start, end } = value.range;
  return `${value.uri.toString()}#${start.line}-${end.line}`;
}

/**
 * Where a reference comes from: the user attached it, or selected it and VS Code attached it; VS Code attached it by
 * itself; instructions for models, which may be in the user's profile; or an earlier turn or the extension refers to it.
 */
export type Origin = "attached" | "selected" | "implicit" | "instructions" | "earlier";

/** The content of what is attached to a question. */
interface ReadReferences extends NotedContext {
  /** The files and places that were read. */
  readonly read: readonly (Uri | Location)[];
  readonly images: readonly ChatImage[];
}

/** A reference to read, and where it came from. What the user attached has an id. */
export interface Reference extends Partial<Pick<ChatPromptReference, "id">> {
  readonly value: unknown;
  readonly origin: Origin;
}

/** Folders are read last. */
const folderRank = 2;

/** Maximum number of files of a folder, and maximum size of each in bytes. */
const inFolder = { files: 200, size: 100_000 };

/**
 * Reads attachments in order of relevance: texts, selections and symbols, then files, then folders. What the user did not
 * attach has to pass the gate. Throws a `UserError` of kind `imageInput` for an attached image of a type that
 * models don't take, and `imagesTooLarge`; what earlier turns had is left out instead.
 */
export async function readReferences(
  references: readonly Reference[],
  { gate, secrets, token }: Pick<Gathering, "gate" | "secrets" | "token">,
): Promise<ReadReferences> {
  const parts: ContextPart[] = [];
  const read: (Uri | Location)[] = [];
  const notes: Note[] = [];
  const found: FoundImage[] = [];
  const allowance = new ReadAllowance();
  const sources: { readonly source: Uri | Location; readonly origin: Origin; readonly rank: number }[] = [];
  for (const { id = "", value, origin } of references) {
    if (isImageReference(value) && !isSvg(value)) {
      found.push({ name: id, image: promptImage(await value.data()), isEarlier: origin === "earlier" });
    } else if (isImageReference(value)) {
      await addText(new TextDecoder().decode(await value.data()));
    } else if (typeof value === "string") {
      await addText(value);
    } else if (value instanceof Location) {
      if (await passes(value.uri, origin)) sources.push({ source: value, origin, rank: 0 });
    } else if (!(value instanceof Uri)) notes.push({ kind: "unreadable", name: id });
    else if (await passes(value, origin)) {
      sources.push({ source: value, origin, rank: (await isFolder(value)) ? folderRank : 1 });
    }
  }
  for (const { source, origin, rank } of sources.toSorted((one, other) => one.rank - other.rank)) {
    const isAttached = origin === "attached";
    if (source instanceof Uri && rank === folderRank) await addFolder(source, isAttached);
    else {
      const [uri, range] = source instanceof Uri ? [source] : [source.uri, source.range];
      if (!(await addFile(uri, { range, isChosen: isAttached || origin === "selected" }))) continue;
    }
    read.push(source);
  }
  const { images, omitted } = fitImages(found);
  return { parts, read, notes: [...notes, ...omitted], images };

  async function addText(text: string): Promise<void> {
    await secrets.learn(text);
    parts.push({ name: l10n.t("Attached text"), language: "", text: withoutRoots(text) });
  }

  /** Adds a file, or notes why it is not sent. What the user chose is read however much there is. */
  async function addFile(
    uri: Uri,
    {
      isChosen = false,
      limit = fileLimit,
      ...options
    }: { readonly isChosen?: boolean; readonly limit?: number } & Parameters<typeof readFile>[3],
  ): Promise<boolean> {
    if (token.isCancellationRequested) return false;
    const size = isChosen ? 0 : ((await sizeOf(uri)) ?? 0);
    const isTooMuch = size > 0 && !allowance.take(size);
    const part = isTooMuch ? undefined : await readFile(uri, secrets, limit, options);
    const mayBeImage = !part && !isTooMuch && !options.range && !options.folder;
    const image = mayBeImage ? await readImage(uri, isChosen) : undefined;
    if (part) parts.push(part);
    else if (image) found.push({ name: nameInRequests(uri), image, isEarlier: !isChosen });
    else notes.push({ kind: isTooMuch ? "tooMuch" : "unreadable", name: nameInRequests(uri, options.folder) });
    return part !== undefined || image !== undefined;
  }

  /** Adds the list of the files of a folder that may be sent, then these files. */
  async function addFolder(folder: Uri, isAttached: boolean): Promise<void> {
    const pattern = new RelativePattern(folder, "**/*");
    const found = await workspace.findFiles(pattern, skippedFolders, inFolder.files, token);
    const files = found.toSorted((one, other) => one.path.localeCompare(other.path));
    const denied = await gate.denied(files, isAttached ? { folder } : {});
    for (const [file, reason] of denied) notes.push({ kind: noteOf(reason), name: nameInRequests(file, folder) });
    const open = files.filter((file) => !denied.has(file));
    const list = open.map((file) => oneLine(nameInRequests(file, folder))).join("\n");
    await secrets.learn(list);
    parts.push({ name: `${nameInRequests(folder)}/`, language: "", text: list });
    const sent = new Set(parts.flatMap(({ uri, start }) => (start === undefined && uri ? uri.toString() : [])));
    for (const file of open) {
      if (!sent.has(file.toString())) await addFile(file, { folder, limit: inFolder.size });
    }
  }

  async function passes(uri: Uri, origin: Origin): Promise<boolean> {
    const name = workspace.asRelativePath(uri);
    if (origin === "attached") {
      if (await mayHoldSecrets(uri)) notes.push({ kind: "sentSecret", name });
      return true;
    }
    const isOpen = urisInTabs().some((open) => open.toString() === uri.toString());
    const reason = (await gate.denied([uri], { allowsOutside: origin === "instructions" || isOpen })).get(uri);
    if (reason !== undefined) notes.push({ kind: noteOf(reason), name });
    return reason === undefined;
  }
}

/** An image that may be sent; without `image`, of a type that models don't take. `isEarlier`: not attached to this question. */
interface FoundImage {
  readonly name: string;
  readonly image: ChatImage | undefined;
  readonly isEarlier: boolean;
}

/** The images that can be sent together, those of this question first. */
function fitImages(found: readonly FoundImage[]): { images: readonly ChatImage[]; omitted: readonly Note[] } {
  const images: ChatImage[] = [];
  const omitted: Note[] = [];
  let room = mostImageBytes;
  for (const { name, image, isEarlier } of found.toSorted(
    (one, other) => Number(one.isEarlier) - Number(other.isEarlier),
  )) {
    const size = image?.bytes.length ?? 0;
    if (image && size <= room) {
      images.push(image);
      room -= size;
    } else if (isEarlier) omitted.push({ kind: "leftOut", name });
    else throw new UserError(image ? "imagesTooLarge" : "imageInput");
  }
  return { images, omitted };
}

/** Names of images: of a type that models take, and of others. What a file is, its bytes say. */
const imageName = /\.(?:png|jpe?g|gif|webp)$/i;
const otherImageName = /\.(?:bmp|tiff?|hei[cf]|avif|ico)$/i;

/** The image in a file; `undefined` for anything else. Throws for an attached one that is too large or of another type. */
async function readImage(uri: Uri, isAttached: boolean): Promise<ChatImage | undefined> {
  if (isAttached && otherImageName.test(uri.path)) throw new UserError("imageInput");
  const size = await sizeOf(uri);
  if (size === undefined) return undefined;
  if (size <= mostImageBytes) {
    // What cannot be read is noted as any other file.
    const bytes = await workspace.fs.readFile(uri).then(undefined, () => undefined);
    return bytes && promptImage(bytes);
  }
  if (isAttached && imageName.test(uri.path)) throw new UserError("imagesTooLarge");
  return undefined;
}

/** The note about a file that is denied. */
function noteOf(reason: DenialReason): Exclude<DenialReason, "gitFolder"> {
  return reason === "gitFolder" ? "ignored" : reason;
}

async function isFolder(uri: Uri): Promise<boolean> {
  try {
    return ((await workspace.fs.stat(uri)).type & FileType.Directory) !== 0;
  } catch {
    // An unsaved document, for example, is not in the file system. It is read as a file through its editor.
    return false;
  }
}

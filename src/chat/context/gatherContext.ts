import { type CancellationToken, type ChatContext, type ChatRequest, Location, Uri, window } from "vscode";
import type { FileGate } from "../../reading/fileGate.ts";
import { isTask } from "../../text/tasks.ts";
import { implicitKind } from "../models/unpublishedApi.ts";
import { earlierSources } from "../participant/turnRecord.ts";
import { type Reference, readReferences, type ReadReferences } from "./attachments.ts";
import type { FoundContext } from "./find/findContext.ts";

/** The context of a question. */
export interface GatheredContext extends ReadReferences {
  /** Source in the editor, used when a task has no attachments. */
  readonly editor: Uri | Location | undefined;
  /** Context that is sent without being attached to this question. */
  readonly unasked: readonly (Uri | Location)[];
}

/** Finds what matters for a question in the workspace; `known` are the URIs of files that are sent anyway. */
export type FindContext = (question: string, known: ReadonlySet<string>) => Promise<FoundContext>;

/** How to gather: through which gate, what to look for where nothing is attached, and what to read besides. */
export interface Gathering {
  readonly gate: FileGate;
  readonly token: CancellationToken;
  readonly find?: FindContext | undefined;
  readonly more?: readonly Reference[];
}

/**
 * Reads the attachments, then the editor for a task without attachments, then the sources of earlier turns. Without attachments,
 * looks for what the question is about.
 */
export async function gatherContext(
  request: Pick<ChatRequest, "command" | "prompt" | "references">,
  context: Pick<ChatContext, "history">,
  { gate, token, find, more = [] }: Gathering,
): Promise<GatheredContext> {
  const isBare = request.references.length === 0;
  const inEditor = isBare && isTask(request.command) ? sourceInEditor() : undefined;
  const editor = inEditor?.value;
  const current = inEditor ? [inEditor] : request.references.map(referenceOf(isTask(request.command)));
  const known = new Set(current.map(({ value }) => keyOf(value)));
  const added = more.filter(({ value }) => !known.has(keyOf(value)) && known.add(keyOf(value)));
  const earlier = earlierSources(context).filter((value) => !known.has(keyOf(value)) && known.add(keyOf(value)));
  const references: readonly Reference[] = [
    ...current,
    ...added,
    ...earlier.map((value) => ({ id: "", value, origin: "earlier" as const })),
  ];
  const gathered = await readReferences(references, gate, token);
  const own = new Set<unknown>(request.references.map(({ value }) => value));
  const unasked = gathered.read.filter((source) => !own.has(source));
  const isUnattached = request.references.every(({ id }) => implicitKind(id) !== undefined);
  if (!find || editor || !isUnattached) return { ...gathered, editor, unasked };
  const found = await find(request.prompt, new Set(gathered.read.map(uriOf)));
  return { ...gathered, parts: [...gathered.parts, ...found.parts], editor, unasked: [...unasked, ...found.sources] };
}

/** What is attached. A task is about what is selected, so the selection counts as attached. */
function referenceOf(isAboutSelection: boolean): (reference: Reference) => Reference {
  return ({ id, value }) => {
    const kind = implicitKind(id);
    return { id, value, origin: kind === undefined || (kind === "selected" && isAboutSelection) ? "attached" : kind };
  };
}

/** The selection of the active editor, or else its file, which is merely open. */
export function sourceInEditor(): (Reference & { readonly value: Uri | Location }) | undefined {
  const editor = window.activeTextEditor;
  if (!editor) return undefined;
  const { document, selection } = editor;
  if (selection.isEmpty) return { id: "", value: document.uri, origin: "implicit" };
  return { id: "", value: new Location(document.uri, selection), origin: "attached" };
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

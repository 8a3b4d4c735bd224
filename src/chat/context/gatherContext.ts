import { type CancellationToken, type ChatContext, type ChatRequest, Location, Uri, window } from "vscode";
import { isTask } from "../../text/tasks.ts";
import { isImplicit } from "../models/unpublishedApi.ts";
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

/**
 * Reads the attachments, then the editor for a task without attachments, then the sources of earlier turns. Without attachments,
 * looks for what the question is about.
 */
export async function gatherContext(
  request: Pick<ChatRequest, "command" | "prompt" | "references">,
  context: Pick<ChatContext, "history">,
  token: CancellationToken,
  find?: FindContext,
  more: readonly Reference[] = [],
): Promise<GatheredContext> {
  const isBare = request.references.length === 0;
  const editor = isBare && isTask(request.command) ? sourceInEditor() : undefined;
  const current = editor ? [editor] : request.references.map(({ value }) => value);
  const known = new Set(current.map(keyOf));
  const added = more.filter(({ value }) => !known.has(keyOf(value)) && known.add(keyOf(value)));
  const earlier = earlierSources(context).filter((value) => !known.has(keyOf(value)) && known.add(keyOf(value)));
  const attached = editor
    ? [{ id: "", value: editor }]
    : request.references.map(({ id, value }) => ({
        id,
        value,
        ...(isImplicit(id) && { origin: "implicit" as const }),
      }));
  const references = [
    ...attached,
    ...added,
    ...earlier.map((value) => ({ id: "", value, origin: "earlier" as const })),
  ];
  const gathered = await readReferences(references, token);
  const own = new Set<unknown>(request.references.map(({ value }) => value));
  const unasked = gathered.read.filter((source) => !own.has(source));
  const isUnattached = request.references.every(({ id }) => isImplicit(id));
  if (!find || editor || !isUnattached) return { ...gathered, editor, unasked };
  const found = await find(request.prompt, new Set(gathered.read.map(uriOf)));
  return { ...gathered, parts: [...gathered.parts, ...found.parts], editor, unasked: [...unasked, ...found.sources] };
}

/** The selection of the active editor, or its whole file when nothing is selected. */
function sourceInEditor(): Uri | Location | undefined {
  const editor = window.activeTextEditor;
  if (!editor) return undefined;
  const { document, selection } = editor;
  return selection.isEmpty ? document.uri : new Location(document.uri, selection);
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

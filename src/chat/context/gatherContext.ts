import { type CancellationToken, type ChatContext, type ChatRequest, Location, Uri, window } from "vscode";
import { isTask } from "../../text/tasks.ts";
import { isImplicit } from "../models/unpublishedApi.ts";
import { earlierSources } from "../participant/turnRecord.ts";
import { readReferences, type ReadReferences } from "./attachments.ts";

/** What a question is about. */
export interface GatheredContext extends ReadReferences {
  /** Read from the editor, because a task was given and nothing attached. */
  readonly editor: Uri | Location | undefined;
  /** What goes along although the user attached nothing of it to this question. */
  readonly unasked: readonly (Uri | Location)[];
}

/** Reads what is attached, for a task without attachments what is in the editor, then what earlier turns were about. */
export async function gatherContext(
  request: Pick<ChatRequest, "command" | "references">,
  context: Pick<ChatContext, "history">,
  token: CancellationToken,
): Promise<GatheredContext> {
  const isBare = request.references.length === 0;
  const editor = isBare && isTask(request.command) ? sourceInEditor() : undefined;
  const current = editor ? [editor] : request.references.map(({ value }) => value);
  const known = new Set(current.map(keyOf));
  const earlier = earlierSources(context).filter((value) => !known.has(keyOf(value)) && known.add(keyOf(value)));
  const attached = editor
    ? [{ id: "", value: editor }]
    : request.references.map(({ id, value }) => ({
        id,
        value,
        ...(isImplicit(id) && { origin: "implicit" as const }),
      }));
  const references = [...attached, ...earlier.map((value) => ({ id: "", value, origin: "earlier" as const }))];
  const gathered = await readReferences(references, token);
  const own = new Set<unknown>(request.references.map(({ value }) => value));
  return { ...gathered, editor, unasked: gathered.read.filter((source) => !own.has(source)) };
}

/** The selection, else the whole file in front. */
function sourceInEditor(): Uri | Location | undefined {
  const editor = window.activeTextEditor;
  if (!editor) return undefined;
  const { document, selection } = editor;
  return selection.isEmpty ? document.uri : new Location(document.uri, selection);
}

function keyOf(value: unknown): unknown {
  if (value instanceof Uri) return value.toString();
  if (!(value instanceof Location)) return value;
  const { start, end } = value.range;
  return `${value.uri.toString()}#${start.line}-${end.line}`;
}

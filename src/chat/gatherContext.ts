import { type CancellationToken, type ChatContext, type ChatRequest, Location, Uri, window } from "vscode";
import { isTask } from "./question.ts";
import { readReferences, type ReadReferences } from "./readReferences.ts";
import { earlierSources } from "./turnRecord.ts";

/** What a question is about. */
export interface GatheredContext extends ReadReferences {
  /** Read from the editor, because a task was given and nothing attached. */
  readonly editor: Uri | Location | undefined;
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
  const names = new Map(request.references.map(({ id, value }) => [value, id]));
  const references = [...current, ...earlier].map((value) => ({ id: names.get(value) ?? "", value }));
  return { ...(await readReferences(references, token)), editor };
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

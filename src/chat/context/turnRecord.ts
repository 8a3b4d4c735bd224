import { type ChatContext, ChatRequestTurn, type ChatResult, Location, Range, Uri } from "vscode";
import { participantId } from "../../manifest.ts";

/** A file URI with an optional range: start line, start character, end line, end character. */
interface EditorRecord {
  readonly uri: string;
  readonly range?: readonly [number, number, number, number] | undefined;
}

/**
 * The metadata of a chat result, for later turns and follow-ups. Must be JSON (`ChatResult.metadata` in vscode.d.ts).
 */
interface TurnRecord {
  readonly command?: string | undefined;
  /** Source that was read from the editor because nothing was attached. */
  readonly editor?: EditorRecord | undefined;
  /** Id of the edit that the answer proposes. */
  readonly edit?: string | undefined;
}

/**
 * Creates the result of an answered turn. `editor` is the source read without being attached, `edit` the id of the edit
 * that it proposes.
 */
export function recordTurn(command: string | undefined, editor: Uri | Location | undefined, edit?: string): ChatResult {
  const record: TurnRecord = { command, editor: editor && recordEditor(editor), edit };
  return { metadata: { ...record } };
}

export function commandOf(result: ChatResult): string | undefined {
  return readRecord(result).command;
}

/** The ids of the edits that earlier answers propose, the oldest first. */
export function earlierEdits({ history }: Pick<ChatContext, "history">): readonly string[] {
  return history.flatMap((turn) => {
    if (turn.participant !== participantId || turn instanceof ChatRequestTurn) return [];
    return readRecord(turn.result).edit ?? [];
  });
}

/** Sources of earlier questions, newest first: texts, files and locations. */
export function earlierSources({ history }: Pick<ChatContext, "history">): readonly unknown[] {
  return history
    .filter(({ participant }) => participant === participantId)
    .toReversed()
    .flatMap((turn) => {
      if (turn instanceof ChatRequestTurn) return turn.references.map(({ value }) => value);
      const { editor } = readRecord(turn.result);
      return editor ? [sourceOf(editor)] : [];
    })
    .filter((value) => typeof value === "string" || value instanceof Uri || value instanceof Location);
}

/** Restored chats may contain results of other versions. */
function readRecord({ metadata }: ChatResult): TurnRecord {
  const command: unknown = metadata?.command;
  const editor: unknown = metadata?.editor;
  const edit: unknown = metadata?.edit;
  return {
    ...(typeof command === "string" && { command }),
    ...(isEditorRecord(editor) && { editor }),
    ...(typeof edit === "string" && { edit }),
  };
}

function isEditorRecord(value: unknown): value is EditorRecord {
  if (typeof value !== "object" || value === null || !("uri" in value) || typeof value.uri !== "string") return false;
  const range = "range" in value ? value.range : undefined;
  return range === undefined || (Array.isArray(range) && range.length === 4 && range.every(isPosition));
}

function isPosition(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function recordEditor(source: Uri | Location): EditorRecord {
  if (source instanceof Uri) return { uri: source.toString() };
  const { start, end } = source.range;
  return { uri: source.uri.toString(), range: [start.line, start.character, end.line, end.character] };
}

/** The file or location of a record; `undefined` if it names none. */
function sourceOf({ uri, range }: EditorRecord): Uri | Location | undefined {
  try {
    const file = Uri.parse(uri, true);
    return range ? new Location(file, new Range(...range)) : file;
  } catch {
    return undefined;
  }
}

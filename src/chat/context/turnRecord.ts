import { type ChatContext, ChatRequestTurn, type ChatResult, Location, Range, Uri } from "vscode";
import { participantId } from "../../manifest.ts";
import { asArray, asCount, asObject, asText } from "../../text/json.ts";

/**
 * Creates the result of an answered turn, with what later turns and follow-ups need: the command, the source read from the
 * editor because nothing was attached, and the id of the edit that the answer proposes. All of it is JSON
 * (`ChatResult.metadata` in vscode.d.ts).
 */
export function recordTurn(command: string | undefined, editor: Uri | Location | undefined, edit?: string): ChatResult {
  return { metadata: { command, editor: editor && recordEditor(editor), edit } };
}

export function commandOf({ metadata }: ChatResult): string | undefined {
  return asText(metadata?.command);
}

/** The ids of the edits that earlier answers propose, the oldest first. */
export function earlierEdits({ history }: Pick<ChatContext, "history">): readonly string[] {
  return history.flatMap((turn) => {
    if (turn.participant !== participantId || turn instanceof ChatRequestTurn) return [];
    return asText(turn.result.metadata?.edit) ?? [];
  });
}

/** Sources of earlier questions, newest first: texts, files and locations. */
export function earlierSources({ history }: Pick<ChatContext, "history">): readonly unknown[] {
  return history
    .filter(({ participant }) => participant === participantId)
    .toReversed()
    .flatMap((turn): readonly unknown[] =>
      turn instanceof ChatRequestTurn
        ? turn.references.map(({ value }) => value)
        : [readEditor(turn.result.metadata?.editor)],
    )
    .filter((value) => typeof value === "string" || value instanceof Uri || value instanceof Location);
}

function recordEditor(source: Uri | Location): unknown {
  if (source instanceof Uri) return { uri: source.toString() };
  const { start, end } = source.range;
  return { uri: source.uri.toString(), range: [start.line, start.character, end.line, end.character] };
}

/** The file or location of a record; `undefined` if it names none. Restored chats may contain those of other versions. */
function readEditor(record: unknown): Uri | Location | undefined {
  const { uri, range } = asObject(record) ?? {};
  const [line, character, endLine, endCharacter] = asArray(range).map(asCount);
  try {
    const file = Uri.parse(asText(uri) ?? "", true);
    if (range === undefined) return file;
    if (line === undefined || character === undefined || endLine === undefined || endCharacter === undefined) return;
    return new Location(file, new Range(line, character, endLine, endCharacter));
  } catch {
    return undefined;
  }
}

import {
  type ChatContext,
  ChatRequestTurn,
  ChatResponseAnchorPart,
  type ChatResponseTurn,
  type ChatResult,
  Location,
  Range,
  Uri,
} from "vscode";
import { participantId } from "../../manifest.ts";
import type { Exchange } from "../../prompts/fitHistory.ts";
import { asArray, asCount, asObject, asText } from "../../base/json.ts";
import { forParticipants, type ImageReference, isImageReference } from "../models/unpublishedApi.ts";
import { promptText } from "./planQuestion.ts";

/** An edit that is not offered: the reasons, for the model, and the URIs of the files that the model had read. */
export interface RefusedEdit {
  readonly reasons: readonly string[];
  readonly files: readonly string[];
}

/**
 * Creates the result of an answered turn, with metadata for later turns and follow-ups: the command, the source in the editor
 * if nothing was attached, the id of the proposed edit or why it is refused, and the whole answer if the chat does not show
 * its edits as text. Metadata is stored as JSON (`ChatResult.metadata` in vscode.d.ts).
 */
export function recordTurn(
  command: string | undefined,
  editor: Uri | Location | undefined,
  edits: Partial<Record<"edit" | "answer", string | undefined> & { refused: RefusedEdit | undefined }> = {},
): ChatResult {
  return { metadata: { command, editor: editor && recordEditor(editor), ...edits } };
}

/** Adds the name of the conversation to the result of a turn, including one that failed. */
export function nameConversation(result: ChatResult, conversation: string): ChatResult {
  return { ...result, metadata: { ...asObject(result.metadata), conversation } };
}

/** The name of the conversation in earlier turns of `@codex`. */
export function conversationIn(turns: ChatContext["history"]): string | undefined {
  for (const turn of turns.toReversed()) {
    if (turn.participant !== participantId || turn instanceof ChatRequestTurn) continue;
    const name = asText(turn.result.metadata?.conversation);
    if (name !== undefined) return name;
  }
  return undefined;
}

/** What a question needs from earlier turns with `@codex`. */
export interface History {
  /** Questions with their answers, the oldest first. */
  readonly exchanges: readonly Exchange[];
  /** The references of the questions, the newest first: texts, files, locations, and images. */
  readonly sources: readonly (string | Uri | Location | ImageReference)[];
  /** The ids of the edits that the answers propose, the oldest first. */
  readonly edits: readonly string[];
  /** The edit of the last answer, if it was refused. */
  readonly refused: RefusedEdit | undefined;
}

/** Reads the turns of `@codex`, with the prompts of commands in `language`. Questions without an answer are skipped. */
export function readHistory(turns: ChatContext["history"], language: string): History {
  const exchanges: Exchange[] = [];
  const sources: unknown[] = [];
  const edits: string[] = [];
  let refused: History["refused"];
  let question: string | undefined;
  for (const turn of turns) {
    if (turn.participant !== participantId) continue;
    if (turn instanceof ChatRequestTurn) {
      question = promptText(turn, language);
      sources.unshift(...forParticipants(turn.references).map(({ value }) => value));
      continue;
    }
    const { editor, edit, refused: record, answer: written } = turn.result.metadata ?? {};
    refused = readRefused(record);
    sources.unshift(readEditor(editor));
    edits.push(...[asText(edit) ?? []].flat());
    const answer = asText(written) ?? answerText(turn);
    if (question === undefined || answer === "") continue;
    exchanges.push({ question, answer });
    question = undefined;
  }
  const isSource = (value: unknown): value is History["sources"][number] =>
    typeof value === "string" || value instanceof Uri || value instanceof Location || isImageReference(value);
  return { exchanges, sources: sources.filter(isSource), edits, refused };
}

/** The model's own text, with links as it wrote them. Lines added by the extension allow theme icons, answers never do. */
function answerText({ response }: Pick<ChatResponseTurn, "response">): string {
  return response
    .map((part) => {
      if (part instanceof ChatResponseAnchorPart) return `\`${part.title ?? ""}\``;
      return "value" in part && "supportThemeIcons" in part.value && !part.value.supportThemeIcons
        ? part.value.value
        : "";
    })
    .join("");
}

function readRefused(record: unknown): RefusedEdit | undefined {
  const { reasons, files } = asObject(record) ?? {};
  const [why, read] = [reasons, files].map((texts) => asArray(texts).flatMap((text) => asText(text) ?? []));
  return why?.length && read ? { reasons: why, files: read } : undefined;
}

function recordEditor(source: Uri | Location): unknown {
  if (source instanceof Uri) return { uri: source.toString() };
  const { start, end } = source.range;
  return { uri: source.uri.toString(), range: [start.line, start.character, end.line, end.character] };
}

/** The file or location in a record; `undefined` if it has none. Restored chats may have records of other versions. */
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

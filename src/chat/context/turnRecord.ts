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
 * Creates the result of an answered turn, with metadata for later turns and follow-ups: the command, the id of the proposed
 * edit or why it is refused, and the whole answer if the chat does not show its edits as text. Metadata is stored as JSON
 * (`ChatResult.metadata` in vscode.d.ts).
 */
export function recordTurn(
  command: string | undefined,
  edits: Partial<Record<"edit" | "answer", string | undefined> & { refused: RefusedEdit | undefined }> = {},
): ChatResult {
  return { metadata: { command, ...edits } };
}

/** What a turn has read without attachments: the source in the editor, and what was found. */
export interface ReadSources {
  readonly editor?: Uri | Location | undefined;
  readonly found?: readonly (Uri | Location)[];
}

/** Adds the name of the conversation, and what was read, to the result of a turn, including one that failed or was stopped. */
export function recordConversation(result: ChatResult, conversation: string, read: ReadSources = {}): ChatResult {
  const sources = { editor: read.editor && recordSource(read.editor), found: read.found?.map(recordSource) };
  return { ...result, metadata: { ...asObject(result.metadata), conversation, ...sources } };
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
  /** The references of the questions, the newest first: texts, files, locations, and images; then what was found last. */
  readonly sources: readonly (string | Uri | Location | ImageReference)[];
  /** The ids of the edits that the answers propose, the oldest first. */
  readonly edits: readonly string[];
  /** The edit of the last answer, if it was refused. */
  readonly refused: RefusedEdit | undefined;
  /** The command of the last answered question, or of a later one. */
  readonly command: string | undefined;
}

/** Reads the turns of `@codex`, with the prompts of commands in `language`. Questions without an answer are skipped. */
export function readHistory(turns: ChatContext["history"], language: string): History {
  const exchanges: Exchange[] = [];
  const sources: unknown[] = [];
  const edits: string[] = [];
  let refused: History["refused"];
  let found: readonly unknown[] = [];
  let command: string | undefined;
  let question: ChatRequestTurn | undefined;
  for (const turn of turns) {
    if (turn.participant !== participantId) continue;
    if (turn instanceof ChatRequestTurn) {
      question = turn;
      command = turn.command ?? command;
      sources.unshift(...forParticipants(turn.references).map(({ value }) => value));
      continue;
    }
    const { editor, found: sourcesFound, edit, refused: record, answer: written } = turn.result.metadata ?? {};
    sources.unshift(readSource(editor));
    const sourcesRead = asArray(sourcesFound).map(readSource);
    if (sourcesRead.length > 0) found = sourcesRead;
    edits.push(...[asText(edit) ?? []].flat());
    const answer = asText(written) ?? answerText(turn);
    if (question === undefined || answer === "") continue;
    exchanges.push({ question: promptText(question, language), answer });
    [refused, command, question] = [readRefused(record), question.command, undefined];
  }
  const isSource = (value: unknown): value is History["sources"][number] =>
    typeof value === "string" || value instanceof Uri || value instanceof Location || isImageReference(value);
  return { exchanges, sources: [...sources, ...found].filter(isSource), edits, refused, command };
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

function recordSource(source: Uri | Location): unknown {
  if (source instanceof Uri) return { uri: source.toString() };
  const { start, end } = source.range;
  return { uri: source.uri.toString(), range: [start.line, start.character, end.line, end.character] };
}

/** The file or location in a record; `undefined` if it has none. Restored chats may have records of other versions. */
function readSource(record: unknown): Uri | Location | undefined {
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

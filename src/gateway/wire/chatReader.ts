import { asArray, asCount, asObject, asText, type JsonObject } from "../../text/json.ts";
import { unreadable } from "../errors.ts";
import { AnswerReader, contentText } from "./answerReader.ts";
import { readUsage } from "./ending.ts";
import { reasonIn } from "./finishReasons.ts";
import type { Fragment } from "./toolCalls.ts";

/** Reads chat completions, as chunks or as a whole, which counts as a single chunk. */
export class ChatReader extends AnswerReader {
  protected readonly field = "choices";
  readonly #starts = new Starts();
  #hasPieces = false;

  read(json: JsonObject): void {
    const { ending, told } = this;
    if (json.usage != null) ending.usage = readUsage(json.usage) ?? ending.usage;
    if (!Array.isArray(json.choices)) {
      if (json.usage == null) ending.noteStrange(json);
      return;
    }
    ending.isKnown = true;
    const choice = firstChoice(json.choices);
    if (choice === undefined) return;
    if (choice.usage != null) ending.usage ??= readUsage(choice.usage);
    const reason = reasonIn(choice.finish_reason);
    const delta = asObject(choice.delta);
    const message = asObject(choice.message);
    if (this.#starts.isNew(json.id, delta)) {
      told.startOver();
      if (this.#starts.isOther) this.calls.startOver();
    }
    let text = delta && textOf(delta);
    let hasContent = delta !== undefined && this.#addPieces(delta);
    if (delta) hasContent = this.#tellReasoning(delta) || hasContent;
    if (message) {
      text ??= this.#unsaid(textOf(message), reason !== undefined || ending.isFinished);
      if (told.text === "") hasContent = this.#tellReasoning(message) || hasContent;
      hasContent = this.#addWhole(message) || hasContent;
    }
    text ??= asText(choice.text);
    if (text !== undefined) this.tell("text", text);
    ending.note(hasContent || text !== undefined, reason);
  }

  #tellReasoning({ reasoning_content, reasoning }: JsonObject): boolean {
    const text = asText(reasoning_content) ?? asText(reasoning);
    return text !== undefined && this.tell("reasoning", text);
  }

  /** The part of a message's text that is new. In a stream, the last chunk may repeat what earlier chunks contained. */
  #unsaid(text: string | undefined, isLast: boolean): string | undefined {
    const said = this.told.text;
    if (text === undefined || said === "") return text;
    if (text.startsWith(said)) return asText(text.slice(said.length));
    return isLast ? undefined : text;
  }

  #addPieces(delta: JsonObject): boolean {
    if (delta.tool_calls == null && delta.function_call == null) return false;
    const pieces = callsIn(delta);
    for (const piece of pieces) this.calls.add(piece);
    this.#hasPieces ||= pieces.length > 0;
    return pieces.length > 0;
  }

  /** Adds the calls of a whole message, unless its chunks already did. */
  #addWhole(message: JsonObject): boolean {
    const whole = this.#hasPieces ? [] : callsIn(message);
    this.calls.complete(whole);
    return whole.length > 0;
  }
}

/** Most roles that begin an answer: one that comes more often belongs to every few chunks. */
const mostRoles = 3;

/** Notices that an answer starts over: the role that began it comes again, or the id that its chunks had changes. */
class Starts {
  #id: unknown;
  #chunks = 0;
  #hasOneId = true;
  #roles = 0;
  #isAmid = false;
  isOther = false;

  isNew(id: unknown, delta: JsonObject | undefined): boolean {
    const isChanged = this.#chunks > 0 && id !== this.#id;
    this.isOther = isChanged && this.#hasOneId && this.#chunks > 1 && asText(id) !== undefined;
    // Chunks with an id of their own each say nothing.
    if (isChanged) this.#hasOneId = this.isOther;
    this.#chunks = this.isOther ? 1 : this.#chunks + 1;
    this.#id = id;
    if (delta?.role == null) {
      this.#isAmid = true;
      return this.isOther;
    }
    this.#roles += 1;
    const isAgain = this.#isAmid && this.#roles > 1 && this.#roles <= mostRoles;
    this.#isAmid = false;
    return isAgain || this.isOther;
  }
}

/** The choice with index 0; without an index, the first of the list. */
function firstChoice(choices: readonly unknown[]): JsonObject | undefined {
  // Not `find`, whose function would be made anew for each chunk.
  for (let place = 0; place < choices.length; place += 1) {
    const choice = asObject(choices[place]);
    const index = choice?.index ?? place;
    if (choice !== undefined && (index === 0 || index === "0")) return choice;
  }
  return undefined;
}

function textOf({ content, refusal }: JsonObject): string | undefined {
  return contentText(content) ?? asText(refusal);
}

/** The tool calls of a message or chunk: a list, a single one, or the older `function_call`. */
function callsIn({ tool_calls, function_call }: JsonObject): readonly Fragment[] {
  const single = asObject(tool_calls) ?? (tool_calls == null ? asObject(function_call) : undefined);
  if (single !== undefined) return Object.keys(single).length === 0 ? [] : [fragmentOf(single)];
  if (tool_calls != null && !Array.isArray(tool_calls)) throw unreadable("The tool calls are not a list.");
  return asArray(tool_calls)
    .filter((call) => call != null)
    .map(fragmentOf);
}

function fragmentOf(value: unknown): Fragment {
  const piece = asObject(value);
  if (piece === undefined) throw unreadable("A tool call is not an object.");
  const call = asObject(piece.function) ?? piece;
  const input = call.arguments ?? call.parameters ?? call.input;
  return { id: asText(piece.id), name: asText(call.name), place: asCount(piece.index), input };
}

import { asArray, asCount, asObject, asText, type JsonObject } from "../../text/json.ts";
import { type AnswerReader, type ContentPart, Ending, readUsage, unreadable } from "./answerReader.ts";
import { contentText } from "./contentText.ts";
import { reasonIn } from "./finishReasons.ts";
import { type Fragment, ToolCalls } from "./toolCalls.ts";
import { ToldText } from "./toldText.ts";

/** Reads chat completions, as chunks or as a whole, which counts as a single chunk. */
export function chatReader(): AnswerReader {
  return new ChatReader();
}

class ChatReader implements AnswerReader {
  readonly ending = new Ending();
  readonly #calls = new ToolCalls();
  readonly #told = new ToldText();
  readonly #starts = new Starts();
  #hasPieces = false;

  read(json: JsonObject): readonly ContentPart[] {
    const { ending } = this;
    if (json.usage != null) ending.usage = readUsage(json.usage) ?? ending.usage;
    if (!Array.isArray(json.choices)) {
      if (json.usage == null) ending.noteStrange(json);
      return [];
    }
    ending.noteKnown();
    const choice = firstChoice(json.choices);
    if (choice === undefined) return [];
    if (choice.usage != null) ending.usage ??= readUsage(choice.usage);
    const reason = reasonIn(choice.finish_reason);
    const delta = asObject(choice.delta);
    const message = asObject(choice.message);
    if (this.#starts.isNew(json.id, delta)) {
      this.#told.startOver();
      if (this.#starts.isOther) this.#calls.startOver();
    }
    const parts: ContentPart[] = [];
    let text = delta && textOf(delta);
    let hasCalls = delta !== undefined && this.#addPieces(delta);
    if (delta && !this.#told.isRepeated) addReasoning(parts, delta);
    if (message) {
      text ??= this.#unsaid(textOf(message), reason !== undefined || ending.isFinished);
      if (parts.length === 0 && this.#told.text === "") addReasoning(parts, message);
      hasCalls = this.#addWhole(message) || hasCalls;
    }
    text ??= asText(choice.text);
    if (text !== undefined) {
      const piece = this.#told.add(text);
      if (piece !== "") parts.push({ type: "text", text: piece });
    }
    ending.note(parts.length > 0 || hasCalls || text !== undefined, reason);
    return parts;
  }

  end(): readonly ContentPart[] {
    const { ending } = this;
    const text = this.#told.end();
    ending.check("choices");
    const parts = this.#calls.parts(ending.isCut);
    const left: readonly ContentPart[] = text === "" ? [] : [{ type: "text", text }];
    return [...left, ...parts, ...ending.parts(parts.length === 0 ? "stop" : "toolCalls")];
  }

  /** The part of a message's text that is new. In a stream, the last chunk may repeat what earlier chunks contained. */
  #unsaid(text: string | undefined, isLast: boolean): string | undefined {
    const said = this.#told.text;
    if (text === undefined || said === "") return text;
    if (text.startsWith(said)) return asText(text.slice(said.length));
    return isLast ? undefined : text;
  }

  #addPieces(delta: JsonObject): boolean {
    if (delta.tool_calls == null && delta.function_call == null) return false;
    const pieces = callsIn(delta);
    for (const piece of pieces) this.#calls.add(fragmentOf(piece));
    this.#hasPieces ||= pieces.length > 0;
    return pieces.length > 0;
  }

  /** Adds the calls of a whole message, unless its chunks already did. */
  #addWhole(message: JsonObject): boolean {
    const whole = this.#hasPieces ? [] : callsIn(message);
    this.#calls.complete(whole.map(fragmentOf));
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
  /** Whether the id has changed. */
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
  const only = choices.length === 1 ? asObject(choices[0]) : undefined;
  if (only?.index === 0) return only;
  const isFirst = (element: unknown, place: number): boolean => {
    const choice = asObject(element);
    return choice !== undefined && Number(choice.index ?? place) === 0;
  };
  return asObject(choices.find(isFirst));
}

function addReasoning(parts: ContentPart[], { reasoning_content, reasoning }: JsonObject): void {
  const text = asText(reasoning_content) ?? asText(reasoning);
  if (text !== undefined) parts.push({ type: "reasoning", text });
}

function textOf({ content, refusal }: JsonObject): string | undefined {
  return contentText(content) ?? asText(refusal);
}

/** The tool calls of a message or chunk: a list, a single one, or the older `function_call`. */
function callsIn({ tool_calls, function_call }: JsonObject): readonly JsonObject[] {
  const single = asObject(tool_calls) ?? (tool_calls == null ? asObject(function_call) : undefined);
  if (single !== undefined) return Object.keys(single).length === 0 ? [] : [single];
  if (tool_calls != null && !Array.isArray(tool_calls)) throw unreadable("The tool calls are not a list.");
  return asArray(tool_calls)
    .filter((call) => call != null)
    .map((call) => {
      const known = asObject(call);
      if (known === undefined) throw unreadable("A tool call is not an object.");
      return known;
    });
}

function fragmentOf(piece: JsonObject): Fragment {
  const call = asObject(piece.function) ?? piece;
  const input = call.arguments ?? call.parameters ?? call.input;
  return { id: asText(piece.id), name: asText(call.name), place: asCount(piece.index), input };
}

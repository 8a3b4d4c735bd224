import { asArray, asCount, asObject, asText, type JsonObject } from "../../base/json.ts";
import { unreadable } from "../errors.ts";
import { AnswerReader, contentText } from "./answerReader.ts";
import { type ContentPart, readUsage } from "./answerState.ts";
import type { CallPiece } from "./toolCalls.ts";

/**
 * Reads chat completions, as chunks or as a whole, which counts as a single chunk. Chunks under another id continue the
 * answer, as when LiteLLM falls back to another model in the middle of a stream.
 */
export class ChatReader extends AnswerReader {
  protected readonly field = "choices";
  /** What has come in deltas, so that messages only repeat it. */
  readonly #pieces = { text: false, reasoning: false, calls: false };

  read(json: JsonObject): void {
    const { state } = this;
    if (json.usage != null) state.usage = readUsage(json.usage) ?? state.usage;
    if (!Array.isArray(json.choices)) {
      if (json.usage == null) state.recordUnknownObject(json);
      return;
    }
    state.hasApiShape = true;
    // Only one choice is requested, but LiteLLM makes one of each message of an answer (BerriAI/litellm#37299).
    for (const choice of asArray(json.choices)) this.#readChoice(asObject(choice) ?? {});
  }

  #readChoice(choice: JsonObject): void {
    const delta = asObject(choice.delta);
    const message = asObject(choice.message);
    let hasContent = delta !== undefined && this.#readDelta(delta);
    if (message) hasContent = this.#readMessage(message) || hasContent;
    const reason = asText(choice.finish_reason);
    // DashScope's own API sends the word "null" while it generates.
    this.state.record(hasContent, reason === "null" ? undefined : reason);
  }

  override end(): readonly ContentPart[] {
    // Some gateways send `[DONE]` even after a stream that broke off.
    if (this.#pieces.calls && !this.state.isFinished && this.calls.hasBlank)
      throw unreadable("The answer broke off before the arguments of a tool call.");
    return super.end();
  }

  /** Returns whether a delta has content. */
  #readDelta(delta: JsonObject): boolean {
    const pieces = this.#pieces;
    const calls = delta.tool_calls == null ? [] : callsIn(delta);
    for (const call of calls) this.calls.add(call);
    const reasoning = reasoningOf(delta);
    if (reasoning !== undefined) this.emit("reasoning", reasoning);
    const text = textOf(delta);
    if (text !== undefined) this.emit("text", text);
    pieces.text ||= text !== undefined;
    pieces.reasoning ||= reasoning !== undefined;
    pieces.calls ||= calls.length > 0;
    return text !== undefined || reasoning !== undefined || calls.length > 0;
  }

  /** Reads a message: the whole answer, a piece of it in place of a delta, or a repetition of the deltas. */
  #readMessage(message: JsonObject): boolean {
    const pieces = this.#pieces;
    const reasoning = pieces.reasoning ? undefined : reasoningOf(message);
    if (reasoning !== undefined) this.emit("reasoning", reasoning);
    const text = pieces.text ? "" : (textOf(message) ?? "");
    this.emit("text", text);
    const calls = pieces.calls ? [] : callsIn(message);
    // Calls of a message often have no index; their positions distinguish those with the same id.
    for (const [position, call] of calls.entries()) this.calls.addWhole({ ...call, index: call.index ?? position });
    return text !== "" || reasoning !== undefined || calls.length > 0;
  }
}

function textOf({ content, refusal }: JsonObject): string | undefined {
  return contentText(content) ?? asText(refusal);
}

function reasoningOf({ reasoning_content, reasoning }: JsonObject): string | undefined {
  return asText(reasoning_content) ?? asText(reasoning);
}

function callsIn({ tool_calls }: JsonObject): readonly CallPiece[] {
  if (tool_calls != null && !Array.isArray(tool_calls)) throw unreadable("The tool calls are not a list.");
  return asArray(tool_calls)
    .filter((call) => call != null)
    .map(callOf);
}

function callOf(value: unknown): CallPiece {
  const piece = asObject(value);
  if (piece === undefined) throw unreadable("A tool call is not an object.");
  const call = asObject(piece.function) ?? piece;
  return { id: asText(piece.id), name: asText(call.name), index: asCount(piece.index), input: call.arguments };
}

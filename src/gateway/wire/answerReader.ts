import { asArray, asObject, asText, type JsonObject } from "../../base/json.ts";
import { GatewayError, unreadable } from "../errors.ts";
import { type ContentPart, AnswerState } from "./answerState.ts";
import { ToolCalls } from "./toolCalls.ts";

/** Maximum length of an answer's text, in characters. The longest output of a model, 128,000 tokens, has about half. */
const maxLength = 1024 * 1024;

/** The kinds of text in an answer. */
export const textKinds = ["reasoning", "text"] as const;
export type TextKind = (typeof textKinds)[number];

/**
 * Reads one answer, as events or as one JSON body. Stateful: one reader per answer. Gateways may repeat texts and calls as a
 * whole after their pieces, so whole ones count only if no pieces have come.
 */
export abstract class AnswerReader {
  readonly state = new AnswerState();
  protected calls = new ToolCalls();
  /** The field that answers of this API have, for messages. */
  protected abstract readonly field: string;
  /** What has come so far. */
  protected readonly received: Record<TextKind, string> = { text: "", reasoning: "" };
  #parts: { type: TextKind; text: string }[] = [];

  /** Reads an event, with its optional name, or a whole body. Throws `GatewayError`. */
  abstract read(json: JsonObject, event?: string): void;

  /** The parts read since the last call. */
  take(): readonly ContentPart[] {
    const parts = this.#parts;
    if (parts.length > 0) this.#parts = [];
    return parts;
  }

  /** The parts known at the end: tool calls, usage, finish reason. Throws `GatewayError`. */
  end(): readonly ContentPart[] {
    this.state.check(this.field);
    const { isCut } = this.state;
    const calls = this.calls.parts(isCut);
    if (this.received.text === "" && calls.length === 0 && !isCut)
      throw new GatewayError("empty", "The answer is empty.", { sent: "maybe" });
    return [...this.take(), ...calls, ...this.state.parts(calls.length === 0 ? "stop" : "toolCalls")];
  }

  /** Adds a piece of text or of reasoning. Pieces that arrive together are one part. */
  protected emit(type: TextKind, text: string): void {
    if (text === "") return;
    const { received } = this;
    received[type] += text;
    if (received.text.length + received.reasoning.length > maxLength) throw unreadable("The answer is too long.");
    const last = this.#parts.at(-1);
    if (last?.type === type) last.text += text;
    else this.#parts.push({ type, text });
  }
}

/** The text of a message's content: a string, or the text parts of a list. `undefined` if there is none. */
export function contentText(content: unknown): string | undefined {
  if (typeof content === "string" || content == null) return asText(content);
  const pieces = Array.isArray(content) ? asArray(content) : [content];
  return asText(pieces.map(pieceText).join(""));
}

/** Types of parts with visible text; a part without a type counts. Reasoning and files do not. */
const readable: ReadonlySet<unknown> = new Set([undefined, null, "", "text", "output_text", "refusal"]);

function pieceText(piece: unknown): string {
  if (typeof piece === "string") return piece;
  const { type, text, refusal } = asObject(piece) ?? {};
  if (!readable.has(type)) return "";
  return asText(text) ?? asText(refusal) ?? "";
}

import { asArray, asObject, asText, type JsonObject } from "../../base/json.ts";
import { type GatewayError, unreadable } from "../errors.ts";
import { type ContentPart, Ending } from "./ending.ts";
import { ToolCalls } from "./toolCalls.ts";

/**
 * Reads one answer, as events or as one JSON body. Stateful: one reader per answer. Gateways repeat as a whole what came
 * in pieces, so a whole counts only where no pieces came.
 */
export abstract class AnswerReader {
  readonly ending = new Ending();
  protected calls = new ToolCalls();
  /** The field that answers of this API have, for messages. */
  protected abstract readonly field: string;
  /** What has come again since the answer was started over. */
  #again: string | undefined;
  #takenText = "";
  #parts: { type: "text" | "reasoning"; text: string }[] = [];

  /** Reads an event, with its optional name, or a whole body. Throws `GatewayError`. */
  abstract read(json: JsonObject, event?: string): void;

  /** The parts read since the last call. */
  take(): readonly ContentPart[] {
    const parts = this.#parts;
    if (parts.length === 0) return parts;
    this.#takenText = this.text;
    this.#parts = [];
    return parts;
  }

  /** The text of the answer so far. */
  protected get text(): string {
    return this.#parts.reduce((text, part) => (part.type === "text" ? text + part.text : text), this.#takenText);
  }

  /** The parts known at the end: tool calls, usage, finish reason. Throws `GatewayError`. */
  end(): readonly ContentPart[] {
    if (this.#again !== undefined && this.#again !== this.text) this.#add("text", this.#remainderOf(this.#again));
    this.ending.check(this.field);
    const calls = this.calls.parts(this.ending.isCut);
    return [...this.take(), ...calls, ...this.ending.parts(calls.length === 0 ? "stop" : "toolCalls")];
  }

  /** Another answer may begin in the same stream: a gateway that loses its upstream starts over, or goes on. */
  protected startOver(): void {
    if (this.text !== "") this.#again = "";
  }

  /** Hands on a piece of text or of reasoning, unless the gateway is repeating itself. */
  protected emit(type: "text" | "reasoning", piece: string): void {
    if (this.#again === undefined) this.#add(type, piece);
    else if (type === "text") this.#add(type, this.#newIn(this.#again + piece));
    else if (this.#again === "") this.#add(type, piece);
  }

  /** What arrives together is one part, because nobody would see the steps between. */
  #add(type: "text" | "reasoning", text: string): void {
    if (text === "") return;
    const last = this.#parts.at(-1);
    if (last?.type === type) last.text += text;
    else this.#parts.push({ type, text });
  }

  #newIn(again: string): string {
    this.#again = again;
    return this.text.startsWith(again) ? "" : this.#remainderOf(again);
  }

  /** What has come again is the text and more, or follows it. Throws `GatewayError` for the same answer in other words. */
  #remainderOf(again: string): string {
    this.#again = undefined;
    if (again.startsWith(this.text)) return again.slice(this.text.length);
    if (again.startsWith(this.text.slice(0, coincidenceLimit))) throw startedOver();
    return again;
  }
}

/** From this many characters on, a repetition is no coincidence. */
const coincidenceLimit = 20;

/** The error for an answer that comes again in the same stream, but not as it was. */
export function startedOver(): GatewayError {
  return unreadable("The gateway started the answer over.");
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
  return asText(text) ?? asText(refusal) ?? asText(asObject(text)?.value) ?? "";
}

import { asArray, asObject, asText, type JsonObject } from "../../text/json.ts";
import { unreadable } from "../errors.ts";
import { type ContentPart, Ending } from "./ending.ts";
import { ToolCalls } from "./toolCalls.ts";

/** Reads one answer, as events or as one JSON body. Stateful: one reader per answer. */
export abstract class AnswerReader {
  readonly ending = new Ending();
  protected readonly calls = new ToolCalls();
  protected readonly told = new ToldText();
  /** The field that answers of this API have, for messages. */
  protected abstract readonly field: string;
  #parts: { type: "text" | "reasoning"; text: string }[] = [];

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
    this.#add("text", this.told.end());
    this.ending.check(this.field);
    const calls = this.calls.parts(this.ending.isCut);
    return [...this.take(), ...calls, ...this.ending.parts(calls.length === 0 ? "stop" : "toolCalls")];
  }

  /** Hands on a piece of text, or of reasoning, unless the gateway is repeating itself. Returns whether it did. */
  protected tell(type: "text" | "reasoning", piece: string): boolean {
    const text = type === "text" ? this.told.add(piece) : this.told.isRepeated ? "" : piece;
    this.#add(type, text);
    return text !== "";
  }

  /** What arrives together is one part, because nobody would see the steps between. */
  #add(type: "text" | "reasoning", text: string): void {
    if (text === "") return;
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
  return asText(text) ?? asText(refusal) ?? asText(asObject(text)?.value) ?? "";
}

/** From this many characters on, a repetition is no chance. */
const noChance = 20;

/** The text of an answer, handed on once: a gateway that loses its upstream may start over in the same stream, or go on. */
class ToldText {
  text = "";
  /** What has come again since the answer was started over. */
  #again: string | undefined;

  /** Whether it is being repeated. */
  get isRepeated(): boolean {
    return this.#again !== undefined && this.#again !== "";
  }

  startOver(): void {
    if (this.text !== "") this.#again = "";
  }

  /** Returns what is new of a piece. Throws `GatewayError` of kind `unreadable` for the same answer in other words. */
  add(piece: string): string {
    if (this.#again === undefined) {
      this.text += piece;
      return piece;
    }
    this.#again += piece;
    if (this.text.startsWith(this.#again)) return "";
    return this.#goOn(this.#again, sharedLength(this.text, this.#again));
  }

  /** Returns what was held back as a repetition and, at the end, turns out to be none. */
  end(): string {
    const again = this.#again ?? "";
    return again === "" || again === this.text ? "" : this.#goOn(again, again.length);
  }

  /** What has come again, `shared` characters of it alike, is the text and more, or follows the text. */
  #goOn(again: string, shared: number): string {
    const isMore = shared === this.text.length;
    if (!isMore && shared >= noChance) throw unreadable("The gateway started the answer over.");
    const rest = isMore ? again.slice(shared) : again;
    this.#again = undefined;
    this.text += rest;
    return rest;
  }
}

/** The number of characters with which two texts begin in the same way. */
function sharedLength(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}

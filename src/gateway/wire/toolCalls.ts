import type { Tool } from "../types.ts";
import { unreadable } from "./answerReader.ts";
import type { ContentPart } from "./answerReader.ts";
import { asObject, type JsonObject, parseJson } from "./json.ts";

/** What one answer may hold: calls, characters of one call's arguments, and of all of them. */
const maxCalls = 128;
const maxLength = 1 << 20;
const maxTotalLength = 8 << 20;

/** A piece of a tool call, or a whole one. */
export interface Fragment {
  readonly id: string | undefined;
  readonly name: string | undefined;
  /** JSON text or a piece of it, or an object. From outside. */
  readonly input: unknown;
}

/** The JSON Schema of a tool's arguments; a tool without one takes none. */
export function schemaOf({ inputSchema }: Tool): object {
  return inputSchema ?? { type: "object", properties: {} };
}

/** A tool call in the making. */
export interface Draft {
  id: string;
  name: string;
  text: string;
  /** Its arguments are still arriving, so that none so far does not mean none. */
  isOpen: boolean;
}

/** The tool calls of one answer, in the order in which they began. Every method throws `GatewayError` of kind `unreadable`. */
export class ToolCallDrafts {
  readonly all: Draft[] = [];
  #length = 0;

  begin(isOpen = false): Draft {
    if (this.all.length === maxCalls) throw unreadable("The answer has too many tool calls.");
    const draft = { id: "", name: "", text: "", isOpen };
    this.all.push(draft);
    return draft;
  }

  /** Adds a fragment to a call. Arguments that come as an object come whole. */
  extend(draft: Draft, { id, name, input }: Fragment): void {
    draft.id ||= id ?? "";
    draft.name ||= name ?? "";
    if (input == null || input === "") return;
    const text = argumentsText(input);
    if (typeof input === "string") this.#setText(draft, draft.text + text);
    else if (draft.text.trim() === "") this.#setText(draft, text);
    else if (draft.text !== text) throw unreadable("The arguments of a tool call came twice.");
  }

  /** Gives a call its whole arguments, in place of the pieces that came before. */
  complete(draft: Draft, { id, name, input }: Fragment): void {
    draft.id ||= id ?? "";
    draft.name ||= name ?? "";
    draft.isOpen = false;
    if (input != null && input !== "") this.#setText(draft, argumentsText(input));
  }

  /**
   * The whole calls. Where the answer is cut, so may be its last call: then none counts. Otherwise throws
   * `GatewayError` of kind `unreadable` if one has no name or arguments that are not a JSON object.
   */
  parts(isCut: boolean): readonly ContentPart[] {
    const inputs = this.all.map((draft) => inputOf(draft));
    if (isCut && this.all.some(({ text }, index) => text === "" || inputs[index] === undefined)) return [];
    const ids = new Set<string>();
    return this.all.map((draft, index) => {
      const { name } = draft;
      const input = inputs[index];
      if (name === "") throw unreadable("A tool call has no name.");
      if (input === undefined) {
        throw unreadable(`The arguments of the tool call ${name.slice(0, 100)} are not a JSON object.`);
      }
      const numbered = `${draft.id || "call"}_${String(index)}`;
      const id = draft.id === "" || ids.has(draft.id) ? numbered : draft.id;
      ids.add(id);
      return { type: "toolCall", id, name, input };
    });
  }

  #setText(draft: Draft, text: string): void {
    this.#length += text.length - draft.text.length;
    if (text.length > maxLength || this.#length > maxTotalLength) {
      throw unreadable("The arguments of a tool call are too long.");
    }
    draft.text = text;
  }
}

function argumentsText(input: unknown): string {
  if (typeof input === "string") return input;
  if (asObject(input) === undefined) throw unreadable("The arguments of a tool call are not a JSON object.");
  return JSON.stringify(input);
}

/** No text at all is a call without arguments; broken text is an error, never `{}`. Some gateways encode the text twice. */
function inputOf({ text, isOpen }: Draft): JsonObject | undefined {
  if (text.trim() === "") return isOpen ? undefined : {};
  const value = parseJson(text);
  return asObject(typeof value === "string" ? parseJson(value) : value);
}

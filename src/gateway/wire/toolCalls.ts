import { asObject, type JsonObject, parseJson } from "../../text/json.ts";
import type { Tool } from "../types.ts";
import { unreadable } from "./answerReader.ts";
import type { ContentPart } from "./answerReader.ts";

/** Maximum number of calls in an answer, and of characters in one call's arguments and in all. */
const maxCalls = 128;
const maxLength = 1 << 20;
const maxTotalLength = 8 << 20;

/** A tool call or a fragment of one. */
export interface Fragment {
  readonly id: string | undefined;
  readonly name: string | undefined;
  /** JSON text, a piece of it, or an object. Untrusted. */
  readonly input: unknown;
}

/** The JSON Schema of a tool's arguments. A tool without a schema takes none. */
export function schemaOf({ inputSchema }: Tool): object {
  return inputSchema ?? { type: "object", properties: {} };
}

/** A tool call that is being assembled. */
export interface Draft {
  id: string;
  name: string;
  text: string;
  /** Whether arguments are still arriving, so that an empty text does not mean none. */
  isOpen: boolean;
}

/** The tool calls of one answer, in order of appearance. All methods throw `GatewayError` of kind `unreadable`. */
export class ToolCallDrafts {
  readonly all: Draft[] = [];
  #length = 0;

  begin(isOpen = false): Draft {
    if (this.all.length === maxCalls) throw unreadable("The answer has too many tool calls.");
    const draft = { id: "", name: "", text: "", isOpen };
    this.all.push(draft);
    return draft;
  }

  /** Adds a fragment to a call. Arguments that are an object are complete. */
  extend(draft: Draft, { id, name, input }: Fragment): void {
    draft.id ||= id ?? "";
    draft.name ||= name ?? "";
    if (input == null || input === "") return;
    const text = argumentsText(input);
    if (typeof input === "string") this.#setText(draft, draft.text + text);
    else if (draft.text.trim() === "") this.#setText(draft, text);
    else if (draft.text !== text) throw unreadable("The arguments of a tool call came twice.");
  }

  /** Replaces the fragments of a call with its whole arguments. */
  complete(draft: Draft, { id, name, input }: Fragment): void {
    draft.id ||= id ?? "";
    draft.name ||= name ?? "";
    draft.isOpen = false;
    if (input != null && input !== "") this.#setText(draft, argumentsText(input));
  }

  /**
   * The complete calls; none if the answer is truncated, because the last call may be too. Throws `GatewayError` of
   * kind `unreadable` if a call has no name or its arguments are not a JSON object.
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

/**
 * Parses arguments. Empty text means no arguments; malformed text is an error, never `{}`. Some servers encode the JSON
 * text twice (vllm-project/vllm#54964).
 */
function inputOf({ text, isOpen }: Draft): JsonObject | undefined {
  if (text.trim() === "") return isOpen ? undefined : {};
  const value = parseJson(text);
  return asObject(typeof value === "string" ? parseJson(value) : value);
}

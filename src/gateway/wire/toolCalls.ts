import { GatewayError } from "../errors.ts";
import type { Tool } from "../types.ts";
import type { ContentPart } from "./answerReader.ts";
import { asObject, parseJson } from "./json.ts";

interface Assembly {
  id: string;
  name: string;
  text: string;
}

interface Fragment {
  readonly id: string | undefined;
  readonly name: string | undefined;
  readonly text: string;
}

/** The JSON Schema of a tool's arguments; a tool without one takes none. */
export function schemaOf({ inputSchema }: Tool): object {
  return inputSchema ?? { type: "object", properties: {} };
}

/** Puts tool calls together from their fragments, in the order in which they began. */
export class ToolCallAssembler {
  readonly #calls = new Map<number | string, Assembly>();
  #last: number | string | undefined;

  /** Adds a fragment. Without a `slot` it continues the last call, unless it brings a new id. */
  add(slot: number | string | undefined, { id, name, text }: Fragment): void {
    const key = slot ?? id ?? this.#last ?? 0;
    this.#last = key;
    const call = this.#calls.get(key) ?? { id: "", name: "", text: "" };
    this.#calls.set(key, call);
    call.id ||= id ?? "";
    call.name ||= name ?? "";
    call.text += text;
  }

  /** The whole calls. Throws `GatewayError` of kind `unreadable` if one has no name or arguments that are not a JSON object. */
  parts(): readonly ContentPart[] {
    return [...this.#calls.values()].map(({ id, name, text }, index) => {
      // No text at all is a call without arguments; broken text is an error, never `{}`.
      const input = text === "" ? {} : asObject(parseJson(text));
      if (name === "") throw new GatewayError("unreadable", "A tool call has no name.", { sent: "maybe" });
      if (input === undefined) {
        throw new GatewayError("unreadable", `The arguments of the tool call ${name} are not a JSON object.`, {
          sent: "maybe",
        });
      }
      return { type: "toolCall", id: id || `call_${String(index)}`, name, input };
    });
  }

  get isEmpty(): boolean {
    return this.#calls.size === 0;
  }
}

import { asArray, asCount, asObject, asText, type JsonObject } from "../../text/json.ts";
import { unreadable } from "./answerReader.ts";
import { type Draft, type Fragment, ToolCallDrafts } from "./toolCalls.ts";

/**
 * Assembles the tool calls of a chat completion. Services number their calls, give only ids, or reuse index 0 for all
 * (ollama/ollama#15457), so a fragment is matched by all it has.
 */
export class ChatCalls {
  readonly drafts = new ToolCallDrafts();
  readonly #bySlot = new Map<number, Draft>();
  #last: Draft | undefined;
  #hasPieces = false;

  /** Adds the fragments of a chunk. Returns whether there were any. */
  addPieces(delta: JsonObject): boolean {
    if (delta.tool_calls == null && delta.function_call == null) return false;
    const pieces = callsIn(delta);
    for (const piece of pieces) {
      const slot = asCount(piece.index);
      const fragment = fragmentOf(piece);
      this.#last = this.#find(slot, fragment) ?? this.drafts.begin();
      if (slot !== undefined) this.#bySlot.set(slot, this.#last);
      this.drafts.extend(this.#last, fragment);
    }
    this.#hasPieces ||= pieces.length > 0;
    return pieces.length > 0;
  }

  /** Adds the calls of a whole message, unless its chunks already did. */
  addWhole(message: JsonObject): boolean {
    const whole = this.#hasPieces ? [] : callsIn(message);
    for (const call of whole) {
      const fragment = fragmentOf(call);
      if (fragment.id !== undefined && this.#byId(fragment.id)) continue;
      this.drafts.extend(this.drafts.begin(), fragment);
    }
    return whole.length > 0;
  }

  /** Finds the call that a fragment continues. A new id with a name starts a new call, whatever its index. */
  #find(slot: number | undefined, { id, name, input }: Fragment): Draft | undefined {
    if (slot !== undefined) {
      const known = this.#bySlot.get(slot);
      const isNew = known && id !== undefined && name !== undefined && known.id !== "" && known.id !== id;
      return isNew ? undefined : known;
    }
    if (id !== undefined) return this.#byId(id);
    const last = this.#last;
    if (name === undefined || !last?.name) return last;
    const isWhole = last.text.endsWith("}") && (typeof input === "object" || asText(input)?.startsWith("{"));
    return last.name === name && !isWhole ? last : undefined;
  }

  #byId(id: string): Draft | undefined {
    return this.drafts.all.find((draft) => draft.id === id);
  }
}

/** The tool calls of a message or chunk: a list, a single one, or the older `function_call`. */
function callsIn({ tool_calls, function_call }: JsonObject): readonly JsonObject[] {
  if (tool_calls == null && function_call == null) return [];
  const single = asObject(tool_calls) ?? (tool_calls == null ? asObject(function_call) : undefined);
  if (single !== undefined) return Object.keys(single).length === 0 ? [] : [single];
  if (!Array.isArray(tool_calls)) throw unreadable("The tool calls are not a list.");
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
  return { id: asText(piece.id), name: asText(call.name), input };
}

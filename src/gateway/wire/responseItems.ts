import { asArray, asObject, asText, type JsonObject } from "../../text/json.ts";
import { contentText } from "./contentText.ts";
import type { TextName } from "./responseTexts.ts";

/** A text in an item of a response. */
export interface ItemText extends Pick<TextName, "kind" | "index"> {
  readonly text: string;
}

/** The items of a response's output: a list, a single item or a plain text. */
export function itemsOf(output: unknown): readonly JsonObject[] {
  if (typeof output === "string") return [{ content: output }];
  return (Array.isArray(output) ? asArray(output) : [output]).map((item) => asObject(item) ?? {});
}

/** The texts in an item. Items that repeat the input have none. */
export function textsIn({ type, role, content, summary, text }: JsonObject): readonly ItemText[] {
  if (role != null && role !== "assistant") return [];
  if (type === "reasoning") return [...piecesOf("summary", summary), ...piecesOf("reasoning", content)];
  if (type === "output_text") return found("text", 0, asText(text));
  if (!Array.isArray(content)) return found("text", 0, contentText(content));
  return content.flatMap((piece, index) => found("text", index, contentText([piece])));
}

/** Reasoning parts have types of their own. */
function piecesOf(kind: TextName["kind"], pieces: unknown): readonly ItemText[] {
  return asArray(pieces).flatMap((piece, index) => found(kind, index, asText(asObject(piece)?.text)));
}

function found(kind: TextName["kind"], index: number, text: string | undefined): readonly ItemText[] {
  return text === undefined ? [] : [{ kind, index, text }];
}

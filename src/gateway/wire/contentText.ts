import { asArray, asObject, asText } from "../../text/json.ts";

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

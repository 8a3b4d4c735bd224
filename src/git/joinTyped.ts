import { hasText } from "../text/lines.ts";

/** The type at the start of a subject, such as `fix(cart)!:`. */
const typePrefix = /^(?:[a-z]+|\p{Script=Han}{1,6})(?:[(（][^()（）\n]{0,60}[)）])?!?[:：]/u;

/**
 * The typed text, followed by the rest of the message. The message has to begin with the typed words, but a type that the
 * user typed replaces that of the message. `undefined` if the message begins with other words.
 */
export function joinTyped(typed: string, message: string): string | undefined {
  if (!hasText(typed)) return message;
  const [type = ""] = typePrefix.exec(typed) ?? [];
  const space = type.endsWith(":") ? " " : "";
  const isSame = message.toLowerCase().startsWith(type.toLowerCase());
  const own = isSame ? message.slice(type.length) : message.replace(typePrefix, "");
  const untyped = type === "" ? message : own.replace(/^\s*/, space);
  const rest = afterWords(typed.slice(type.length), untyped);
  if (rest === undefined) return undefined;
  const [begun, added] = [typed.trimEnd(), rest.trimStart()];
  if (begun === typed || added === "") return typed + rest;
  // An empty line may follow the subject, of which the user may have typed a part.
  const missing = breaksIn(rest.slice(0, rest.length - added.length)) - breaksIn(typed.slice(begun.length));
  return typed + "\n".repeat(Math.max(0, missing)) + added;
}

/** The text after these words at its start. The last of them may be half typed, unless whitespace follows. */
function afterWords(typed: string, text: string): string | undefined {
  let end = 0;
  for (const [index, word] of typed.split(/\s+/).filter(hasText).entries()) {
    const start = text.length - text.slice(end).trimStart().length;
    const isApart = index === 0 || start > end;
    end = start + word.length;
    if (!isApart || text.slice(start, end).toLowerCase() !== word.toLowerCase()) return undefined;
  }
  const rest = text.slice(end);
  return end > 0 && /\s$/.test(typed) && /^\S/.test(rest) ? undefined : rest;
}

function breaksIn(text: string): number {
  return text.split("\n").length - 1;
}

/**
 * Maximum depth and number of values of untrusted JSON. Greater depth overflows the stack in `JSON.stringify` (at about
 * 7,000 levels in Node 24), more values take gigabytes.
 */
const maxDepth = 1_000;
const maxValues = 1_000_000;

/**
 * Replaces everything nested deeper than `maxDepth` with `null`; returns the same string if nothing is. `undefined` if
 * there are too many values. Linear time.
 */
export function withoutDepths(text: string): string | undefined {
  if (text.length <= maxDepth) return text;
  let kept = "";
  let start = 0;
  let depth = 0;
  let values = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    if (character === quote) {
      at = endOfString(text, at);
    } else if (character === openBracket || character === openBrace) {
      depth += 1;
      values += 1;
      if (depth === maxDepth + 1) kept += `${text.slice(start, at)}null`;
    } else if (character === closeBracket || character === closeBrace) {
      if (depth === maxDepth + 1) start = at + 1;
      depth -= 1;
    } else if (character === comma) {
      values += 1;
    }
    if (values > maxValues) return undefined;
  }
  if (kept === "") return text;
  return depth > maxDepth ? kept : kept + text.slice(start);
}

const [quote, comma, openBracket, closeBracket, openBrace, closeBrace] = [0x22, 0x2c, 0x5b, 0x5d, 0x7b, 0x7d] as const;
const backslash = 0x5c;

function endOfString(text: string, start: number): number {
  let end = start;
  do {
    end = text.indexOf('"', end + 1);
    if (end < 0) return text.length;
  } while (isEscaped(text, end));
  return end;
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(at - 1 - backslashes) === backslash) backslashes += 1;
  return backslashes % 2 === 1;
}

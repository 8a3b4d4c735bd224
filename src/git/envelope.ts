const reasoning = /^\s*<(think(?:ing)?)>[^]*?(?:<\/\1>|$)/i;

/** An answer without the reasoning that some models begin with. */
export function withoutReasoning(answer: string): string {
  return answer.replace(reasoning, "");
}

/**
 * What an answer has between `<name>` and `</name>`, which may stand in it too, unless it ends a line. Without an end, it is
 * the rest; `undefined` if there is no envelope.
 */
export function insideEnvelope(answer: string, name: string): string | undefined {
  const opening = `<${name}>`;
  const start = answer.indexOf(opening);
  if (start < 0) return undefined;
  const inside = answer.slice(start + opening.length);
  const end = inside.search(new RegExp(`</${name}>[ \\t]*$`, "m"));
  return inside.slice(0, end < 0 ? undefined : end);
}

const reasoning =
  /^\s*<(think|thinking|thoughts?|reasoning|analysis|scratchpad|plan)>(?:[^<]|<(?!\/\1>))*(?:<\/\1>(?:[ \t]*\n)*|$)/i;

/** An answer without the reasoning that some models begin with; empty while a model reasons. */
export function withoutReasoning(answer: string): string {
  return answer.replace(reasoning, "");
}

/**
 * The text of an answer between `<name>` and `</name>`. The closing tag ends a line, because the text may mention it; if
 * none does, the last one counts, or else the end of the answer. `undefined` if there is no opening tag.
 */
export function insideTags(answer: string, name: string): string | undefined {
  const [opening, closing] = [`<${name}>`, `</${name}>`];
  const start = answer.indexOf(opening);
  if (start < 0) return undefined;
  const inside = answer.slice(start + opening.length);
  const end = inside.search(new RegExp(`${closing}[ \\t]*$`, "m"));
  const last = end < 0 ? inside.lastIndexOf(closing) : end;
  return inside.slice(0, last < 0 ? undefined : last);
}

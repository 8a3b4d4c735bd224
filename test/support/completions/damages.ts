import type { Hole } from "./holes.ts";
import { endings, lastTokens, markers, oneOf, openers, refusals, tags } from "./phrases.ts";

/** What a model does to a right answer; `undefined` where the place does not allow it. */
export type Damage = (hole: Hole, text: string) => string | undefined;

const fence =
  (info: string): Damage =>
  (_, text) =>
    `\`\`\`${info}\n${text}\n\`\`\``;
const tag =
  (name: string): Damage =>
  ({ prefix, suffix }, text) =>
    (prefix + suffix).includes(`<${name}`) ? undefined : `<${name}>${text}</${name}>`;
const around =
  (before: string, after: string): Damage =>
  (_, text) =>
    before + text + after;
const marker =
  (mark: string, place: "start" | "end" | "between"): Damage =>
  ({ prefix, suffix }, text) => {
    if ((prefix + suffix).includes(mark)) return undefined;
    if (place === "between") return linePrefix(prefix) + mark + text;
    return place === "start" ? mark + text : text + mark;
  };

/** The damages, by what they are called in the messages of failed tests. */
export const damages: Readonly<Record<string, Damage>> = {
  none: (_, text) => text,
  "fence with a language": (hole, text) => fence(hole.languageId)(hole, text),
  "fence that does not end": (_, text) => `\`\`\`\n${text}`,
  "fence between sentences": (_, text) =>
    `Here is the completed code:\n\n\`\`\`js\n${text}\n\`\`\`\n\nThis completes the function by adding the missing part.`,
  completion: tag("completion"),
  "completion on lines": (_, text) => `<completion>\n${text}\n</completion>`,
  "think before": (_, text) => `<think>\nThe user wants code.\n</think>\n${text}`,
  "sentence and blank line before": around("Sure! Here's the missing code:\n\n", ""),
  "sentences after": around(
    "",
    "\n\nExplanation:\nThe code above adds what was missing.\nLet me know if you need more.",
  ),
  "sentences on both sides": around("Here's the code to insert at the cursor:\n\n", "\n\nThis will complete the code."),
  "marker at the start": marker("<|cursor|>", "start"),
  "placeholder after the line's start": marker("{{FILL_HERE}}", "between"),
  "echo of the line": ({ prefix }, text) => (linePrefix(prefix).trim() === "" ? undefined : linePrefix(prefix) + text),
  "echo of the line without indentation": ({ prefix }, text) =>
    linePrefix(prefix).trim() === "" ? undefined : linePrefix(prefix).trimStart() + text,
  "echo of five lines": ({ prefix }, text) => linesBefore(prefix, 5) + text,
  "the function from its start": ({ prefix }, text) => linesBefore(prefix, 20) + text,
  "echo of a line after": ({ suffix }, text) => linesAfter(suffix, text, 1),
  "echo of four lines after": ({ suffix }, text) => linesAfter(suffix, text, 4),
  "the whole function": ({ prefix, suffix }, text) => linesBefore(prefix, 12) + (linesAfter(suffix, text, 12) ?? text),
  "closers that follow": ({ suffix }, text) => {
    const closers = /^\s*(?:[)\]}"';,]+|<\/\w+>)(?:\s*[)\]};]+)*/.exec(suffix)?.[0];
    return closers === undefined ? undefined : text + closers;
  },
  "indentation lost": (_, text) => (text.includes("\n") ? text.replace(/^[ \t]+/gm, "") : undefined),
  "indentation of the first line": ({ prefix }, text) =>
    linePrefix(prefix).trim() === "" && linePrefix(prefix) !== "" ? linePrefix(prefix) + text : undefined,
  "common indentation lost": (_, text) => {
    const indents = text
      .split("\n")
      .slice(1)
      .filter((line) => line.trim() !== "")
      .map((line) => /^[ \t]*/.exec(line)?.[0].length ?? 0);
    const least = Math.min(...indents);
    return indents.length > 0 && least > 0
      ? text
          .split("\n")
          .map((line, at) => (at === 0 ? line.trimStart() : line.slice(least)))
          .join("\n")
      : undefined;
  },
  "indentation doubled": (_, text) => (/^[ \t]+/m.test(text) ? text.replace(/^[ \t]+/gm, "$&$&") : undefined),
  "base indentation doubled": ({ prefix }, text) => {
    const base = /^[ \t]*/.exec(linePrefix(prefix))?.[0] ?? "";
    return base !== "" && text.includes("\n") ? text.replace(/\n(?=.)/g, `\n${base}`) : undefined;
  },
  "last line again and again": (_, text) => text + `\n${text.trimEnd().split("\n").at(-1) ?? ""}`.repeat(12),
  "all again and again": (_, text) => `${text}\n`.repeat(6),
  "any sentence before a fence": (hole, text) => `${oneOf(hole, openers)}\n${fenced(hole, text)}`,
  "any sentence after a fence": (hole, text) => `${fenced(hole, text)}\n\n${oneOf(hole, endings)}`,
  "any marker at the end": (hole, text) => marker(oneOf(hole, markers), "end")(hole, text),
  "any marker, with both sides": (hole, text) => {
    const mark = oneOf(hole, markers);
    const { prefix, suffix } = hole;
    if ((prefix + text + suffix).includes(mark)) return undefined;
    return linesBefore(prefix, 3) + mark + text + mark + suffix.split("\n").slice(0, 3).join("\n");
  },
  "any tag": (hole, text) => tag(oneOf(hole, tags))(hole, text),
  "any tag that does not end": (hole, text) => {
    const name = oneOf(hole, tags);
    return (hole.prefix + hole.suffix).includes(`<${name}`) ? undefined : `<${name}>\n${text}`;
  },
  "any last token": (hole, text) => text + oneOf(hole, lastTokens),
  "fence with a path": (_, text) => fence("src/lib/a.ts")(_, text),
  "fence that ends on the last line": ({ languageId }, text) => `\`\`\`${languageId}\n${text}\`\`\``,
  "fence around the echo of both sides": (hole, text) => {
    const end = linesAfter(hole.suffix, text, 2);
    return end === undefined ? undefined : fenced(hole, linesBefore(hole.prefix, 5) + end);
  },
  "a comment for the rest": ({ languageId }, text) =>
    /^(?:typescript|javascript|go|cpp|c)$/.test(languageId) ? `${text}\n// ... rest of the code ...` : undefined,
  CRLF: (_, text) => text.replaceAll("\n", "\r\n"),
  "a heading and a list after": ({ languageId }, text) =>
    languageId === "markdown"
      ? undefined
      : `${text}\n\n### Explanation\n\n1. It does what is missing.\n2. Nothing else.`,
  "all of it twice": ({ prefix }, text) =>
    text.trim().length < 40 || linePrefix(prefix).trim() !== "" ? undefined : `${text}\n${linePrefix(prefix)}${text}`,
  "blank lines before": (_, text) => `\n\n\n${text}`,
};

/** Damages in which the completion comes late in the answer. */
export const wholeDamages: Readonly<Record<string, Damage>> = {
  "fence in a tag": (hole, text) => tag("completion")(hole, `\n${fenced(hole, text)}\n`),
  "the whole file": ({ prefix, suffix }, text) =>
    prefix.length + suffix.length > 30_000 ? undefined : prefix + text + suffix,
};

/** Answers in which nothing is right. */
export const hopeless: Readonly<Record<string, (hole: Hole) => string | undefined>> = {
  "a refusal": (hole) => oneOf(hole, refusals),
  "a refusal in a fence": (hole) => `\`\`\`\n${oneOf(hole, refusals)}\n\`\`\``,
  "a refusal in a tag": (hole) => `<completion>${oneOf(hole, refusals)}</completion>`,
  "only what introduces a completion": (hole) => `${oneOf(hole, openers.slice(0, 11))}\n`,
  "only a sentence": ({ languageId, prefix }) =>
    /^(?:markdown|html|yaml|php)$/.test(languageId) ||
    /["'`*#]|\/\//.test(linePrefix(prefix)) ||
    prefix.lastIndexOf("/*") > prefix.lastIndexOf("*/")
      ? undefined
      : "This function already does what its name says.",
  "an empty fence": () => "```\n```",
  "an empty tag": () => "<completion></completion>",
  "white space": () => " \n\t\n  ",
  "nothing at all": () => "",
  "what follows": ({ suffix }) => {
    const next = suffix.trim().split("\n").slice(0, 3).join("\n");
    return next.length > 20 && /\w{8}/.test(next) ? next : undefined;
  },
};

function fenced({ languageId }: Hole, text: string): string {
  return `\`\`\`${languageId}\n${text}\n\`\`\``;
}

function linePrefix(prefix: string): string {
  return prefix.slice(prefix.lastIndexOf("\n") + 1);
}

function linesBefore(prefix: string, count: number): string {
  return prefix.split("\n").slice(-count).join("\n");
}

function linesAfter(suffix: string, text: string, count: number): string | undefined {
  const end = suffix
    .split("\n")
    .slice(0, count + 1)
    .join("\n");
  return end.trim() === "" ? undefined : text + end;
}

import type { Hole } from "./holes.ts";

/** The damaged answer for a hole; `undefined` where the damage is impossible. */
type Answer = (hole: Hole) => string | undefined;

/** Sentences before and after a completion. */
const openers = [
  "Sure! Here's the code that goes there:",
  "Here you go:",
  "The completion is:",
  "The code that should be inserted is:",
  "Certainly! Here's the completed function:",
  "Based on the surrounding code, here's the completion:",
  "To fill in the gap:",
  "**Completed code:**",
  "You can complete it like this:",
  "I have completed the code for you:",
  "好的，下面是补全后的代码：",
  "これが補完コードです：",
  "Вот недостающий код:",
];
const endings = [
  "This completes the function and returns the result.",
  "Let me know if you'd like me to explain anything!",
  "Hope this helps!",
  "Feel free to adjust the names as needed.",
  "**Explanation:** The code above adds the missing branch.",
  "Note that I kept the original indentation.",
  "I've added the missing statement and kept the formatting.",
  "Would you like me to add tests for this?",
  "这段代码完成了函数的剩余部分。",
  "Этот код завершает функцию.",
];
const refusals = [
  "I'm sorry, but I can't help with that.",
  "I can't determine what should go here without more context.",
  "Not enough context.",
  "It is not clear what the code should do here.",
  "Could you please provide more context?",
  "As a language model, I can't do that.",
  "No completion needed.",
  "The code is already complete.",
  "NO_COMPLETION",
  "抱歉，我无法补全这段代码。",
];
/** Cursor marks of prompts, tags around completions, and tokens at the end of an answer. */
const markers =
  "<|CURSOR|> [CURSOR] <cursor/> {{CURSOR}} <<<CURSOR>>> <FILL_ME> <｜fim▁hole｜> __CURSOR__ <|user_cursor_is_here|> <COMPLETION_HERE> [MASK] <extra_id_0>".split(
    " ",
  );
const tags = "insert output fill response fim_middle code_completion text_to_insert final_answer snippet".split(" ");
const lastTokens = "<|endoftext|> <|im_end|> <|eot_id|> <｜end▁of▁sentence｜> <EOT> <end_of_turn>".split(" ");

/** All unwanted additions. */
export const additions: readonly string[] = [
  ...openers,
  ...endings,
  ...markers,
  ...lastTokens,
  ...tags.flatMap((name) => [`<${name}>`, `</${name}>`]),
];

/** Damages of a right answer, by their names in messages of failed tests. */
export const damages: Readonly<Record<string, Answer>> = {
  none: ({ text }) => text,
  "fence with a language": (hole) => fenced(hole),
  "fence that does not end": ({ text }) => `\`\`\`\n${text}`,
  "fence with a path": (hole) => fenced({ ...hole, languageId: "src/lib/a.ts" }),
  "fence after a sentence": (hole) => `${oneOf(hole, openers)}\n${fenced(hole)}`,
  "fence before a sentence": (hole) => `${fenced(hole)}\n\n${oneOf(hole, endings)}`,
  "fence around the echo of both sides": (hole) => {
    const end = withAfter(hole, 2);
    return end === undefined ? undefined : fenced({ ...hole, text: linesBefore(hole, 5) + end });
  },
  tag: (hole) => tagged(hole, "completion"),
  "tag on lines": (hole) => tagged({ ...hole, text: `\n${hole.text}\n` }, "completion"),
  "any tag": (hole) => tagged(hole, oneOf(hole, tags)),
  "tag between sentences": (hole) => {
    const answer = tagged(hole, "completion");
    return answer === undefined ? undefined : `Let me think.\n\n${answer}\n\n${oneOf(hole, endings)}`;
  },
  "thoughts before": ({ text }) => `<think>\nThe user wants code.\n</think>\n${text}`,
  "sentence before": (hole) => `${oneOf(hole, openers)}\n\n${hole.text}`,
  "sentences on both sides": ({ text }) =>
    `Here's the code to insert at the cursor:\n\n${text}\n\nThis will complete the code.`,
  "a heading and a list after": ({ languageId, text }) =>
    languageId === "markdown"
      ? undefined
      : `${text}\n\n### Explanation\n\n1. It does what is missing.\n2. Nothing else.`,
  "marker after the line's start": (hole) => marked(hole, (mark) => lineOf(hole) + mark + hole.text, "{{FILL_HERE}}"),
  "any marker at the end": (hole) => marked(hole, (mark) => hole.text + mark),
  "any marker, with both sides": (hole) =>
    marked(hole, (mark) => `${linesBefore(hole, 3)}${mark}${hole.text}${mark}${linesAfter(hole, 2)}`),
  "any last token": (hole) => hole.text + oneOf(hole, lastTokens),
  "echo of the line": (hole) => (lineOf(hole).trim() === "" ? undefined : lineOf(hole) + hole.text),
  "echo of the line without indentation": (hole) =>
    lineOf(hole).trim() === "" ? undefined : lineOf(hole).trimStart() + hole.text,
  "the function from its start": (hole) => linesBefore(hole, 20) + hole.text,
  "echo of four lines after": (hole) => withAfter(hole, 4),
  "the whole function": (hole) => linesBefore(hole, 12) + (withAfter(hole, 12) ?? hole.text),
  "closers that follow": ({ text, suffix }) => {
    const closers = /^\s*(?:[)\]}"';,]+|<\/\w+>)(?:\s*[)\]};]+)*/.exec(suffix)?.[0];
    return closers === undefined ? undefined : text + closers;
  },
  "indentation of the first line": (hole) =>
    lineOf(hole).trim() === "" && lineOf(hole) !== "" ? lineOf(hole) + hole.text : undefined,
  "common indentation lost": ({ text }) => {
    const [first = "", ...rest] = text.split("\n");
    const indents = rest.filter((line) => line.trim() !== "").map((line) => /^[ \t]*/.exec(line)?.[0].length ?? 0);
    const least = Math.min(...indents);
    if (indents.length === 0 || least === 0) return undefined;
    return [first.trimStart(), ...rest.map((line) => line.slice(least))].join("\n");
  },
  "first line without indentation": (hole) =>
    lineOf(hole) === "" && /^[ \t]/.test(hole.text) ? hole.text.trimStart() : undefined,
  "base indentation doubled": (hole) => {
    const base = /^[ \t]*/.exec(lineOf(hole))?.[0] ?? "";
    return base !== "" && hole.text.includes("\n") ? hole.text.replace(/\n(?=.)/g, `\n${base}`) : undefined;
  },
  "last line again and again": ({ text }) => text + `\n${text.trimEnd().split("\n").at(-1) ?? ""}`.repeat(12),
  "all again and again": ({ text }) => `${text}\n`.repeat(6),
  CRLF: ({ text }) => text.replaceAll("\n", "\r\n"),
  "blank lines before": ({ text }) => `\n\n\n${text}`,
  "fence in a tag": (hole) => tagged({ ...hole, text: `\n${fenced(hole)}\n` }, "completion"),
  "the whole file": ({ prefix, text, suffix }) =>
    prefix.length + suffix.length > 30_000 ? undefined : prefix + text + suffix,
};

/** Answers without a completion. */
export const hopeless: Readonly<Record<string, Answer>> = {
  "a refusal": (hole) => oneOf(hole, refusals),
  "a refusal in a fence": (hole) => fenced({ ...hole, languageId: "", text: oneOf(hole, refusals) }),
  "a refusal in a tag": (hole) => `<completion>${oneOf(hole, refusals)}</completion>`,
  "only what introduces a completion": (hole) => `${oneOf(hole, openers)}\n`,
  "only a sentence": ({ languageId, prefix }) =>
    /^(?:markdown|html|yaml|php)$/.test(languageId) ||
    /["'`*#]|\/\//.test(prefix.slice(prefix.lastIndexOf("\n"))) ||
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

/** One of several, the same for a hole in each run. */
function oneOf({ prefix, text }: Hole, list: readonly string[]): string {
  return list[(prefix.length + 7 * text.length) % list.length] ?? "";
}

function fenced({ languageId, text }: Hole): string {
  return `\`\`\`${languageId}\n${text}\n\`\`\``;
}

function tagged({ prefix, text, suffix }: Hole, name: string): string | undefined {
  return (prefix + suffix).includes(`<${name}`) ? undefined : `<${name}>${text}</${name}>`;
}

/** The answer with a marker, unless the file has the same text. */
function marked(hole: Hole, answer: (mark: string) => string, mark = oneOf(hole, markers)): string | undefined {
  return (hole.prefix + hole.text + hole.suffix).includes(mark) ? undefined : answer(mark);
}

/** The line before the cursor. */
function lineOf({ prefix }: Hole): string {
  return prefix.slice(prefix.lastIndexOf("\n") + 1);
}

function linesBefore({ prefix }: Hole, count: number): string {
  return prefix.split("\n").slice(-count).join("\n");
}

function linesAfter({ suffix }: Hole, count: number): string {
  return suffix.split("\n", count + 1).join("\n");
}

/** The right answer and what stands after it. */
function withAfter(hole: Hole, count: number): string | undefined {
  const end = linesAfter(hole, count);
  return end.trim() === "" ? undefined : hole.text + end;
}

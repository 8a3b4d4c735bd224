/** Code around a cursor, and what a completion there should be. */
export interface Hole {
  readonly languageId: string;
  readonly prefix: string;
  readonly text: string;
  readonly suffix: string;
}

/** Each begins with its language, and has what is completed between « and ». */
export const holes: readonly Hole[] = [
  "typescript: function total(items: Item[]) {\n  let sum = 0;\n  for (const item of items) {\n    «sum += item.price * item.count;»\n  }\n  return sum;\n}\n",
  'typescript: print("(", «people.map((person) => person.name)»);\nend();\n',
  "typescript: class Cart {\n  add(item: Item) {\n«    this.items.push(item);\n    this.total += item.price;\n»  }\n\n  clear() {\n    this.items = [];\n  }\n}\n",
  "python: def read(path):\n    with open(path) as file:\n        «lines = file.readlines()\n        return [line.strip() for line in lines]»\n\n\ndef write(path, text):\n    pass\n",
  "go: func Sum(values []int) int {\n\ttotal := 0\n\tfor _, value := range values {\n\t\t«total += value»\n\t}\n\treturn total\n}\n",
  'html: <ul>\n  <li>One</li>\n  «<li><a href="/two">Two</a></li>»\n  <li>Three</li>\n</ul>\n',
  "css: .button {\n  color: white;\n  «background: rebeccapurple;\n  padding: 4px 8px;»\n}\n\n.link {\n  color: blue;\n}\n",
  "yaml: jobs:\n  test:\n    steps:\n      «- uses: actions/checkout@v4»\n      - run: npm test\n",
  "php: function greet(string $name): string\n{\n    «return sprintf('Hello, %s!', $name);»\n}\n",
  'shellscript: for file in *.txt; do\n  «wc -l "$file"»\ndone\n',
].map((code) => {
  const [, languageId = "", prefix = "", text = "", suffix = ""] = /^(\w+): ([^]*)«([^]*)»([^]*)$/.exec(code) ?? [];
  return { languageId, prefix, text, suffix };
});

const openers = [
  "Sure! Here's the code that goes there:",
  "Here you go:",
  "The completion is:",
  "The code that should be inserted is:",
  "Based on the surrounding code, here's the completion:",
  "To fill in the gap:",
  "**Completed code:**",
  "You can complete it like this:",
  "I have completed the code for you:",
  "好的，下面是补全后的代码：",
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
const cursorMarks =
  "<|CURSOR|> [CURSOR] <cursor/> {{CURSOR}} <<<CURSOR>>> {{FILL_HERE}} <FILL_ME> <｜fim▁hole｜> __CURSOR__ <|user_cursor_is_here|> <COMPLETION_HERE> [MASK] <extra_id_0>".split(
    " ",
  );
const tags =
  "completion insert output fill response fim_middle code_completion text_to_insert final_answer snippet".split(" ");
const lastTokens = "<|endoftext|> <|im_end|> <|eot_id|> <｜end▁of▁sentence｜> <EOT> <end_of_turn>".split(" ");

/** The answers with one kind of damage that a hole may get. */
type Answers = (hole: Hole) => readonly string[];

export const damages: Readonly<Record<string, Answers>> = {
  "a fence": (hole) => [fenced(hole), fenced({ ...hole, languageId: "src/lib/a.ts" }), `\`\`\`\n${hole.text}`],
  "a fence and a sentence": (hole) => [
    ...openers.map((sentence) => `${sentence}\n${fenced(hole)}`),
    ...endings.map((sentence) => `${fenced(hole)}\n\n${sentence}`),
  ],
  "a fence around the lines on both sides": (hole) => [
    fenced({ ...hole, text: linesBefore(hole, 5) + hole.text + linesAfter(hole, 2) }),
  ],
  "a tag": ({ text }) => tags.flatMap((tag) => [`<${tag}>${text}</${tag}>`, `<${tag}>\n${text}\n</${tag}>`]),
  thoughts: ({ text }) => [`<think>\nThe user wants code.\n</think>\n${text}`],
  "sentences around it": ({ text }) => [
    ...openers.map((sentence) => `${sentence}\n\n${text}`),
    `Here's the code to insert at the cursor:\n\n${text}\n\nThis will complete the code.`,
    `${text}\n\n### Explanation\n\n1. It does what is missing.\n2. Nothing else.`,
  ],
  "a mark of the cursor": (hole) =>
    cursorMarks.flatMap((mark) => [
      hole.text + mark,
      lineOf(hole) + mark + hole.text,
      `${linesBefore(hole, 3)}${mark}${hole.text}${mark}${linesAfter(hole, 2)}`,
    ]),
  "a last token": ({ text }) => lastTokens.map((token) => text + token),
  "lines on both sides": (hole) => [
    linesBefore(hole, 12) + hole.text + linesAfter(hole, 12),
    hole.prefix + hole.text + hole.suffix,
  ],
};

/** Answers without a completion. */
export const hopeless: Readonly<Record<string, Answers>> = {
  "a refusal": () => [
    ...refusals,
    ...refusals.map((refusal) => `\`\`\`\n${refusal}\n\`\`\``),
    ...refusals.map((refusal) => `<completion>${refusal}</completion>`),
  ],
  "only what introduces a completion": () => openers.map((sentence) => `${sentence}\n`),
  nothing: () => ["```\n```", "<completion></completion>", " \n\t\n  ", ""],
  "what follows": ({ suffix }) => {
    const next = suffix.trim().split("\n").slice(0, 3).join("\n");
    return /\w{8}/.test(next) ? [next] : [];
  },
};

function fenced({ languageId, text }: Hole): string {
  return `\`\`\`${languageId}\n${text}\n\`\`\``;
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

import type { Hole } from "./holes.ts";

/** One of several, the same for a hole in each run. */
export function oneOf<T>({ prefix, text }: Hole, list: readonly T[]): T {
  const one = list[(prefix.length + 7 * text.length) % list.length];
  if (one === undefined) throw new Error("Nothing to choose from");
  return one;
}

/** What models say before a completion. */
export const openers: readonly string[] = [
  "Sure! Here's the code that goes there:",
  "Here you go:",
  "The completion is:",
  "The code that should be inserted is:",
  "Certainly! Here's the completed function:",
  "Based on the surrounding code, here's the completion:",
  "To fill in the gap:",
  "**Completed code:**",
  "Completion:",
  "You can complete it like this:",
  "I have completed the code for you:",
  "好的，下面是补全后的代码：",
  "以下是需要插入的代码：",
  "これが補完コードです：",
  "Вот недостающий код:",
];

/** What models say after a completion. */
export const endings: readonly string[] = [
  "This completes the function and returns the result.",
  "Let me know if you'd like me to explain anything!",
  "Hope this helps!",
  "Feel free to adjust the names as needed.",
  "Explanation: the inserted code follows the style of the file.",
  "**Explanation:** The code above adds the missing branch.",
  "Note that I kept the original indentation.",
  "I've added the missing statement and kept the formatting.",
  "Would you like me to add tests for this?",
  "这段代码完成了函数的剩余部分。",
  "Этот код завершает функцию.",
];

/** Marks of the cursor's place in prompts. */
export const markers: readonly string[] = [
  "<|CURSOR|>",
  "[CURSOR]",
  "<cursor/>",
  "{{CURSOR}}",
  "<<<CURSOR>>>",
  "<FILL_ME>",
  "<｜fim▁hole｜>",
  "/* CURSOR */",
  "__CURSOR__",
  "<|user_cursor_is_here|>",
  "<COMPLETION_HERE>",
  "[MASK]",
  "<extra_id_0>",
];

/** Tags around completions. */
export const tags: readonly string[] = [
  "insert",
  "output",
  "fill",
  "response",
  "fim_middle",
  "code_completion",
  "text_to_insert",
  "final_answer",
  "missing_code",
  "snippet",
];

/** Tokens at the end of an answer. */
export const lastTokens: readonly string[] = [
  "<|endoftext|>",
  "<|im_end|>",
  "<|eot_id|>",
  "<｜end▁of▁sentence｜>",
  "<EOT>",
  "<end_of_turn>",
];

/** Answers that say that there is no completion. */
export const refusals: readonly string[] = [
  "I'm sorry, but I can't help with that.",
  "I can't determine what should go here without more context.",
  "Not enough context.",
  "It is not clear what the code should do here.",
  "Could you please provide more context?",
  "As a language model, I can't do that.",
  "No completion",
  "No completion needed.",
  "The code is already complete.",
  "NO_COMPLETION",
  "<empty/>",
  "抱歉，我无法补全这段代码。",
  "此处无需补全代码。",
];

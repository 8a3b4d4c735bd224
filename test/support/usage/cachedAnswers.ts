/** The tokens of an answer; the cached ones are a part of the input. */
interface Counts {
  readonly input: number;
  readonly cached: number;
  readonly output: number;
}

/** A whole answer of chat completions with these counts. */
export function chatUsage({ input, cached, output }: Counts): string {
  return JSON.stringify({
    choices: [{ index: 0, message: { role: "assistant", content: "Done." }, finish_reason: "stop" }],
    usage: {
      prompt_tokens: input,
      prompt_tokens_details: { cached_tokens: cached },
      completion_tokens: output,
      total_tokens: input + output,
    },
  });
}

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

/** A whole answer of responses with these counts. */
export function responsesUsage({ input, cached, output }: Counts): string {
  return JSON.stringify({
    status: "completed",
    output: [{ type: "message", role: "assistant", content: [{ type: "output_text", text: "Done." }] }],
    usage: {
      input_tokens: input,
      input_tokens_details: { cached_tokens: cached },
      output_tokens: output,
      total_tokens: input + output,
    },
  });
}

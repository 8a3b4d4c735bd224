import type { FinishReason } from "../types.ts";

/**
 * Finish reasons of services, in lowercase: OpenAI, Azure, Gemini, Anthropic, Mistral, DeepSeek, Zhipu, vLLM, SGLang,
 * llama.cpp and text-generation-inference. The first match counts.
 */
const forms: readonly (readonly [reason: FinishReason | "failed", form: RegExp])[] = [
  [
    "contentFilter",
    /filter|safety|sensitive|moderat|block|prohibit|recitation|toxic|spii|guardrail|refus|polic|violation/,
  ],
  ["failed", /error|fail|cancel|abort|malformed|timeout|insufficient|interrupt|disconnect/],
  ["length", /length|max|limit|context_window|too_long/],
  ["toolCalls", /tool|function/],
  [
    "stop",
    /^(?:stop(?:ped|_?(?:sequence|token|word|string)s?)?|eo[sdt](?:_?token|_?id)?|end(?:_?turn|_?of_?\w+|ed)?)$/,
  ],
  ["stop", /^(?:complete|completed|finish|finished|done|success|succeeded|normal|ok)$/],
];

/** The meaning of a finish reason; `undefined` if it is unknown. */
export function meaningOf(reason: string): FinishReason | "failed" | undefined {
  const words = reason
    .slice(0, 100)
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, "_");
  return forms.find(([, form]) => form.test(words))?.[0];
}

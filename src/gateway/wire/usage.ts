import type { Usage } from "../types.ts";
import { asCount, asObject } from "./json.ts";

/** Token counts, under the names of either style of answer; `undefined` where the gateway sends none. */
export function readUsage(value: unknown): Usage | undefined {
  const usage = asObject(value);
  const inputTokens = asCount(usage?.input_tokens) ?? asCount(usage?.prompt_tokens);
  const outputTokens = asCount(usage?.output_tokens) ?? asCount(usage?.completion_tokens);
  if (inputTokens === undefined || outputTokens === undefined) return undefined;
  return { inputTokens, outputTokens, totalTokens: asCount(usage?.total_tokens) ?? inputTokens + outputTokens };
}

import { asText, type JsonObject } from "../../base/json.ts";
import type { ModelLimit } from "../types.ts";
import { fieldIn, messageIn } from "./errorDetails.ts";

/** Codes and types of errors about the length of a prompt, as OpenAI-compatible services spell them. */
const codes: ReadonlySet<string> = new Set([
  "context_length_exceeded", // OpenAI, Azure, Groq
  "context_window_exceeded",
  "contextwindowexceedederror", // LiteLLM
  "model_max_prompt_tokens_exceeded", // GitHub Copilot
  "tokens_limit_reached", // GitHub Models
]);

/** Codes for any value that is too long. They count only for the texts of the prompt. */
const codesOfAnyField = /^(?:string|array)_above_max_length$/;

/** Fields with the prompt, and names inside it that are not its text. */
const promptField = /^(?:body\.)?(?:messages|input|input_tokens|prompt|instructions|contents?)(?:[.[]|$)/;
const shortField = /(?:^|[.\]])(?:name|role|id|call_id|tool_call_id|type)$/;

/** Messages without such a code. Repetitions are bounded, so that matching takes linear time. */
const tooLong: readonly RegExp[] = [
  /\b(?:maximum|max) (?:context (?:length|size|window)|(?:prompt|input) length)\b|\bmodel token limit\b/i,
  /\b(?:longer|larger) than\b[^.!?]{0,40}\bcontext[ _-](?:length|window|size)\b/i,
  /\bexceed\w{0,3}\b[^.!?]{0,80}\bcontext[ _-](?:length|window|size|limit)\b/i,
  /\bcontext[ _-](?:length|window|size|limit)\b[^.!?]{0,40}\b(?:exceed|too (?:long|large)|overflow)/i,
  /\b(?:prompt|input|conversation|messages)(?: [\w(),]{1,20}){0,6}? too (?:long|large)\b/i,
  /\b(?:input|prompt)\b[^.!?]{0,60}\bexceed\w{0,3}\b[^.!?]{0,60}\b(?:limit|maximum|allowed)\b/i,
  /'(?:messages|input|prompt)(?:[.[][\w.[\]]{0,40})?': (?:string|array) too long\b/i,
  /上下文.{0,30}(?:超|过长|太长|上限)|超.{0,20}上下文/,
  /(?:输入|提示词?|prompt|消息|对话).{0,20}(?:过长|超长|太长)/i,
  /(?:输入|提示词?|prompt|消息|对话).{0,30}超.{0,20}(?:限|最大)/i,
  /token.{0,12}超.{0,12}(?:模型|最大|上限)/i,
];

/** Messages about something else: the length of the answer, a rate, a quota, or an id. */
const otherCauses =
  /max_(?:completion_|output_)?tokens['"` ]{0,3}(?:or\b.{0,30})?(?:is|must|should)\b|\bper[ -](?:min|hour|day|second)|\brate limit|\bquota\b|\b[TR]PM\b|每分钟|每天|频率|额度|配额|余额|'[\w.[\]]{0,60}(?:name|id)': string too long/i;

/** A model's limit in an error. */
export type TokenLimit = Omit<ModelLimit, "model">;

/**
 * The limit in an error about a prompt that is too long, if it names one; `undefined` if its layers are about something
 * else. Messages without a code count only if `readsMessages`: if the error has no other clear cause.
 */
export function promptLengthIn(layers: readonly JsonObject[], readsMessages: boolean): Partial<TokenLimit> | undefined {
  for (const layer of layers) {
    const message = messageIn(layer) ?? "";
    const ownCodes = [layer.code, layer.type].flatMap((code) => asText(code)?.trim().toLowerCase() ?? []);
    if (ownCodes.some((code) => codes.has(code))) return limitIn(message);
    const field = fieldIn(layer) ?? /'([\w.[\]]{1,80})': (?:string|array) too/.exec(message)?.[1];
    const isPrompt = field === undefined || (promptField.test(field) && !shortField.test(field));
    // The numbers are those of characters or messages, not of tokens.
    if (ownCodes.some((code) => codesOfAnyField.test(code))) return field !== undefined && isPrompt ? {} : undefined;
    if (!isPrompt || otherCauses.test(message)) return undefined;
    if (readsMessages && tooLong.some((pattern) => pattern.test(message))) return limitIn(message);
  }
  return undefined;
}

/** Plausible limits, in tokens. Lower numbers are codes, such as MiniMax's `context window exceeds limit (2013)`. */
const minLimit = 4_000;
const maxLimit = 100_000_000;

/** A number of tokens, such as `272000` or `128,000`, but not a part of another number or word. */
const numberForm = String.raw`(?<![\w.-])(\d[\d,]{0,14})(?![\w-])`;

/** The gap between words and their number, in the same sentence. */
const gap = String.raw`[^\d.;。；]{0,40}`;

/** Forms in which errors name a limit, most specific first. */
const limitForms: readonly (readonly [limits: TokenLimit["limits"], form: RegExp])[] = [
  // "maximum context length is 272000 tokens", "context window of 128,000"
  ["context", new RegExp(String.raw`(?:\bcontext[ _-](?:length|window|size|limit)|上下文)${gap}${numberForm}`, "i")],
  // "Max size: 8000 tokens"
  ["input", new RegExp(String.raw`\bmax(?:imum)? (?:size|input|prompt)${gap}${numberForm}`, "i")],
  // "exceeds the limit of 90000", "exceeds the maximum number of tokens allowed (1048576)"
  ["input", new RegExp(String.raw`\bexceed\w{0,3}\b${gap}${gap}${numberForm}`, "i")],
  ["input", new RegExp(String.raw`(?:超过|超出|上限|最大|限制)${gap}${numberForm}`, "i")],
];

/** The limit that an error names, if it is plausible. Reads untrusted text in linear time. */
function limitIn(message: string): Partial<TokenLimit> {
  if (otherCauses.test(message)) return {};
  for (const [limits, form] of limitForms) {
    const found = form.exec(message)?.[1];
    if (found === undefined) continue;
    const tokenLimit = Number(found.replaceAll(",", ""));
    return tokenLimit >= minLimit && tokenLimit <= maxLimit ? { tokenLimit, limits } : {};
  }
  return {};
}

import { asCount, asText, type JsonObject } from "../../base/json.ts";
import type { ModelLimit } from "../types.ts";
import { messageIn } from "./errorDetails.ts";

/** Codes and types of errors about the length of a prompt, as OpenAI-compatible services spell them. */
const codes: ReadonlySet<string> = new Set([
  "context_length_exceeded", // OpenAI, Azure, Groq
  "context_window_exceeded",
  "contextwindowexceedederror", // LiteLLM
  "exceed_context_size_error", // llama.cpp
  "model_max_prompt_tokens_exceeded", // GitHub Copilot
  "request_too_large", // Anthropic
  "tokens_limit_reached", // GitHub Models
]);

/** Codes for any value that is too long. Only the prompt's own texts count. */
const codesOfAnyField = /^(?:string|array)_above_max_length$/;

/** Fields with the prompt, and names inside of it that are not its text. */
const promptField = /^(?:body\.)?(?:messages|input|input_tokens|prompt|instructions|contents?)(?:[.[]|$)/;
const shortField = /(?:^|[.\]])(?:name|role|id|call_id|tool_call_id|type)$/;

/** Texts in place of a code. Each of them has a bounded length, so that they take linear time. */
const tooLong: readonly RegExp[] = [
  /\b(?:maximum|max) context (?:length|size|window)\b/i,
  /\bexceed\w{0,3}\b[^.!?]{0,80}\bcontext[ _-](?:length|window|size|limit)\b/i,
  /\bcontext[ _-](?:length|window|size|limit)\b[^.!?]{0,40}\b(?:exceed|too (?:long|large)|overflow)/i,
  /\b(?:prompt|input|conversation|messages)(?: [\w(),]{1,20}){0,6}? too (?:long|large)\b/i,
  /\brequest (?:body |entity |payload )?(?:is )?too large\b/i,
  /\blonger than the (?:model's context|maximum (?:model|context|input))/i,
  /\b(?:input|prompt)\b[^.!?]{0,60}\bexceed\w{0,3}\b[^.!?]{0,60}\b(?:limit|maximum|allowed)\b/i,
  /\bexceed\w{0,3}\b[^.!?]{0,20}\b(?:model|max(?:imum)?) (?:token limit|message tokens|input)\b/i,
  /\bmodel max length exceeded\b|\btoken length exceed model limit\b/i,
  /\brange of input length should be\b/i,
  /\breduce (?:the )?(?:length|size) of (?:the |your )?(?:messages|prompt|input)\b|\breduce your prompt\b/i,
  /'(?:messages|input|prompt)(?:[.[][\w.[\]]{0,40})?': (?:string|array) too long\b/i,
  /上下文.{0,30}(?:超|过长|太长|上限)|超.{0,20}上下文/,
  /(?:输入|提示词?|prompt|消息|对话).{0,20}(?:过长|超长|太长)/i,
  /(?:输入|提示词?|prompt|消息|对话).{0,30}超.{0,20}(?:限|最大)/i,
  /token.{0,12}超.{0,12}(?:模型|最大|上限)/i,
];

/** Texts about something else: the length of the answer, a rate, a quota, or an id. */
const otherwise =
  /max_(?:completion_|output_)?tokens['"` ]{0,3}(?:or\b.{0,30})?(?:is|must|should)\b|\bper[ -](?:min|hour|day|second)|\brate limit|\bquota\b|\b[TR]PM\b|每分钟|每天|频率|额度|配额|余额|'[\w.[\]]{0,60}(?:name|id)': string too long/i;

/** Maximum number of characters that are read of an error's texts. */
const lookedAt = 4_000;

/** A model's limit, as an error names it. */
type TokenLimit = Omit<ModelLimit, "model">;

export interface PromptLength extends Partial<TokenLimit> {
  readonly tokensAsked?: number | undefined;
}

/**
 * What the layers of an error say about a prompt that is too long; `undefined` if it is about something else. Codes
 * decide, and words only where `areWordsClear`: where nothing else tells the cause.
 */
export function promptLengthIn(layers: readonly JsonObject[], areWordsClear: boolean): PromptLength | undefined {
  for (const layer of layers) {
    const words = (messageIn(layer) ?? "").slice(0, lookedAt);
    const ownCodes = [layer.code, layer.type].flatMap((code) => asText(code)?.trim().toLowerCase() ?? []);
    if (ownCodes.some((code) => codes.has(code))) return numbersIn(layer, words);
    const field =
      asText(layer.param) ?? asText(layer.field) ?? /'([\w.[\]]{1,80})': (?:string|array) too/.exec(words)?.[1];
    const isPrompt = field === undefined || (promptField.test(field) && !shortField.test(field));
    // These count characters or messages.
    if (ownCodes.some((code) => codesOfAnyField.test(code))) return field !== undefined && isPrompt ? {} : undefined;
    if (!isPrompt || otherwise.test(words)) return undefined;
    if (areWordsClear && tooLong.some((pattern) => pattern.test(words))) return numbersIn(layer, words);
  }
  return undefined;
}

/** The numbers in an error about the length of a prompt. llama.cpp has fields for them (ggml-org/llama.cpp#15780). */
function numbersIn(fields: JsonObject, words: string): PromptLength {
  const size = tokenLimitIn(`context size ${String(asCount(fields.n_ctx) ?? "")}`);
  const limit = size ?? (otherwise.test(words) ? undefined : tokenLimitIn(words));
  const asked = asCount(fields.n_prompt_tokens) ?? (limit && tokensAbove(limit.tokenLimit, words));
  // A limit that the prompt keeps is not the cause.
  const isCause = asked === undefined || limit === undefined || asked > limit.tokenLimit;
  return { ...(isCause && limit), tokensAsked: asked };
}

/** The first number of tokens in an error that is above its limit. */
function tokensAbove(limit: number, words: string): number | undefined {
  const sum = /(?<!\d)(\d{3,9}) \+ (\d{3,9}) >/.exec(words);
  if (sum) return Number(sum[1]) + Number(sum[2]);
  const numbers = words.matchAll(/(?<![\w.])\d[\d,]{3,12}(?![\w-])/g);
  return [...numbers]
    .map(([number]) => Number(number.replaceAll(",", "")))
    .find((number) => number > limit && number < 1e9);
}

/** Plausible limits, in tokens. */
const least = 1_000;
const most = 100_000_000;

/** A number of tokens, such as `272000`, `128,000` or `128k`, and no part of another number or word. */
const number = String.raw`(?<![\w.-])(\d[\d,_]{0,14}[km]?)(?![\w-])`;

/** What may stand between words and their number, in the same sentence. */
const gap = String.raw`[^\d.;。；]{0,40}`;

/** Where errors name a limit, most specific first. */
const forms: readonly (readonly [limits: TokenLimit["limits"], form: RegExp])[] = [
  // "input length and max_tokens exceed context limit: 199759 + 8192 > 200000"
  ["context", new RegExp(String.raw`\d \+ \d{1,12} > ${number}`, "i")],
  // "maximum context length is 272000 tokens", "context window of 128,000", "context size (8192 tokens)"
  ["context", new RegExp(String.raw`\bcontext[ _-](?:length|window|size|limit)${gap}${number}`, "i")],
  // "longer than the maximum model length of 4096", "max length:8192", "model token limit: 8192"
  [
    "context",
    new RegExp(String.raw`\b(?:maximum model|model max|model token|max) (?:length|limit)${gap}${number}`, "i"),
  ],
  ["context", new RegExp(String.raw`上下文${gap}${number}`, "i")],
  // "1000788 tokens > 1000000 maximum"
  ["input", new RegExp(String.raw`\btokens > ${number}`, "i")],
  // "Range of input length should be [1, 30720]"
  ["input", new RegExp(String.raw`\binput length should be \[\d{1,9}, ?${number}`, "i")],
  // "Max size: 8000 tokens"
  ["input", new RegExp(String.raw`\bmax(?:imum)? (?:size|input)${gap}${number}`, "i")],
  // "exceeds the limit of 90000", "exceeds the maximum number of tokens allowed (1048576)"
  ["input", new RegExp(String.raw`\bexceed\w{0,3}\b${gap}${gap}${number}`, "i")],
  ["input", new RegExp(String.raw`(?:超过|超出|上限|最大|限制)${gap}${number}`, "i")],
];

/** The limit that an error names, if it is plausible. Reads untrusted text in linear time. */
function tokenLimitIn(words: string): TokenLimit | undefined {
  for (const [limits, form] of forms) {
    const found = form.exec(words)?.[1];
    if (found === undefined) continue;
    const tokenLimit = valueOf(found);
    return tokenLimit >= least && tokenLimit <= most ? { tokenLimit, limits } : undefined;
  }
  return undefined;
}

function valueOf(text: string): number {
  const unit = { k: 1_000, m: 1_000_000 }[text.at(-1)?.toLowerCase() ?? ""] ?? 1;
  return Number(text.replace(/\D/g, "")) * unit;
}

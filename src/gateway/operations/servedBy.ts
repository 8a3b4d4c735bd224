import type { GatewayError, GatewayErrorKind } from "../errors.ts";
import type { TextApi } from "../types.ts";

/** What an API does not serve: a model at all, or only questions with tools. */
export type Unserved = "model" | "tools";

/** The question that was refused. */
export interface RefusedQuestion {
  readonly api: TextApi;
  readonly model: string;
  readonly hasTools: boolean;
  /** The undocumented fields it used. */
  readonly fields: readonly string[];
}

/** Kinds of failures whose words count. Keys, permissions and rate limits have causes of their own. */
const kinds: ReadonlySet<GatewayErrorKind> = new Set([
  "rejected",
  "notFound",
  "modelNotFound",
  "serverError",
  "overloaded",
  "badGateway",
]);

/** Fields that the other API may take, as in "Function tools with reasoning_effort are not supported". */
const movable: ReadonlySet<string> = new Set(["tools", "reasoning_effort"]);

/**
 * What a gateway says it serves through the other API only; `undefined` if it does not say so. The words are those of
 * OpenAI, Azure and Copilot, and of gateways in front of them, for example BerriAI/litellm, Wei-Shaw/sub2api#885 and
 * caozhiyuan/copilot-api#102. A missing path (404) says nothing about a model.
 */
export function unservedBy(failure: GatewayError, question: RefusedQuestion): Unserved | undefined {
  const { kind, cause, page, field, gatewayMessage = "", code = "" } = failure;
  // A cause means a network failure, a page a proxy in front of the gateway.
  if (cause !== undefined || page !== undefined || !kinds.has(kind)) return undefined;
  const isOther = field !== undefined && question.fields.includes(field) && !movable.has(field);
  if (isOther) return undefined;
  const { api, model, hasTools } = question;
  const isSaid = codes.test(code) || sayings[api].some((pattern) => pattern.test(gatewayMessage));
  const isRefused = !fieldWords.test(gatewayMessage) && refusals[api].some((pattern) => pattern.test(gatewayMessage));
  const isModel = field === "model" || gatewayMessage.toLowerCase().includes(model.toLowerCase());
  if (!isSaid && !isRefused && !(kind === "notFound" && isModel)) return undefined;
  return hasTools && aboutTools.test(`${field ?? ""} ${gatewayMessage}`) ? "tools" : "model";
}

const codes =
  /^(?:unsupported_api_for_model|unsupported_(?:endpoint|protocol)\w*|(?:api|endpoint|operation|protocol)_?not_?supported\w*)$/i;

const aboutTools = /\btools?\b|\bfunction[\s_-]?call|工具|函数调用/i;

/** Words of a refusal that is about a field. */
const fieldWords = /\b(?:parameter|argument|field|property)s?\b|参数|字段/i;

/** How messages name the APIs. */
const names: Record<TextApi, string> = {
  chatCompletions: String.raw`chat[\s/_.-]{0,2}completions?`,
  responses: String.raw`(?:(?:\/|\bv1\/|["'${"`"}“「])responses\b|\bresponses?[\s_-]{0,2}(?:api|endpoint|operation|protocol|format|接口|格式|协议|端点)|(?<=\b(?:via|through)\s(?:the\s)?)responses\b)`,
};

/** "only …", "please use …", "请使用 …" and the like. */
const direction = String.raw`(?:\b(?:only|us(?:e|ed|ing)|try|requir(?:e|es|ed|ing)|needs?|via|through|switch|migrate|call)\b|使用|改用|请用|仅|只|必须)`;

/** "not supported" and the like, within a sentence. */
const refused = String.raw`(?:(?:\bnot\b|n't\b|\bcannot\b)[^\n]{0,24}(?:support|accessib|compatib|\bwork|\bused?\b)|\b(?:unsupported|incompatible)\b|不支持|不兼容|不能使用|无法使用|不可用)`;

/** The words that point from an API to the other one. */
function pointingTo(name: string, other: string): RegExp {
  const between = String.raw`(?:(?!\bnot\b|n't\b|不|${other})[^\n]){0,80}?`;
  const after = String.raw`[^\n.。]{0,20}\b(?:instead|only)\b`;
  return new RegExp(`${direction}${between}${name}|${name}${after}`, "i");
}

/** The words with which an API refuses a model. */
function refusedBy(name: string, other: string): RegExp {
  const between = String.raw`(?:(?!${other}|[.。;]\s)[^\n]){0,80}?`;
  return new RegExp(`${name}${between}${refused}|${refused}${between}${name}`, "i");
}

const sayings: Record<TextApi, readonly RegExp[]> = {
  chatCompletions: [
    pointingTo(names.responses, names.chatCompletions),
    /\bnot a chat model\b|(?:不是|非)(?:聊天|对话)模型/i,
    /\bunsupported_api_for_model\b/,
  ],
  responses: [pointingTo(names.chatCompletions, names.responses), /\bunsupported_api_for_model\b/],
};

const refusals: Record<TextApi, readonly RegExp[]> = {
  chatCompletions: [
    refusedBy(names.chatCompletions, names.responses),
    /\brequested operation is (?:unsupported|not supported)\b/i,
  ],
  responses: [refusedBy(names.responses, names.chatCompletions)],
};

import type { GatewayError, GatewayErrorKind } from "../errors.ts";
import { isReasoningEffort } from "../models.ts";
import type { TextApi } from "../types.ts";

/** The subject of a rejection: a field the gateway names, or unclear. */
export type Refusal = NamedField | "unclear";

/**
 * A field that a gateway rejects by name. `isForm`: it wants a string in place of a list, whatever the list. `isGuess`: it
 * named nothing, but the field is what this request has and others have not.
 */
export interface NamedField {
  readonly field: string;
  readonly isForm: boolean;
  readonly isGuess?: boolean;
}

/** Statuses with which services reject the form of a request. */
const statuses: ReadonlySet<number | undefined> = new Set([400, 422, 501]);

/** Codes for the same inside a 200. */
const codes = /^(400|422|501|bad_request|(invalid|unknown|unsupported|unrecognized)_[a-z_]+)$/i;

/**
 * Codes and words about a length that is not clearly the prompt's, such as that of an answer or a list. (That of the
 * prompt is a kind of its own: see `promptLength.ts`.) Leaving out a field would only hide the cause.
 */
const tooLong = [
  /context[_ -]?(length|size|window|limit)|exceed_context|maximum context|above_max_length/i,
  /\btoo (long|many|large)\b|reduce the length/i,
  /\btokens?\b.{0,80}\b(exceed|limit|maximum)|\b(exceed|limit|maximum).{0,80}\btokens?\b/i,
  /上下文|过长|超长|token.{0,20}(超|上限)/i,
];

/** Messages about an invalid tool, as opposed to tools being unsupported. */
const brokenTool = /\b(duplicate|pattern|schema|must|at (least|most)|empty|expected|missing|required)\b/i;

/** Undocumented properties of a message or an item, which can be expressed without them. */
const elementForm: Readonly<Record<string, RegExp>> = {
  messages: /\.(role|name|tool_calls|tool_call_id)\b/,
  input: /\.(role|name|type|status|id|call_id|arguments|output)\b/,
};

/** Words with which services ask for a string, or reject a list, in place of `input`. */
const wantsString = /\bstr(?:ing)?\b|\b(?:array|list)\b|字符串|数组|列表/i;

/** The field with the reasoning effort, which responses call `reasoning.effort`. */
const effort = "reasoning_effort";

/** Lists whose elements may be at fault without the field being rejected. */
const lists: ReadonlySet<string> = new Set(["messages", "input", "tools", "functions"]);

/** What only some questions have. A rejection that names nothing is most likely about this, the first one before the second. */
const extras = ["items", "images"] as const;

/** What a failure rejects in a request with the undocumented fields `used`; `undefined` if there is nothing to leave out. */
export function refusalOf(failure: GatewayError, used: readonly string[]): Refusal | undefined {
  const extra = extras.find((field) => used.includes(field));
  // A cause means a network failure, not a rejection.
  if (failure.cause !== undefined || !(isRefusal(failure) || (extra && failure.kind === "notFound"))) return undefined;
  const { code = "", field: given, gatewayMessage = "", kind, status } = failure;
  const words = `${code} ${gatewayMessage}`;
  const isTooLong = tooLong.some((pattern) => pattern.test(words));
  const paths = given === undefined ? namesIn(gatewayMessage) : [given];
  // A field that is refused only together with tools is named in the message ("Function tools with reasoning_effort are
  // not supported").
  const isEffort =
    /\breasoning[_.]effort\b/.test(`${given ?? ""} ${gatewayMessage}`) ||
    paths.some((path) => /^(body\.)?reasoning$/.test(path));
  if (isEffort && used.includes(effort)) return { field: effort, isForm: false };
  for (const path of paths) {
    // Pydantic adds the tried type of a union: `input.str`.
    const [field = "", ...inside] = path
      .replace(/^body\./, "")
      .replace(/^input\.str(?:ing)?$/, "input")
      .split(/[.[]/);
    if (lists.has(field)) {
      if (isTooLong || (field === "tools" && brokenTool.test(words))) return undefined;
      if (extra === "items" && field === "input") return { field: extra, isForm: false };
      if (extra === "images" && /\.content\b|image/.test(path)) return { field: extra, isForm: true };
      if (inside.length > 0 && elementForm[field]?.test(path) !== true) return undefined;
    }
    const isForm = field === "input" && inside.length === 0 && wantsString.test(words);
    if (used.includes(field)) return { field, isForm };
  }
  if (extra === "images" && paths.some((path) => path.includes("image"))) return { field: extra, isForm: true };
  if (given !== undefined) return undefined;
  // "Unsupported value: 'xhigh' is not supported with this model."
  if (used.includes(effort) && paths.some(isReasoningEffort)) return { field: effort, isForm: false };
  // Web pages, and errors of unknown form inside a 200, are too vague for a guess.
  const isGuessable = kind === "rejected" && (status !== undefined || codes.test(code));
  if (extra !== undefined && !isTooLong) return { field: extra, isForm: false, isGuess: true };
  return isGuessable && !isTooLong ? "unclear" : undefined;
}

function isRefusal({ kind, status }: GatewayError): boolean {
  return kind === "rejected"
    ? status === undefined || statuses.has(status)
    : kind === "badGateway" && statuses.has(status);
}

/** Names in a message that are quoted or follow a word such as "parameter", in order. */
function namesIn(message: string): readonly string[] {
  const names = message.matchAll(
    /['"`‘“「«]([a-z_][\w.[\]]*)['"`’”」»]|\b(?:parameter|argument|field|property|option)s?(?: supplied)?:? +([a-z_][\w.[\]]*)/gi,
  );
  return [...names].map(([, quoted, said]) => quoted ?? said ?? "");
}

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
  const isSaid = apiCodes.test(code) || sayings[api].some((pattern) => pattern.test(gatewayMessage));
  const isRefused = !fieldWords.test(gatewayMessage) && refusals[api].some((pattern) => pattern.test(gatewayMessage));
  const isModel = field === "model" || gatewayMessage.toLowerCase().includes(model.toLowerCase());
  if (!isSaid && !isRefused && !(kind === "notFound" && isModel)) return undefined;
  return hasTools && aboutTools.test(`${field ?? ""} ${gatewayMessage}`) ? "tools" : "model";
}

const apiCodes =
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

import { GatewayError } from "../errors.ts";
import { isReasoningEffort } from "../models.ts";

/**
 * What a gateway rejects. `field`: a field of the request, if one can be blamed. `mustBeString`: it is required in place of
 * any list. `isNamed`: the gateway names the field, which otherwise is a guess.
 */
export interface Refusal {
  readonly field?: string;
  readonly mustBeString: boolean;
  readonly isNamed: boolean;
}

/** Statuses with which services reject the shape of a request. */
const statuses: ReadonlySet<number | undefined> = new Set([400, 422, 501]);

/** Codes with which services do so inside a 200. */
const codes = /^(400|422|501|bad_request|(invalid|unknown|unsupported|unrecognized)_[a-z_]+)$/i;

/**
 * Codes and words about the length of something other than the prompt, such as an answer or a list. (For the prompt, see
 * `promptLength.ts`.) Omitting a field would only hide the cause.
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

/** Ids of tool calls, which a request can do without. Those of other models may be too long. */
const callId = /\.(?:id|call_id|tool_call_id)$/;

/** The field `strict` of a tool, as opposed to an argument of that name. */
const toolStrict = /^(?:body\.)?tools(?:\.?\[\d+\]|\.\d+)\.strict$/;

/** Words of services that require a string for `input`, or reject a list. */
const requiresString = /\bstr(?:ing)?\b|\b(?:array|list)\b|字符串|数组|列表/i;

/** The field with the reasoning effort, `reasoning.effort` in the Responses API. */
const effort = "reasoning_effort";

/** Lists whose elements may be at fault without the field being rejected. */
const lists: ReadonlySet<string> = new Set(["messages", "input", "tools", "functions"]);

/**
 * Fields that few requests have. A rejection that names no field is most likely about the first of these that the request has.
 */
const rareFields = ["items", "images"] as const;

/** What a failure rejects in a request with the undocumented fields `used`; `undefined` if there is nothing to omit. */
export function refusalOf(failure: GatewayError, used: readonly string[]): Refusal | undefined {
  const { code = "", field: given, gatewayMessage = "", kind, status, tokenLimit } = failure;
  const words = `${code} ${gatewayMessage}`;
  // Images are most of a body that is too large for a server in front of the gateway.
  const isAboutImage = status === 413 || /image|\bvision\b|图[片像]/i.test(`${words} ${given ?? ""}`);
  const rare = (isAboutImage ? rareFields.toReversed() : rareFields).find((field) => used.includes(field));
  // Other messages of this kind are about the path.
  const isMissing = kind === "notFound" && rare !== undefined && (isAboutImage || /item/i.test(gatewayMessage));
  const isTooLarge = kind === "contextTooLong" && rare === "images" && isAboutImage && tokenLimit === undefined;
  // A cause means a network failure, not a rejection.
  if (failure.cause !== undefined || !(isRefusal(failure) || isMissing || isTooLarge)) return undefined;
  const isTooLong = tooLong.some((pattern) => pattern.test(words));
  const paths = given === undefined ? namesIn(gatewayMessage) : [given];
  const isAboutTool = paths.some((path) => /^(?:body\.)?(?:tools|functions)\b/.test(path));
  if (rare === "images" && isAboutImage && !isAboutTool) return named(rare);
  // The message names a field that is rejected only together with tools ("Function tools with reasoning_effort are not
  // supported").
  const isEffort =
    /\breasoning[_.]effort\b/.test(`${given ?? ""} ${gatewayMessage}`) ||
    paths.some((path) => /^(body\.)?reasoning$/.test(path));
  if (isEffort && used.includes(effort)) return named(effort);
  for (const path of paths) {
    // Pydantic adds the tried type of a union: `input.str`.
    const [field = "", ...inside] = path
      .replace(/^body\./, "")
      .replace(/^input\.str(?:ing)?$/, "input")
      .split(/[.[]/);
    if (lists.has(field)) {
      if (toolStrict.test(path)) return named("strict");
      if ((isTooLong && !callId.test(path)) || (field === "tools" && brokenTool.test(words))) return undefined;
      // Only images make the output of a tool more than a text.
      if (used.includes("images") && /\.output\b/.test(path)) return named("images");
      if (rare === "items" && field === "input") return named(rare);
      if (rare === "images" && /\.content\b/.test(path)) return named(rare);
      if (inside.length > 0 && elementForm[field]?.test(path) !== true) return undefined;
    }
    const mustBeString = field === "input" && inside.length === 0 && requiresString.test(words);
    if (used.includes(field)) return named(field, mustBeString);
  }
  if (given !== undefined) return undefined;
  // "Unsupported value: 'xhigh' is not supported with this model."
  if (used.includes(effort) && paths.some(isReasoningEffort)) return named(effort);
  // Web pages, and errors of unknown shape inside a 200, are too vague for a guess.
  const isGuessable = kind === "rejected" && (status !== undefined || codes.test(code));
  if (isTooLong) return undefined;
  if (rare !== undefined) return { field: rare, mustBeString: false, isNamed: false };
  return isGuessable ? { mustBeString: false, isNamed: false } : undefined;
}

function named(field: string, mustBeString = false): Refusal {
  return { field, mustBeString, isNamed: true };
}

function isRefusal({ kind, status }: GatewayError): boolean {
  return kind === "rejected"
    ? status === undefined || statuses.has(status)
    : kind === "badGateway" && statuses.has(status);
}

/** Names in a message, in order: in quotes, after a word such as "parameter", or with underscores, unlike any prose. */
function namesIn(message: string): readonly string[] {
  const names = message.matchAll(
    /['"`‘“「«]([a-z_][\w.[\]]*)['"`’”」»]|\b(?:parameter|argument|field|property|option)s?(?: supplied)?:? +([a-z_][\w.[\]]*)|\b([a-z]+(?:_[a-z]+)+)\b/gi,
  );
  return [...names].map(([, quoted, unquoted, underscored]) => quoted ?? unquoted ?? underscored ?? "");
}

/**
 * Whether a failure rejects the request as such, so that the other API may accept it. A failure with a cause comes from
 * the network, and a page from a proxy in front of the gateway.
 */
export function refusesShape({ kind, status, cause, page }: GatewayError): boolean {
  if (cause !== undefined || page !== undefined) return false;
  return (
    kind === "notFound" || (kind === "rejected" && (status === undefined || status === 405 || statuses.has(status)))
  );
}

/** Whether a request without `stream` is rejected for that, as by the codex channels of new-api (QuantumNous/new-api#5031). */
export function requiresStream(failure: unknown): failure is GatewayError {
  if (!(failure instanceof GatewayError) || !refusesShape(failure)) return false;
  return /\bstream(?:ing)?\b/i.test(`${failure.field ?? ""} ${failure.gatewayMessage ?? ""}`);
}

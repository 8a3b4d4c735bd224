import type { GatewayError } from "../errors.ts";
import { isReasoningEffort } from "../models.ts";

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

/**
 * Whether a failure refuses a question as such, which the other API may take. What has a cause is a network failure, and a
 * page comes from a proxy in front of the gateway.
 */
export function isFormRefusal({ kind, status, cause, page }: GatewayError): boolean {
  if (cause !== undefined || page !== undefined) return false;
  return (
    kind === "notFound" || (kind === "rejected" && (status === undefined || status === 405 || statuses.has(status)))
  );
}

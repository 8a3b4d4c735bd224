import type { GatewayError } from "../errors.ts";

/** What a refusal is about: a field the gateway names, or something it does not say. */
export type Refusal = { readonly field: string } | "unclear";

/** Statuses with which services refuse a request's form. */
const statuses: ReadonlySet<number | undefined> = new Set([400, 422, 501]);

/** Codes with which they do so inside a 200. */
const codes = /^(400|422|501|bad_request|(invalid|unknown|unsupported|unrecognized)_[a-z_]+)$/i;

/** Too long a prompt, in the codes and words of common services. To leave a field out would only hide it. */
const tooLong = [
  /context[_ -]?(length|size|window|limit)|exceed_context|maximum context|above_max_length/i,
  /\btoo (long|many|large)\b|reduce the length/i,
  /\btokens?\b.{0,80}\b(exceed|limit|maximum)|\b(exceed|limit|maximum).{0,80}\btokens?\b/i,
  /上下文|过长|超长|token.{0,20}(超|上限)/i,
];

/** A tool that is not in order, which is no refusal of tools. */
const brokenTool = /\b(duplicate|pattern|schema|must|at (least|most)|empty|expected|missing|required)\b/i;

/** Parts of a message that the interface does not show: without them the message says the same. */
const messageForm = /\.(role|name|tool_calls|tool_call_id)\b/;

/** Fields whose elements may be at fault without the field being refused. */
const lists: ReadonlySet<string> = new Set(["messages", "input", "tools", "functions"]);

/**
 * What a failure refuses of a request that makes use of the undocumented fields `used`. `undefined`: nothing that could
 * be left out, so the request is not worth repeating.
 */
export function refusalOf(failure: GatewayError, used: readonly string[]): Refusal | undefined {
  // A cause is the network's: no gateway has refused anything.
  if (failure.cause !== undefined || !isRefusal(failure)) return undefined;
  const words = `${failure.code ?? ""} ${failure.gatewayMessage ?? ""}`;
  const isTooLong = tooLong.some((pattern) => pattern.test(words));
  for (const path of failure.field === undefined ? namesIn(failure.gatewayMessage ?? "") : [failure.field]) {
    const [field = "", ...inside] = path.replace(/^body\./, "").split(/[.[]/);
    if (lists.has(field)) {
      if (isTooLong || (field === "tools" && brokenTool.test(words))) return undefined;
      if (inside.length > 0 && !(field === "messages" && messageForm.test(path))) return undefined;
    }
    if (used.includes(field)) return { field };
    if (failure.field !== undefined) return undefined;
  }
  // A page, or an error of unknown form inside a 200, says too little to guess.
  const isGuessable = failure.kind === "rejected" && (failure.status !== undefined || codes.test(failure.code ?? ""));
  return isGuessable && !isTooLong ? "unclear" : undefined;
}

function isRefusal({ kind, status }: GatewayError): boolean {
  return kind === "rejected"
    ? status === undefined || statuses.has(status)
    : kind === "badGateway" && statuses.has(status);
}

/** Names that a message quotes, or gives after a word such as "parameter", in their order. */
function namesIn(message: string): readonly string[] {
  const names = message.matchAll(
    /['"`‘“「«]([a-z_][\w.[\]]*)['"`’”」»]|\b(?:parameter|argument|field|property|option)s?(?: supplied)?:? +([a-z_][\w.[\]]*)/gi,
  );
  return [...names].map(([, quoted, said]) => quoted ?? said ?? "");
}

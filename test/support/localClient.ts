import { createGateway, type Tuning } from "../../src/gateway/client.ts";
import { GatewayError } from "../../src/gateway/errors.ts";
import type {
  AnswerPart,
  AnswerOrigin,
  AttemptReport,
  ChatRequest,
  EntryHealth,
  Gateway,
  GatewayOptions,
  GatewaySettings,
  KeyGroup,
  KeyUse,
  ModelLimit,
  Usage,
} from "../../src/gateway/types.ts";
import type { LocalGateway } from "./gateway/gateway.ts";
import { plainSettings } from "./plainSettings.ts";

/** A client of a local gateway. Tests may change `settings` and `keys` at any time, like a user. */
export interface LocalClient {
  readonly gateway: Gateway;
  readonly reports: readonly AttemptReport[];
  readonly answers: readonly AnswerOrigin[];
  readonly usages: readonly Usage[];
  /** The models for which fields were left out, with the fields. */
  readonly left: readonly (readonly [model: string, ...fields: readonly string[]])[];
  /** The questions that the usages are about. */
  readonly counted: readonly (ChatRequest | undefined)[];
  readonly tokenLimits: readonly ModelLimit[];
  /** What was told of the entries' health, each time of both. */
  readonly health: readonly (readonly EntryHealth[])[];
  /** Gives the keys in place of `keys`. */
  key?: GatewayOptions["key"];
  settings: GatewaySettings;
  keys: Readonly<Partial<Record<KeyGroup, string>>>;
}

/** Creates a client whose back-off takes no time. */
export function clientOn(
  { primary, backup, keys }: Pick<LocalGateway, "primary" | "backup" | "keys">,
  tuning: Tuning = {},
): LocalClient {
  const reports: AttemptReport[] = [];
  const answers: AnswerOrigin[] = [];
  const usages: Usage[] = [];
  const left: [string, ...string[]][] = [];
  const counted: (ChatRequest | undefined)[] = [];
  const tokenLimits: ModelLimit[] = [];
  const health: (readonly EntryHealth[])[] = [];
  const client: Omit<LocalClient, "gateway"> = {
    reports,
    answers,
    usages,
    left,
    counted,
    tokenLimits,
    health,
    keys,
    settings: { ...plainSettings, baseUrl: primary.url, backupBaseUrl: backup.url },
  };
  const options = {
    settings: () => client.settings,
    key: (group: KeyGroup, origin: string, use?: KeyUse) =>
      client.key?.(group, origin, use) ?? Promise.resolve(client.keys[group]),
    onHealth: (news: readonly EntryHealth[]) => health.push(news),
    onAttempt: (report: AttemptReport) => reports.push(report),
    onAnswer: (origin: AnswerOrigin) => answers.push(origin),
    onTokenLimit: (limit: ModelLimit) => tokenLimits.push(limit),
    onDropped: (model: string, fields: readonly string[]) => left.push([model, ...fields]),
    onUsage: (usage: Usage, sent?: ChatRequest) => {
      usages.push(usage);
      counted.push(sent);
    },
  };
  return Object.assign(client, { gateway: createGateway(options, { random: () => 0, ...tuning }) });
}

/** A question of the user. */
export function question(content: string, more: Partial<ChatRequest> = {}): ChatRequest {
  return { model: "gpt-5.4", messages: [{ role: "user", content }], ...more };
}

/** Tools that a question may offer. */
export const tools = [{ name: "add", description: "Adds.", inputSchema: { type: "object" } }];

/** Collects all parts of an answer in a list that grows. */
export async function partsOf(
  answer: AsyncIterable<AnswerPart>,
  parts: AnswerPart[] = [],
): Promise<readonly AnswerPart[]> {
  for await (const part of answer) parts.push(part);
  return parts;
}

/** The text in some parts. */
export function textIn(parts: readonly AnswerPart[]): string {
  return parts.map((part) => (part.type === "text" ? part.text : "")).join("");
}

/** Awaits the client error that an operation fails with. */
export async function failureOf(operation: Promise<unknown>): Promise<GatewayError> {
  const error: unknown = await operation.then(
    () => new Error("It succeeded."),
    (reason: unknown) => reason,
  );
  if (error instanceof GatewayError) return error;
  throw error;
}

import { createGateway, type Tuning } from "../../src/gateway/client.ts";
import { GatewayError } from "../../src/gateway/errors.ts";
import type {
  AnswerOrigin,
  AnswerPart,
  AttemptReport,
  ChatRequest,
  EntryHealth,
  Gateway,
  GatewayOptions,
  GatewaySettings,
  KeyGroup,
  Usage,
} from "../../src/gateway/types.ts";
import { type LocalGateway, startGateway } from "./gateway/gateway.ts";
import { plainSettings } from "./plainSettings.ts";

/** A client of a local gateway whose back-off takes no time. Tests may change `settings` and `keys`, like a user. */
export class LocalClient {
  readonly reports: AttemptReport[] = [];
  readonly answers: AnswerOrigin[] = [];
  readonly usages: Usage[] = [];
  /** The models for which fields were left out, with the fields. */
  readonly left: [model: string, ...fields: string[]][] = [];
  /** The questions that the usages are about. */
  readonly counted: (ChatRequest | undefined)[] = [];
  /** The reported health of both entries, each time. */
  readonly health: (readonly EntryHealth[])[] = [];
  /** Gives the keys in place of `keys`. */
  key?: GatewayOptions["key"];
  settings: GatewaySettings;
  keys: Readonly<Partial<Record<KeyGroup, string>>>;
  readonly gateway: Gateway;

  constructor({ primary, backup, keys }: Pick<LocalGateway, "primary" | "backup" | "keys">, tuning: Tuning = {}) {
    this.settings = { ...plainSettings, baseUrl: primary.url, backupBaseUrl: backup.url };
    this.keys = keys;
    const options: GatewayOptions = {
      settings: () => this.settings,
      key: (group, origin, use) => this.key?.(group, origin, use) ?? Promise.resolve(this.keys[group]),
      onEvent: (event) => {
        const { type, ...facts } = event;
        if (type === "attempt") this.reports.push(facts as AttemptReport);
        if (type === "answer") this.answers.push(facts as AnswerOrigin);
        if (event.type === "health") this.health.push(event.health);
        if (event.type === "omitted") this.left.push([event.model, ...event.fields]);
        if (event.type === "use" && event.usage) {
          this.usages.push(event.usage);
          this.counted.push(event.sent);
        }
      },
    };
    this.gateway = createGateway(options, { random: () => 0, ...tuning });
  }
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

/**
 * Hooks of a block of tests that ask one local gateway: each test gets a new client, and the gateway is reset after it.
 * Returns both, which are there while a test runs.
 */
export function withLocalClient(options?: Parameters<typeof startGateway>[0]): {
  readonly local: LocalGateway;
  readonly client: LocalClient;
} {
  const setup = {} as { local: LocalGateway; client: LocalClient };
  before(async () => {
    setup.local = await startGateway(options);
  });
  beforeEach(() => {
    setup.client = new LocalClient(setup.local);
  });
  afterEach(async () => {
    await setup.client.gateway.dispose();
    await setup.local.reset();
  });
  after(() => setup.local.close());
  return setup;
}

import { createGateway } from "../../src/gateway/client.ts";
import { GatewayError } from "../../src/gateway/errors.ts";
import type {
  AnswerPart,
  ChatRequest,
  Gateway,
  GatewayEvent,
  GatewayOptions,
  GatewaySettings,
  KeyGroup,
  Usage,
} from "../../src/gateway/types.ts";
import { type LocalGateway, startGateway } from "./gateway/gateway.ts";
import { plainSettings } from "./plainSettings.ts";

/** A client of a local gateway whose back-off takes no time. Tests may change `settings` and `keys`, like a user. */
export class LocalClient {
  /** What the client has reported. */
  readonly events: GatewayEvent[] = [];
  /** Gives the keys in place of `keys`. */
  key?: GatewayOptions["key"];
  settings: GatewaySettings;
  keys: Readonly<Partial<Record<KeyGroup, string>>>;
  readonly gateway: Gateway;

  constructor({ primary, backup, keys }: Pick<LocalGateway, "primary" | "backup" | "keys">) {
    this.settings = { ...plainSettings, baseUrl: primary.url, backupBaseUrl: backup.url };
    this.keys = keys;
    const options: GatewayOptions = {
      settings: () => this.settings,
      key: (group, origin, use) => this.key?.(group, origin, use) ?? Promise.resolve(this.keys[group]),
      onEvent: (event) => void this.events.push(event),
    };
    this.gateway = createGateway(options, { random: () => 0 });
  }

  /** The events of a type. */
  told<T extends GatewayEvent["type"]>(type: T): readonly Extract<GatewayEvent, { readonly type: T }>[] {
    return this.events.filter((event): event is Extract<GatewayEvent, { readonly type: T }> => event.type === type);
  }

  /** The reported usages. */
  get usages(): readonly Usage[] {
    return this.told("use").flatMap(({ usage }) => usage ?? []);
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

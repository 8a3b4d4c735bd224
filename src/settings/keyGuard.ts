import { GatewayError } from "../gateway/errors.ts";
import type { KeyGroup } from "../gateway/types.ts";
import { type FoundKey, keyGroups, type Keys, originsVariable } from "./keys.ts";

/** A question to the user: may keys entered for some origins be sent to another one? */
export interface OriginQuestion {
  readonly origin: string;
  /** Origins the key may already be sent to. Empty if it was entered before any entry. */
  readonly known: readonly string[];
}

/** Dependencies of the guard. */
export interface KeyGuardOptions {
  readonly keys: Pick<Keys, "find" | "origins" | "bind" | "revision">;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The origins of the configured entries. */
  readonly entries: () => readonly string[];
  readonly confirm: (question: OriginQuestion) => Promise<boolean>;
}

/** A key and the origins it may be sent to, as they were stored at one moment. */
interface Reading {
  readonly found: FoundKey | undefined;
  readonly known: readonly string[];
}

/**
 * Provides keys, each only for the origins it was entered for. Other extensions and dev container definitions can
 * change the settings with the gateway's address, so a key is sent to a new address only with the user's consent.
 */
export class KeyGuard {
  readonly #options: KeyGuardOptions;
  readonly #questions = new Map<string, Promise<boolean>>();
  /** What was read last, by group. Each read of the secret storage takes up to 100 ms (seen in VS Code 1.139). */
  readonly #readings = new Map<KeyGroup, Reading & { readonly revision: number }>();
  #adopted: Promise<void> | undefined;

  constructor(options: KeyGuardOptions) {
    this.#options = options;
  }

  /**
   * Binds keys stored by earlier versions, which kept no origins, to the entries configured at the first start after
   * the update.
   */
  adoptKeys(): Promise<void> {
    // An unreadable storage is reported when a key is requested.
    return (this.#adopted ??= this.#adopt().catch(() => undefined));
  }

  /**
   * Returns the key of a group for an origin; `undefined` if none is set. If the key was entered for other origins,
   * asks the user, unless `isUnasked`: requests that the user did not start ask nothing. Throws `GatewayError` of kind
   * `keyNotAllowed`, or the secret storage's error.
   */
  async key(group: KeyGroup, origin: string, { isUnasked = false } = {}): Promise<string | undefined> {
    await this.adoptKeys();
    const { found, known } = await this.#current(group);
    if (found === undefined) return undefined;
    if (found.source === "environment") {
      if (this.#environmentAllows(origin)) return found.key;
      throw notAllowed(group, "environment", origin);
    }
    if (known.includes(origin)) return found.key;
    if (isUnasked || !(await this.#ask({ origin, known }))) throw notAllowed(group, "user", origin);
    // The key may have been replaced meanwhile.
    const now = await this.#read(group);
    if (now.found === undefined || now.known.includes(origin)) return now.found?.key;
    throw notAllowed(group, "user", origin);
  }

  /** A key with its origins, read again only after a change. */
  async #current(group: KeyGroup): Promise<Reading> {
    const revision = this.#options.keys.revision();
    const last = this.#readings.get(group);
    if (last?.revision === revision) return last;
    const reading = await this.#read(group);
    this.#readings.set(group, { ...reading, revision });
    return reading;
  }

  /** Reads a key with its origins consistently, even while another window stores a new one. */
  async #read(group: KeyGroup): Promise<Reading> {
    const { keys } = this.#options;
    const found = await keys.find(group);
    const known = found?.source === "stored" ? ((await keys.origins(group)) ?? []) : [];
    return (await keys.find(group))?.key === found?.key ? { found, known } : await this.#read(group);
  }

  async #adopt(): Promise<void> {
    const { keys, entries } = this.#options;
    for (const group of keyGroups) {
      const isUnbound = (await keys.origins(group)) === undefined;
      if (!isUnbound || (await keys.find(group))?.source !== "stored") continue;
      const origins = entries();
      if (origins.length > 0) await keys.bind(group, origins);
    }
  }

  /** Concurrent requests share one question. Both keys belong to the same gateway, so the answer covers both. */
  #ask(question: OriginQuestion): Promise<boolean> {
    const { origin } = question;
    const asked = this.#questions.get(origin);
    if (asked !== undefined) return asked;
    const answer = this.#confirm(question).finally(() => this.#questions.delete(origin));
    this.#questions.set(origin, answer);
    return answer;
  }

  async #confirm(question: OriginQuestion): Promise<boolean> {
    const { keys, confirm } = this.#options;
    if (!(await confirm(question))) return false;
    for (const group of keyGroups) {
      if ((await keys.find(group))?.source !== "stored") continue;
      const known = (await keys.origins(group)) ?? [];
      await keys.bind(group, [...new Set([...known, question.origin])]);
    }
    return true;
  }

  #environmentAllows(origin: string): boolean {
    const list = this.#options.environment[originsVariable]?.trim() ?? "";
    return list === "" || list.split(/[\s,]+/).some((url) => originOf(url) === origin);
  }
}

function originOf(url: string): string | undefined {
  const parsed = URL.parse(url);
  return parsed?.protocol === "https:" || parsed?.protocol === "http:" ? parsed.origin : undefined;
}

function notAllowed(group: KeyGroup, by: "user" | "environment", origin: string): GatewayError {
  return new GatewayError("keyNotAllowed", `The key may not go to ${origin}.`, { group, refusal: { by, origin } });
}

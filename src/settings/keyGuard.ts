import { GatewayError } from "../gateway/errors.ts";
import type { KeyGroup, KeyUse } from "../gateway/types.ts";
import { type FoundKey, keyGroups, type Keys, originsVariable } from "./keys.ts";

/** A question to the user: may keys entered for some origins be sent to another one? */
export interface OriginQuestion {
  readonly origin: string;
  /** Origins the key may already be sent to. Empty if it was entered before any entry. */
  readonly known: readonly string[];
}

/** Dependencies of the guard. */
export interface KeyGuardOptions {
  readonly keys: Pick<Keys, "find" | "source" | "origins" | "bind">;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly entries: () => readonly string[];
  readonly confirm: (question: OriginQuestion) => Promise<boolean>;
}

/**
 * Provides keys, each only for the origins it was entered for. Other extensions and dev container definitions can
 * change the settings with the gateway's address, so a key is sent to a new address only with the user's consent.
 */
export class KeyGuard {
  readonly #options: KeyGuardOptions;
  readonly #questions = new Map<string, Promise<boolean>>();
  #adopted: Promise<void> | undefined;

  constructor(options: KeyGuardOptions) {
    this.#options = options;
  }

  /** Binds keys that earlier versions stored without origins to the entries configured at the first start after the update. */
  adoptKeys(): Promise<void> {
    // An unreadable storage is reported when a key is requested.
    return (this.#adopted ??= this.#adopt().catch(() => undefined));
  }

  /**
   * Returns the key of a group for an origin; `undefined` if none is set. If the key was entered for other origins,
   * asks the user, unless `isUnasked`: requests that the user did not start ask nothing. `refused` is a key that the
   * gateway has refused. Throws `GatewayError` of kind `keyNotAllowed`, or what `Keys.find` throws.
   */
  async key(group: KeyGroup, origin: string, { isUnasked = false, refused }: KeyUse = {}): Promise<string | undefined> {
    await this.adoptKeys();
    const { found, known } = await this.#read(group, refused);
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

  /** Reads a key with its origins consistently, even while another window stores a new one. */
  async #read(
    group: KeyGroup,
    refused?: string,
  ): Promise<{ readonly found: FoundKey | undefined; readonly known: readonly string[] }> {
    const { keys } = this.#options;
    const found = await keys.find(group, refused);
    if (found?.source === "command") return { found, known: await this.#bound(group) };
    const known = found?.source === "stored" ? ((await keys.origins(group)) ?? []) : [];
    return (await keys.find(group))?.key === found?.key ? { found, known } : await this.#read(group);
  }

  /** The origins of a key. One without is bound to the entries of this moment: that of a command when it is first used. */
  async #bound(group: KeyGroup): Promise<readonly string[]> {
    const { entries, keys } = this.#options;
    const known = await keys.origins(group);
    const origins = known ?? entries();
    if (known === undefined && origins.length > 0) await keys.bind(group, origins);
    return origins;
  }

  async #adopt(): Promise<void> {
    for (const group of keyGroups) if ((await this.#options.keys.source(group)) === "stored") await this.#bound(group);
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

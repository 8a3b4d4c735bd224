import { GatewayError } from "../gateway/errors.ts";
import type { KeyGroup } from "../gateway/types.ts";
import { type FoundKey, keyGroups, type Keys, originsVariable } from "./keys.ts";

/** A question to the user: may keys that were entered for some origins go to another one? */
export interface OriginQuestion {
  readonly origin: string;
  /** Where the key may go already. Empty where it was entered before any entry. */
  readonly known: readonly string[];
}

/** What the guard needs from its owner. */
export interface KeyGuardOptions {
  readonly keys: Pick<Keys, "find" | "origins" | "bind">;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The origins of the entries as they are set now. */
  readonly entries: () => readonly string[];
  readonly confirm: (question: OriginQuestion) => Promise<boolean>;
}

/**
 * Hands out keys, each for the origins it was entered for only. Settings say where requests go, and other extensions and
 * the definition of a dev container can write them: a key does not follow before the user has agreed.
 */
export class KeyGuard {
  readonly #options: KeyGuardOptions;
  readonly #questions = new Map<string, Promise<boolean>>();
  #adopted: Promise<void> | undefined;

  constructor(options: KeyGuardOptions) {
    this.#options = options;
  }

  /** Binds keys of versions that kept no origins to the entries that are set at the first start after the update. */
  adoptKeys(): Promise<void> {
    // A storage that cannot be read is told about when a key is asked for.
    return (this.#adopted ??= this.#adopt().catch(() => undefined));
  }

  /**
   * The key of a group for an origin; `undefined` where none is set. Where the key was entered for others it asks the
   * user, unless `isUnasked`: what runs without being asked for asks nothing either.
   * Throws `GatewayError` of kind `keyNotAllowed`, or what the secret storage throws.
   */
  async key(group: KeyGroup, origin: string, { isUnasked = false } = {}): Promise<string | undefined> {
    await this.adoptKeys();
    const { found, known } = await this.#read(group);
    if (found === undefined) return undefined;
    if (found.source === "environment") {
      if (this.#environmentAllows(origin)) return found.key;
      throw notAllowed(group, "environment", origin);
    }
    if (known.includes(origin)) return found.key;
    if (isUnasked || !(await this.#ask({ origin, known }))) throw notAllowed(group, "user", origin);
    // The key may be another one by now, entered for others.
    const now = await this.#read(group);
    if (now.found === undefined || now.known.includes(origin)) return now.found?.key;
    throw notAllowed(group, "user", origin);
  }

  /** A key with its own origins, also while another window stores a new one. */
  async #read(group: KeyGroup): Promise<{ readonly found: FoundKey | undefined; readonly known: readonly string[] }> {
    const { keys } = this.#options;
    const found = await keys.find(group);
    const known = found?.source === "stored" ? ((await keys.origins(group)) ?? []) : [];
    return (await keys.find(group))?.key === found?.key ? { found, known } : await this.#read(group);
  }

  async #adopt(): Promise<void> {
    const { keys, entries } = this.#options;
    const origins = entries();
    if (origins.length === 0) return;
    for (const group of keyGroups) {
      const isUnbound = (await keys.origins(group)) === undefined;
      if (isUnbound && (await keys.find(group))?.source === "stored") await keys.bind(group, origins);
    }
  }

  /** Several requests at once ask one question. Both keys are of one gateway, so the answer is for both. */
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

import { GatewayError } from "../gateway/errors.ts";
import type { KeyGroup, KeyUse } from "../gateway/types.ts";
import type { Command } from "./keyCommand.ts";
import { keyGroups, type Keys, originsVariable } from "./keys.ts";

/** A question to the user: may keys that were allowed for some origins be sent to another one? */
export interface OriginQuestion {
  readonly origin: string;
  readonly known: readonly string[];
  /** The commands that print keys. */
  readonly commands: readonly Command[];
}

/** Dependencies of the guard. */
export interface KeyGuardOptions {
  readonly keys: Pick<Keys, "find" | "command" | "origins" | "bind">;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly confirm: (question: OriginQuestion) => Promise<boolean>;
}

/** A key that may be sent, or the origins that it may be sent to instead. */
type Reading = { readonly key: string | undefined } | { readonly known: readonly string[] };

/**
 * Provides keys, each only for allowed origins: those that it was entered for, or that the user has confirmed. Other
 * extensions and dev containers can change the settings with the gateway's address and the key command.
 */
export class KeyGuard {
  readonly #options: KeyGuardOptions;
  readonly #questions = new Map<string, Promise<boolean>>();

  constructor(options: KeyGuardOptions) {
    this.#options = options;
  }

  /**
   * Returns the key of a group for an origin; `undefined` if none is set. If the origin is not allowed, asks the user, unless
   * `isAutomatic`: the user did not start the request. `refused`: a key that the gateway has refused.
   * Throws `GatewayError` of kind `keyNotAllowed`, or what `Keys.find` or the command throws.
   */
  async key(group: KeyGroup, origin: string, use: KeyUse = {}): Promise<string | undefined> {
    const found = await this.#read(group, origin, use);
    if ("key" in found) return found.key;
    if (use.isAutomatic === true || !(await this.#ask(origin, found.known))) throw notAllowed(group, "user", origin);
    // The key or the command may have changed in the meantime.
    const now = await this.#read(group, origin, use);
    if ("key" in now) return now.key;
    throw notAllowed(group, "user", origin);
  }

  /** Reads a key with its own origins, even if the key or command is replaced in the meantime. */
  async #read(group: KeyGroup, origin: string, use: KeyUse): Promise<Reading> {
    const { keys } = this.#options;
    const command = keys.command(group);
    if (command) {
      const { id } = command;
      const known = (await keys.origins(group)) ?? [];
      // The command runs only for an allowed origin.
      const reading = known.includes(origin) ? { key: await command.key(use) } : { known };
      return keys.command(group)?.id === id ? reading : await this.#read(group, origin, use);
    }
    const found = await keys.find(group);
    if (found === undefined) return { key: undefined };
    if (found.source === "environment") {
      if (this.#environmentAllows(origin)) return found;
      throw notAllowed(group, "environment", origin);
    }
    const known = (await keys.origins(group)) ?? [];
    const isSame = keys.command(group) === undefined && (await keys.find(group))?.key === found.key;
    if (!isSame) return await this.#read(group, origin, use);
    return known.includes(origin) ? found : { known };
  }

  /** Concurrent requests share one question. Both keys belong to the same gateway, so the answer covers both. */
  #ask(origin: string, known: readonly string[]): Promise<boolean> {
    const asked = this.#questions.get(origin);
    if (asked !== undefined) return asked;
    const answer = this.#confirm(origin, known).finally(() => this.#questions.delete(origin));
    this.#questions.set(origin, answer);
    return answer;
  }

  async #confirm(origin: string, known: readonly string[]): Promise<boolean> {
    const { keys, confirm } = this.#options;
    const asked = keyGroups.map((group) => ({ group, id: keys.command(group)?.id, set: keys.command(group)?.command }));
    const commands = asked.map(({ set }) => set).filter((set) => set !== undefined);
    if (!(await confirm({ origin, known, commands }))) return false;
    for (const { group, id } of asked) {
      const before = (await keys.origins(group)) ?? [];
      // The answer does not apply to a command that was set in the meantime.
      if (keys.command(group)?.id === id) await keys.bind(group, [...new Set([...before, origin])]);
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

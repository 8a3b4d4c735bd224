import type * as vscode from "vscode";
import type { KeyGroup } from "../gateway/types.ts";
import { asArray, parseJson } from "../text/json.ts";
import type { KeyCommand } from "./keyCommand.ts";

/** The source of a group's key. */
export type KeySource = "command" | "stored" | "environment" | "none";

export interface FoundKey {
  readonly key: string;
  readonly source: Exclude<KeySource, "none">;
}

type KeyStorage = Pick<vscode.SecretStorage, "get" | "store" | "delete" | "onDidChange">;

/** The key groups, in display order. */
export const keyGroups: readonly KeyGroup[] = ["codex", "image"];

/** Environment variables used if nothing is stored, as in dev containers, on remote hosts and in tests. */
export const keyVariables: Readonly<Record<KeyGroup, string>> = {
  codex: "CODEX_GATEWAY_API_KEY",
  image: "CODEX_GATEWAY_IMAGE_API_KEY",
};

/** Environment variable with the only origins to which keys of the environment may be sent. */
export const originsVariable = "CODEX_GATEWAY_ORIGINS";

/** The API keys: from a command, else from VS Code's secret storage, else from environment variables. */
export class Keys {
  /** Fires in every window when a key is stored or removed (VS Code 1.139). */
  readonly onDidChange: vscode.Event<unknown>;
  readonly #secrets: KeyStorage;
  readonly #environment: Readonly<Record<string, string | undefined>>;
  readonly #commands: Readonly<Partial<Record<KeyGroup, KeyCommand>>>;
  /** What was read since the last change. Each read takes up to 100 ms (seen in VS Code 1.139). */
  readonly #known = new Map<string, Thenable<string | undefined>>();

  constructor(
    secrets: KeyStorage,
    environment: Readonly<Record<string, string | undefined>>,
    commands: Readonly<Partial<Record<KeyGroup, KeyCommand>>> = {},
  ) {
    this.#secrets = secrets;
    this.#environment = environment;
    this.#commands = commands;
    this.onDidChange = secrets.onDidChange;
    secrets.onDidChange(() => {
      this.#known.clear();
    });
  }

  /** The command for the key of a group, if one is set. */
  command(group: KeyGroup): KeyCommand | undefined {
    const command = this.#commands[group];
    return command?.isSet() === true ? command : undefined;
  }

  /**
   * Finds the key of a group. A command is asked for another key than `refused`. Throws its failure, or the secret
   * storage's error if that is unreadable and the environment has no key either.
   */
  async find(group: KeyGroup, refused?: string): Promise<FoundKey | undefined> {
    const command = this.command(group);
    if (command) return { key: await command.key(refused), source: "command" };
    const key = this.#environment[keyVariables[group]]?.trim() ?? "";
    const other: FoundKey | undefined = key === "" ? undefined : { key, source: "environment" };
    try {
      const stored = await this.#read(secretName(group));
      return stored === undefined ? other : { key: stored, source: "stored" };
    } catch (cause) {
      if (other === undefined) throw cause;
      return other;
    }
  }

  /** The source of a key. `none` also if the secret storage is unreadable: storing a key again then shows the cause. */
  async source(group: KeyGroup): Promise<KeySource> {
    if (this.command(group)) return "command";
    return (await this.find(group).catch(() => undefined))?.source ?? "none";
  }

  /** Stores a key for the origins it was entered for. Reads it back, and throws if it is not there. */
  async store(group: KeyGroup, key: string, origins: readonly string[]): Promise<void> {
    // Between these steps, or after a crash, neither key is sent where it was not entered for. Empty lists are stored
    // too, because a key without a list would be adopted for the configured entries.
    const name = secretName(group);
    const list = `${name}.origins`;
    const before = (await this.#list(list)) ?? [];
    await this.#write(list, JSON.stringify(before.filter((origin) => origins.includes(origin))));
    await this.#write(name, key);
    if ((await this.#read(name)) !== key) throw new Error("The secret storage did not keep the key.");
    await this.#write(list, JSON.stringify(origins));
  }

  /** The origins the key was entered for; `undefined` if an earlier version stored none, and before a command's first use. */
  origins(group: KeyGroup): Promise<readonly string[] | undefined> {
    return this.#list(this.#listName(group));
  }

  /** Binds a command's key or the stored key to origins. They are no settings, because other extensions can write those. */
  async bind(group: KeyGroup, origins: readonly string[]): Promise<void> {
    const source = await this.source(group);
    if (source === "command" || source === "stored") await this.#write(this.#listName(group), JSON.stringify(origins));
  }

  /** Removes the stored key with its origins; leaves the environment alone. */
  async remove(group: KeyGroup): Promise<void> {
    await this.#write(secretName(group), undefined);
    await this.#write(`${secretName(group)}.origins`, undefined);
  }

  #listName(group: KeyGroup): string {
    return `${this.command(group) ? `keyCommand.${group}` : secretName(group)}.origins`;
  }

  async #list(name: string): Promise<readonly string[] | undefined> {
    const text = await this.#read(name);
    return text === undefined ? undefined : asArray(parseJson(text)).filter((origin) => typeof origin === "string");
  }

  #read(name: string): Thenable<string | undefined> {
    const read = this.#known.get(name) ?? this.#secrets.get(name);
    this.#known.set(name, read);
    // What cannot be read now may be read later.
    void read.then(undefined, () => this.#known.delete(name));
    return read;
  }

  async #write(name: string, value: string | undefined): Promise<void> {
    try {
      await (value === undefined ? this.#secrets.delete(name) : this.#secrets.store(name, value));
    } finally {
      // The event for a change by this window can come after the change has returned.
      this.#known.clear();
    }
  }
}

function secretName(group: KeyGroup): string {
  return `apiKey.${group}`;
}

/**
 * The first flaw in the form of a key, which is `sk-` followed by the secret part, in visible ASCII; `undefined` if there
 * is none. The parameter `l10n` has the name of VS Code's own object, as texts are collected.
 */
export function keyFlaw(typed: string, l10n: Pick<typeof vscode.l10n, "t">): string | undefined {
  const key = typed.trim();
  if (key === "") return l10n.t("Enter the key.");
  if (!/^[\x21-\x7e]+$/.test(key)) return l10n.t("The key cannot contain spaces or special characters. Copy it again.");
  if (!key.startsWith("sk-")) return l10n.t("The key must start with sk-.");
  return key === "sk-" ? l10n.t("The secret part after sk- is missing.") : undefined;
}

import type * as vscode from "vscode";
import type { KeyGroup } from "../gateway/types.ts";
import { asArray, asObject, parseJson } from "../base/json.ts";
import { OneAtATime } from "../base/oneAtATime.ts";
import type { KeyCommand } from "./keyCommand.ts";

/** The source of a group's key. */
export type KeySource = "command" | "stored" | "environment" | "none";

/** A key that is stored or in the environment. */
export interface FoundKey {
  readonly key: string;
  readonly source: "stored" | "environment";
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
  /** The values read since the last change. Each read takes up to 100 ms (seen in VS Code 1.139). */
  readonly #known = new Map<string, Thenable<string | undefined>>();
  readonly #changes = new OneAtATime();

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

  command(group: KeyGroup): KeyCommand | undefined {
    const command = this.#commands[group];
    return command?.isSet() === true ? command : undefined;
  }

  /**
   * Finds the key of a group where no command is set. Throws the secret storage's error if that is unreadable and the
   * environment has no key either.
   */
  async find(group: KeyGroup): Promise<FoundKey | undefined> {
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

  /** The source of a key. Also `none` if the secret storage is unreadable: storing a key again then shows the cause. */
  async source(group: KeyGroup): Promise<KeySource> {
    if (this.command(group)) return "command";
    return (await this.find(group).catch(() => undefined))?.source ?? "none";
  }

  /** Whether a key is stored, used or not. Throws the secret storage's error if that is unreadable. */
  async isStored(group: KeyGroup): Promise<boolean> {
    return (await this.#read(secretName(group))) !== undefined;
  }

  /** Stores a key for the origins it was entered for. Reads it back, and throws if it is not there. */
  async store(group: KeyGroup, key: string, origins: readonly string[]): Promise<void> {
    const name = secretName(group);
    const list = `${name}.origins`;
    // In this order, so that neither key is ever allowed for an origin of the other, even after a crash in between.
    await this.#changes.run(async () => {
      const before = (await this.#list(list)) ?? [];
      await this.#write(list, JSON.stringify(before.filter((origin) => origins.includes(origin))));
      await this.#write(name, key);
      if ((await this.#read(name)) !== key) throw new Error("The secret storage did not keep the key.");
      await this.#write(list, JSON.stringify(origins));
    });
  }

  /** The allowed origins of the current command or stored key; `undefined` if there are none yet. */
  async origins(group: KeyGroup): Promise<readonly string[] | undefined> {
    const id = this.command(group)?.id;
    if (id === undefined) return await this.#list(`${secretName(group)}.origins`);
    // Version 1.1.0 stored a list that does not say which command it belongs to.
    const stored = asObject(parseJson((await this.#read(commandOrigins(group))) ?? ""));
    return stored?.command === id ? textsIn(stored.origins) : undefined;
  }

  /** Binds the command or the stored key to origins. Not stored in settings, because other extensions can write those. */
  async bind(group: KeyGroup, origins: readonly string[]): Promise<void> {
    const command = this.command(group)?.id;
    await this.#changes.run(async () => {
      if (command !== undefined) await this.#write(commandOrigins(group), JSON.stringify({ command, origins }));
      else if ((await this.source(group)) === "stored")
        await this.#write(`${secretName(group)}.origins`, JSON.stringify(origins));
    });
  }

  /** Removes the stored key and all origins; leaves the environment and the settings alone. */
  async remove(group: KeyGroup): Promise<void> {
    await this.#changes.run(async () => {
      for (const name of [secretName(group), `${secretName(group)}.origins`, commandOrigins(group)])
        await this.#write(name, undefined);
    });
  }

  async #list(name: string): Promise<readonly string[] | undefined> {
    const text = await this.#read(name);
    return text === undefined ? undefined : textsIn(parseJson(text));
  }

  #read(name: string): Thenable<string | undefined> {
    const read = this.#known.get(name) ?? this.#secrets.get(name);
    this.#known.set(name, read);
    // A failed read is tried again next time.
    void read.then(undefined, () => this.#known.delete(name));
    return read;
  }

  async #write(name: string, value: string | undefined): Promise<void> {
    try {
      await (value === undefined ? this.#secrets.delete(name) : this.#secrets.store(name, value));
    } finally {
      // The event for a change by this window can be fired after the change has returned.
      this.#known.clear();
    }
  }
}

function secretName(group: KeyGroup): string {
  return `apiKey.${group}`;
}

function commandOrigins(group: KeyGroup): string {
  return `keyCommand.${group}.origins`;
}

function textsIn(list: unknown): readonly string[] {
  return asArray(list).filter((text) => typeof text === "string");
}

/**
 * The first flaw in the form of a key, which is visible ASCII and more than `sk-`; `undefined` if there is none. The
 * parameter is named `l10n` so that its texts are extracted.
 */
export function keyFlaw(typed: string, l10n: Pick<typeof vscode.l10n, "t">): string | undefined {
  const key = typed.trim();
  if (key === "") return l10n.t("Enter the key.");
  if (!/^[\x21-\x7e]+$/.test(key)) return l10n.t("The key cannot contain spaces or special characters. Copy it again.");
  return key === "sk-" ? l10n.t("The secret part after sk- is missing.") : undefined;
}

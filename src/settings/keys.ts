import type { Event, SecretStorage } from "vscode";
import type { KeyGroup } from "../gateway/types.ts";
import { asArray, parseJson } from "../text/json.ts";

/** The source of a group's key. */
export type KeySource = "stored" | "environment" | "none";

/** A key with its source. */
export interface FoundKey {
  readonly key: string;
  readonly source: Exclude<KeySource, "none">;
}

/** The API keys: VS Code's secret storage first, then environment variables. */
export interface Keys {
  /**
   * Finds the key of a group. Throws the secret storage's error if that is unreadable and the environment has no key
   * either.
   */
  find(group: KeyGroup): Promise<FoundKey | undefined>;
  /** The source of a key. `none` also if the secret storage is unreadable: storing a key again then shows the cause. */
  source(group: KeyGroup): Promise<KeySource>;
  /** Stores a key for the origins it was entered for. Reads it back, and throws if it is not there. */
  store(group: KeyGroup, key: string, origins: readonly string[]): Promise<void>;
  /** The origins the stored key was entered for; `undefined` if an earlier version stored it without. */
  origins(group: KeyGroup): Promise<readonly string[] | undefined>;
  /** Sets the origins of the stored key. */
  bind(group: KeyGroup, origins: readonly string[]): Promise<void>;
  /** Removes the stored key with its origins; leaves the environment alone. */
  remove(group: KeyGroup): Promise<void>;
  /** Counts the changes to stored keys that this window knows of. What was read before a change is out of date. */
  revision(): number;
  /** Fires in every window when a key is stored or removed, as `SecretStorage.onDidChange` does (VS Code 1.139). */
  readonly onDidChange: Event<unknown>;
}

/** The key groups, in display order. */
export const keyGroups: readonly KeyGroup[] = ["codex", "image"];

/** Environment variables used if nothing is stored, as in dev containers, on remote hosts and in tests. */
export const keyVariables: Readonly<Record<KeyGroup, string>> = {
  codex: "CODEX_GATEWAY_API_KEY",
  image: "CODEX_GATEWAY_IMAGE_API_KEY",
};

/** Environment variable with the only origins to which keys of the environment may be sent. */
export const originsVariable = "CODEX_GATEWAY_ORIGINS";

/** Creates the keys of a secret storage and an environment. */
export function createKeys(
  secrets: Pick<SecretStorage, "get" | "store" | "delete" | "onDidChange">,
  environment: Readonly<Record<string, string | undefined>>,
): Keys {
  let revision = 0;
  secrets.onDidChange(() => (revision += 1));
  // The event for a change by this window can come after the change has returned.
  const write = async (name: string, value: string | undefined): Promise<void> => {
    try {
      await (value === undefined ? secrets.delete(name) : secrets.store(name, value));
    } finally {
      revision += 1;
    }
  };
  const stored = (group: KeyGroup): Thenable<string | undefined> => secrets.get(secretName(group));
  const fromEnvironment = (group: KeyGroup): string | undefined => {
    const key = environment[keyVariables[group]]?.trim();
    return key === "" ? undefined : key;
  };
  const readOrigins = async (group: KeyGroup): Promise<readonly string[] | undefined> => {
    const text = await secrets.get(originsName(group));
    return text === undefined ? undefined : asArray(parseJson(text)).filter((origin) => typeof origin === "string");
  };
  // Not stored in settings, because other extensions can write those.
  const bind = async (group: KeyGroup, origins: readonly string[]): Promise<void> => {
    await write(originsName(group), JSON.stringify(origins));
  };

  return {
    find: async (group) => {
      const key = fromEnvironment(group);
      const other: FoundKey | undefined = key === undefined ? undefined : { key, source: "environment" };
      try {
        const key = await stored(group);
        return key === undefined ? other : { key, source: "stored" };
      } catch (cause) {
        if (other === undefined) throw cause;
        return other;
      }
    },
    source: async (group) => {
      const isStored = await stored(group).then(
        (key) => key !== undefined,
        () => false,
      );
      if (isStored) return "stored";
      return fromEnvironment(group) === undefined ? "none" : "environment";
    },
    store: async (group, key, origins) => {
      // Between these steps, or after a crash, neither key is sent where it was not entered for. Empty lists are stored
      // too, because a key without a list would be adopted for the configured entries.
      const before = (await readOrigins(group)) ?? [];
      await bind(
        group,
        before.filter((origin) => origins.includes(origin)),
      );
      await write(secretName(group), key);
      if ((await stored(group)) !== key) throw new Error("The secret storage did not keep the key.");
      await bind(group, origins);
    },
    origins: readOrigins,
    bind,
    remove: async (group) => {
      await write(secretName(group), undefined);
      await write(originsName(group), undefined);
    },
    revision: () => revision,
    onDidChange: secrets.onDidChange,
  };
}

function secretName(group: KeyGroup): string {
  return `apiKey.${group}`;
}

function originsName(group: KeyGroup): string {
  return `${secretName(group)}.origins`;
}

/** Flaws in the form of a key. */
export type KeyFlaw = "empty" | "prefix" | "secret" | "characters";

/** Finds the first flaw in the form of a key: `sk-` followed by the secret part, in visible ASCII. */
export function findKeyFlaw(typed: string): KeyFlaw | undefined {
  const key = typed.trim();
  if (key === "") return "empty";
  if (!/^[\x21-\x7e]+$/.test(key)) return "characters";
  if (!key.startsWith("sk-")) return "prefix";
  return key === "sk-" ? "secret" : undefined;
}

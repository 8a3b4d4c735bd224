import type { Event, SecretStorage } from "vscode";
import type { KeyGroup } from "../gateway/types.ts";
import { asArray, parseJson } from "../gateway/wire/json.ts";

/** Where the key of a group comes from. */
export type KeySource = "stored" | "environment" | "none";

/** A key, and where it comes from. */
export interface FoundKey {
  readonly key: string;
  readonly source: Exclude<KeySource, "none">;
}

/** The API keys: VS Code's secret storage first, then the environment. */
export interface Keys {
  /** Throws what the secret storage throws where it cannot be read and the environment has no key either. */
  find(group: KeyGroup): Promise<FoundKey | undefined>;
  /** `none` also where the secret storage cannot be read: asking for the key is what helps, and storing it tells the cause. */
  source(group: KeyGroup): Promise<KeySource>;
  /** Stores a key for the origins it was entered for, and reads it back; throws when it is not there. */
  store(group: KeyGroup, key: string, origins: readonly string[]): Promise<void>;
  /** The origins the stored key was entered for; `undefined` where a version stored it that kept none. */
  origins(group: KeyGroup): Promise<readonly string[] | undefined>;
  /** Keeps the origins of a stored key. */
  bind(group: KeyGroup, origins: readonly string[]): Promise<void>;
  /** Removes the stored key with its origins; the environment is not touched. */
  remove(group: KeyGroup): Promise<void>;
  /** Fires in every window when a key is stored or removed. */
  readonly onDidChange: Event<unknown>;
}

/** The groups a key can belong to, in the order users see them. */
export const keyGroups: readonly KeyGroup[] = ["codex", "image"];

/** The variables that serve where nothing is stored: dev containers, remote hosts, tests. */
export const keyVariables: Readonly<Record<KeyGroup, string>> = {
  codex: "CODEX_GATEWAY_API_KEY",
  image: "CODEX_GATEWAY_IMAGE_API_KEY",
};

/** The variable that names the only origins to which keys of the environment may go. */
export const originsVariable = "CODEX_GATEWAY_ORIGINS";

/** The keys in a secret storage and an environment. */
export function createKeys(
  secrets: Pick<SecretStorage, "get" | "store" | "delete" | "onDidChange">,
  environment: Readonly<Record<string, string | undefined>>,
): Keys {
  const stored = (group: KeyGroup): Thenable<string | undefined> => secrets.get(secretName(group));
  const fromEnvironment = (group: KeyGroup): string | undefined => {
    const key = environment[keyVariables[group]]?.trim();
    return key === "" ? undefined : key;
  };
  const readOrigins = async (group: KeyGroup): Promise<readonly string[] | undefined> => {
    const text = await secrets.get(originsName(group));
    return text === undefined ? undefined : asArray(parseJson(text)).filter((origin) => typeof origin === "string");
  };
  // Not among the settings: other extensions can write those.
  const bind = async (group: KeyGroup, origins: readonly string[]): Promise<void> => {
    await secrets.store(originsName(group), JSON.stringify(origins));
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
      // Between these steps, or after a crash there, neither key goes where it was not entered for. An empty list is
      // kept, too: a key without one would be adopted for the entries that are set.
      const before = (await readOrigins(group)) ?? [];
      await bind(
        group,
        before.filter((origin) => origins.includes(origin)),
      );
      await secrets.store(secretName(group), key);
      if ((await stored(group)) !== key) throw new Error("The secret storage did not keep the key.");
      await bind(group, origins);
    },
    origins: readOrigins,
    bind,
    remove: async (group) => {
      await secrets.delete(secretName(group));
      await secrets.delete(originsName(group));
    },
    onDidChange: secrets.onDidChange,
  };
}

function secretName(group: KeyGroup): string {
  return `apiKey.${group}`;
}

function originsName(group: KeyGroup): string {
  return `${secretName(group)}.origins`;
}

/** What is wrong with the form of a key. */
export type KeyFlaw = "empty" | "prefix" | "secret" | "characters";

/** The first flaw in the form of a key as typed, if any: `sk-` followed by the secret part, in visible ASCII. */
export function findKeyFlaw(typed: string): KeyFlaw | undefined {
  const key = typed.trim();
  if (key === "") return "empty";
  if (!/^[\x21-\x7e]+$/.test(key)) return "characters";
  if (!key.startsWith("sk-")) return "prefix";
  return key === "sk-" ? "secret" : undefined;
}

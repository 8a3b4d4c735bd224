import type { Event, SecretStorage } from "vscode";
import type { KeyGroup } from "../gateway/types.ts";

/** Where the key of a group comes from. */
export type KeySource = "stored" | "environment" | "none";

/** The API keys: VS Code's secret storage first, then the environment. */
export interface Keys {
  /** Throws what the secret storage throws where it cannot be read and the environment has no key either. */
  readonly get: (group: KeyGroup) => Promise<string | undefined>;
  /** `none` also where the secret storage cannot be read: asking for the key is what helps, and storing it tells the cause. */
  source(group: KeyGroup): Promise<KeySource>;
  /** Stores a key and reads it back; throws when it is not there. */
  store(group: KeyGroup, key: string): Promise<void>;
  /** Removes the stored key; the environment is not touched. */
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

  return {
    get: async (group) => {
      try {
        return (await stored(group)) ?? fromEnvironment(group);
      } catch (cause) {
        const key = fromEnvironment(group);
        if (key === undefined) throw cause;
        return key;
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
    store: async (group, key) => {
      await secrets.store(secretName(group), key);
      if ((await stored(group)) !== key) throw new Error("The secret storage did not keep the key.");
    },
    remove: async (group) => {
      await secrets.delete(secretName(group));
    },
    onDidChange: secrets.onDidChange,
  };
}

function secretName(group: KeyGroup): string {
  return `apiKey.${group}`;
}

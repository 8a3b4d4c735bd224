import type { Keys } from "../../src/settings/keys.ts";

/** A secret storage in memory, with the change events of VS Code's. */
export function memorySecrets(initial: Readonly<Record<string, string>> = {}): ConstructorParameters<typeof Keys>[0] {
  const secrets = new Map(Object.entries(initial));
  const listeners = new Set<(event: { readonly key: string }) => unknown>();
  const fire = (key: string): void => {
    for (const listener of listeners) listener({ key });
  };
  return {
    get: (name) => Promise.resolve(secrets.get(name)),
    store: async (name, value) => {
      await Promise.resolve(secrets.set(name, value));
      fire(name);
    },
    delete: async (name) => {
      await Promise.resolve(secrets.delete(name));
      fire(name);
    },
    onDidChange: (listener) => {
      listeners.add(listener);
      // eslint-disable-next-line @typescript-eslint/no-unsafe-class-instance-assignment -- unit tests have no vscode
      return { dispose: () => listeners.delete(listener) };
    },
  };
}

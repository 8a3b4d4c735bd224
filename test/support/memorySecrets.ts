import assert from "node:assert/strict";
import type { createKeys } from "../../src/settings/keys.ts";

/** A secret storage in memory. */
export function memorySecrets(initial: Readonly<Record<string, string>> = {}): Parameters<typeof createKeys>[0] {
  const secrets = new Map(Object.entries(initial));
  return {
    get: (name) => Promise.resolve(secrets.get(name)),
    store: (name, value) => Promise.resolve(void secrets.set(name, value)),
    delete: (name) => Promise.resolve(void secrets.delete(name)),
    onDidChange: () => assert.fail("Nobody listens here."),
  };
}

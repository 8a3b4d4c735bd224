import type { Memento } from "vscode";

/** State of an extension, kept nowhere. */
export class MemoryState implements Memento {
  private readonly values = new Map<string, unknown>();

  keys(): readonly string[] {
    return [...this.values.keys()];
  }

  get<T>(key: string, fallback?: T): T {
    return (this.values.get(key) ?? fallback) as T;
  }

  update(key: string, value: unknown): Promise<void> {
    if (value === undefined) this.values.delete(key);
    else this.values.set(key, value);
    return Promise.resolve();
  }
}

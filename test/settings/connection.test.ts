import assert from "node:assert/strict";
import { isInsecure, saveConnection } from "../../src/settings/connection.ts";

describe("the connection's settings", () => {
  it("call plain http insecure beyond this machine only", () => {
    const insecure = ["http://gateway.example.com", "http://10.0.0.1"];
    const secure = ["http://localhost:1", "http://127.0.0.1", "https://a.b"];
    assert.deepEqual([...insecure, ...secure].filter(isInsecure), insecure);
  });

  it("are written for the user, only where they differ, and removed where they are the default", async () => {
    const before = new Map<string, unknown>([
      ["baseUrl", "https://one.example.com"],
      ["backupBaseUrl", "https://two.example.com"],
      ["allowInsecureHttp", true],
    ]);
    const written: unknown[] = [];
    const configuration = {
      get: (name: string): unknown => before.get(name),
      update: (...update: readonly unknown[]): Promise<void> => {
        written.push(update);
        return Promise.resolve();
      },
    };
    const connection = { baseUrl: "https://one.example.com", backupBaseUrl: "", allowInsecureHttp: false };
    await saveConnection(configuration, connection);
    assert.deepEqual(written, [
      ["backupBaseUrl", undefined, true],
      ["allowInsecureHttp", undefined, true],
    ]);
  });
});

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { keys } from "../support/faults/bench.ts";
import { preceded, unasked } from "../support/faults/faults.ts";
import { FaultServer } from "../support/faults/faultServer.ts";
import { plainSettings } from "../support/plainSettings.ts";

const run = promisify(execFile);
const root = resolve(import.meta.dirname, "../..");

describe("the client's bundle", () => {
  let folder = "";
  before(async () => {
    // In a separate folder, because other processes may use dist.
    folder = await mkdtemp(join(tmpdir(), "codex-gateway-"));
    for (const name of ["src", "l10n", "node_modules", "package.json"]) {
      await symlink(join(root, name), join(folder, name));
    }
    await run(process.execPath, [join(root, "esbuild.mjs")], { cwd: folder });
  });
  after(() => rm(folder, { recursive: true }));

  it("answers, and does not change the process's dispatchers", async () => {
    // Needs the client's change to undici's parser.
    await using entry = await FaultServer.start(preceded(unasked));
    const settings = { ...plainSettings, baseUrl: entry.url };
    const script = `
      const dispatchers = () => [1, 2].map((version) => globalThis[Symbol.for("undici.globalDispatcher." + version)]);
      const check = (expected) => console.log(dispatchers().every((found, index) => found === expected[index]));
      const before = dispatchers();
      const { createGateway } = require(${JSON.stringify(join(folder, "dist/client.cjs"))});
      check(before);
      const settings = ${JSON.stringify(settings)};
      const gateway = createGateway({ settings: () => settings, key: async () => ${JSON.stringify(keys.codex)} });
      (async () => {
        const request = { model: "gpt-5.4", messages: [{ role: "user", content: "Hi" }] };
        for await (const part of gateway.ask(request, new AbortController().signal)) console.log(part.type);
        await gateway.dispose();
        check(before);
      })();`;
    const { stdout } = await run(process.execPath, ["--eval", script]);
    assert.deepEqual(stdout.trim().split("\n"), ["true", "start", "text", "finish", "true"]);
  });
});

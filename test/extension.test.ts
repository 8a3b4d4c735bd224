import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runProgram } from "../scripts/runProgram.ts";
import { buildIn } from "./scripts/buildIn.ts";
import { keys } from "./gateway/support/bench.ts";
import { preceded, unasked } from "./gateway/support/faults.ts";
import { FaultServer } from "./gateway/support/faultServer.ts";
import { plainSettings } from "./support/plainSettings.ts";

describe("the bundles", function () {
  this.timeout(60_000);
  let folder = "";
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "codex-gateway-"));
    await buildIn(folder, "--production");
  });
  after(() => rm(folder, { recursive: true }));

  /** Loads a bundle in a process of its own, where `vscode` is an empty shell: the modules that it loads, and its exports. */
  async function load(name: string): Promise<Readonly<Record<"loaded" | "exported", readonly string[]>>> {
    const path = join(folder, "dist", `${name}.cjs`);
    const output = await runProgram(process.execPath, ["-e", script, path], { cwd: folder });
    return JSON.parse(output) as Awaited<ReturnType<typeof load>>;
  }

  it("load two files at activation, and of Node.js nothing", async () => {
    const { loaded, exported } = await load("extension");
    assert.deepEqual(loaded.map((name) => name.replace(/-.*/, "")).toSorted(), ["./shared", "vscode"]);
    assert.ok(exported.includes("activate"));
  });

  it("share what has loaded with the features, and load completions only when they are turned on", async () => {
    const { loaded } = await load("features");
    assert.ok(loaded.includes("./extension.cjs"));
    assert.ok(!loaded.some((name) => name.includes("completions")), loaded.join(" "));
    const { exported } = await load("completions");
    assert.deepEqual(exported, ["Completions"]);
  });

  it("give the client nothing of VS Code", async () => {
    const { loaded } = await load("client");
    assert.ok(!loaded.includes("vscode") && !loaded.includes("./extension.cjs"));
    assert.ok(loaded.some((name) => name.startsWith("./shared-")));
  });

  it("have a client that answers, and does not change the process's dispatchers", async () => {
    // Needs the client's change to undici's parser.
    await using entry = await FaultServer.start(preceded(unasked));
    const settings = { ...plainSettings, baseUrl: entry.url };
    const question = `
      const dispatchers = () => [1, 2].map((version) => globalThis[Symbol.for("undici.globalDispatcher." + version)]);
      const check = (expected) => console.log(dispatchers().every((found, index) => found === expected[index]));
      const before = dispatchers();
      const { createGateway } = require(${JSON.stringify(join(folder, "dist", "client.cjs"))});
      check(before);
      const settings = ${JSON.stringify(settings)};
      const gateway = createGateway({ settings: () => settings, key: async () => ${JSON.stringify(keys.codex)} });
      (async () => {
        const request = { model: "gpt-5.4", messages: [{ role: "user", content: "Hi" }] };
        for await (const part of gateway.ask(request, new AbortController().signal)) console.log(part.type);
        await gateway.dispose();
        check(before);
      })();`;
    const output = await runProgram(process.execPath, ["--eval", question], { cwd: folder });
    assert.deepEqual(output.trim().split("\n"), ["true", "start", "text", "finish", "true"]);
  });
});

const script = `
  const Module = require("node:module");
  const load = Module._load;
  const loaded = [];
  const toText = () => "shell";
  const get = (target, name) =>
    name === "prototype" ? target.prototype : name === Symbol.toPrimitive ? toText : shell;
  const shell = new Proxy(function () {}, { get, apply: () => shell });
  Module._load = (name, ...rest) => {
    loaded.push(name);
    return name === "vscode" ? shell : load(name, ...rest);
  };
  const exported = Object.keys(require(process.argv[1]));
  console.log(JSON.stringify({ loaded: loaded.slice(1), exported }));
  process.exit();`;

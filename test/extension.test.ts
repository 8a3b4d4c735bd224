import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildIn } from "./scripts/buildIn.ts";
import { type LoadedBundle, loadBundle } from "./support/loadBundle.ts";

describe("the bundles", function () {
  this.timeout(60_000);
  let folder = "";
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "codex-gateway-"));
    await buildIn(folder, "--production");
  });
  after(() => rm(folder, { recursive: true }));
  const load = (name: string): Promise<LoadedBundle> => loadBundle(join(folder, "dist", `${name}.cjs`));

  it("load two files at activation, and of Node.js nothing", async () => {
    const { loaded, exported } = await load("extension");
    assert.deepEqual(loaded.map((name) => name.replace(/-.*/, "")).toSorted(), ["./shared", "vscode"]);
    assert.ok(exported.includes("activate"));
  });

  it("share what has loaded at activation with the features", async () => {
    assert.ok((await load("features")).loaded.includes("./extension.cjs"));
  });

  it("load completions only when they are turned on, and then nothing twice", async () => {
    const { loaded } = await load("features");
    assert.ok(!loaded.some((name) => name.includes("completions")), loaded.join(" "));
    const { exported } = await load("completions");
    assert.deepEqual(exported, ["Completions"]);
  });

  it("give the client nothing of VS Code", async () => {
    const { loaded } = await load("client");
    assert.ok(!loaded.includes("vscode") && !loaded.includes("./extension.cjs"));
    assert.ok(loaded.some((name) => name.startsWith("./shared-")));
  });
});

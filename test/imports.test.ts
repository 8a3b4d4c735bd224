import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const source = join(import.meta.dirname, "../src");

describe("the source", () => {
  const files = globSync("**/*.ts", { cwd: source });
  const texts = new Map(files.map((file) => [file, readFileSync(join(source, file), "utf8")]));

  it("imports nothing in circles, types included", () => {
    assert.ok(texts.size > 100, "files are found");
    const imports = new Map([...texts].map(([file, text]) => [file, importsOf(file, text)]));
    for (const [file, targets] of imports) {
      for (const target of targets) assert.ok(imports.has(target), `${file} imports ${target}`);
    }
    assert.deepEqual(circlesIn(imports), []);
  });

  it("reaches the network from the gateway's folder alone, and reports nothing to VS Code's telemetry", () => {
    const network =
      /"node:(?:https?|http2|net|tls|dgram|dns)(?:\/promises)?"|"undici|(?<![.\w])fetch\(|WebSocket|elemetry/;
    for (const [file, text] of texts) assert.ok(file.startsWith("gateway") || !network.test(text), file);
  });

  it("gives VS Code nothing to sync", () => {
    for (const [file, text] of texts) assert.ok(!text.includes("setKeysForSync"), file);
  });
});

/** The files of the source that a file imports or exports from, by their paths below it. Lazy imports are none. */
function importsOf(file: string, text: string): readonly string[] {
  return [...text.matchAll(/^(?:import|export|\}) [^"]*?"(\.[^"]+)";$/gm)].map(([, path = ""]) =>
    join(dirname(file), path),
  );
}

/** The files of all circles and between them: what is left without those that import, or serve, nothing of the rest. */
function circlesIn(imports: ReadonlyMap<string, readonly string[]>): readonly string[] {
  let left = [...imports.keys()];
  for (;;) {
    const isLeft = new Set(left);
    const isServing = new Set(left.flatMap((file) => imports.get(file) ?? []));
    const next = left.filter((file) => isServing.has(file) && imports.get(file)?.some((target) => isLeft.has(target)));
    if (next.length === left.length) return left;
    left = next;
  }
}

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import type { Metafile } from "esbuild";
import manifest from "../../package.json" with { type: "json" };
import { root } from "../../scripts/paths.ts";
import { billOfMaterials } from "../../scripts/bundle/billOfMaterials.ts";
import { bundledPackages, vendored } from "../../scripts/bundle/bundledPackages.ts";
import { thirdPartyNotices } from "../../scripts/bundle/thirdPartyNotices.ts";
import { testFolder } from "../support/testFolder.ts";
import { buildIn } from "./buildIn.ts";

const hash = Buffer.from("what npm installs").toString("base64");

describe("the packages in the bundles", function () {
  this.timeout(60_000);
  const folder = testFolder();

  it("are all named by the build, with version, license, hash and address, and so is what they bring along", async () => {
    await buildIn(folder());
    const dist = join(folder(), "dist");
    const { outputs } = await readJson<Metafile>(join(dist, "meta.json"));
    const notices = await readFile(join(dist, "ThirdPartyNotices.txt"), "utf8");
    const { components } = await readJson<{ readonly components: readonly Component[] }>(join(dist, "sbom.cdx.json"));
    const lock = await readJson<Lock>(join(root, "package-lock.json"));
    const inputs = [...new Set(Object.values(outputs).flatMap((output) => Object.keys(output.inputs)))];
    const names = inputs.flatMap((path) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []);
    assert.deepEqual(new Set(components.map(({ name }) => name)), new Set(names));
    assert.ok(components.length > 1);
    for (const { name, version, purl, licenses, hashes } of components) {
      const locked = lock.packages[`node_modules/${name}`];
      const integrity = `sha512-${Buffer.from(hashes[0]?.content ?? "", "hex").toString("base64")}`;
      assert.deepEqual([version, integrity], [locked?.version, locked?.integrity]);
      assert.equal(purl, `pkg:npm/${name.replace("@", "%40")}@${version}`);
      const [{ license } = assert.fail(name)] = licenses;
      const text = await readFile(join(root, "node_modules", name, "LICENSE"), "utf8");
      for (const part of [`${name} ${version} (${license.id})`, license.text.content, text.trim()])
        assert.ok(notices.includes(part), part);
    }

    // WebAssembly of others comes along with some.
    const folders = [...vendored].flatMap(([name, { parts }]) => parts.map((part) => `/${name}/${part.folder}/`));
    const modules = inputs
      .filter((path) => path.includes("node_modules/"))
      .filter((path) => readFileSync(join(folder(), path)).includes("AGFzbQ"));
    assert.ok(modules.length > 0);
    const unknown = modules.filter((path) => !folders.some((known) => path.includes(known)));
    assert.deepEqual(unknown, []);
    const parts = components.flatMap(({ components = [] }) => components.map(({ name }) => name));
    assert.deepEqual(parts, ["llhttp"]);
    assert.match(notices, /Fedor Indutny/);
  });

  it("are listed in the form of CycloneDX 1.6, with the same bytes each time", async () => {
    const packages = await packagesOf({ name: "one", license: "MIT" });
    const text = billOfMaterials(manifest, packages);
    assert.equal(billOfMaterials(manifest, packages), text);
    assert.notEqual(billOfMaterials({ ...manifest, version: "9.9.9" }, packages), text);
    const { bomFormat, specVersion, version, serialNumber } = JSON.parse(text) as Record<string, unknown>;
    assert.deepEqual([bomFormat, specVersion, version], ["CycloneDX", "1.6", 1]);
    const version8 = /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
    assert.match(String(serialNumber), version8);
    assert.doesNotMatch(text, /timestamp/);
  });

  it("have the license texts of the folders that code was taken from", async () => {
    const files = ["index.js", "lib/borrowed/index.js"];
    const [one] = await packagesOf({ name: "@scope/one", license: "MIT", files });
    assert.deepEqual(one?.texts, ["License of @scope/one", "License of what is borrowed"]);
    assert.equal(one.purl, "pkg:npm/%40scope/one@1.2.3");
    const notices = thirdPartyNotices([one]);
    assert.ok(one.texts.every((text) => notices.includes(text)));
    const [other] = await packagesOf({ name: "@scope/one", license: "MIT" });
    assert.deepEqual(other?.texts, ["License of @scope/one"]);
  });

  for (const [flaw, given, expected] of [
    ["license text", { hasText: false }, /one 1\.2\.3 has no license text/],
    ["license", { license: undefined }, /one names no license/],
    ["hash in the lock file", { integrity: undefined }, /one 1\.2\.3 has no hash/],
    ["strong hash in the lock file", { integrity: "sha1-abc" }, /one 1\.2\.3 has no hash/],
    ["look at what it brings along", { name: "undici" }, /Look what undici 1\.2\.3 brings along/],
  ] as const) {
    it(`fail the build without a ${flaw}`, async () => {
      await assert.rejects(packagesOf({ name: "one", license: "MIT", ...given }), expected);
    });
  }

  /** The packages found in a bundle of files from one package installed like this. */
  async function packagesOf(given: Installed): ReturnType<typeof bundledPackages> {
    const { name, license, hasText = true, files = ["index.js"] } = given;
    const integrity = "integrity" in given ? given.integrity : `sha512-${hash}`;
    const home = join(folder(), "node_modules", name);
    await mkdir(join(home, "lib/borrowed"), { recursive: true });
    await writeFile(join(home, "package.json"), JSON.stringify({ name, version: "1.2.3", license }));
    if (hasText) await writeFile(join(home, "LICENSE"), `License of ${name}\r\n`);
    await writeFile(join(home, "lib/borrowed/license.md"), "License of what is borrowed");
    const lock = { packages: { [`node_modules/${name}`]: { integrity } } };
    await writeFile(join(folder(), "package-lock.json"), JSON.stringify(lock));
    const paths = [join(root, "src/extension.ts"), ...files.map((file) => join(home, file))];
    const inputs = Object.fromEntries(paths.map((path) => [relative(process.cwd(), path), { bytesInOutput: 1 }]));
    const output = { bytes: 1, inputs, imports: [], exports: [] };
    return await bundledPackages({ outputs: { "dist/client.cjs": output } }, folder());
  }
});

interface Installed {
  readonly name: string;
  readonly license: string | undefined;
  readonly hasText?: boolean;
  readonly integrity?: string | undefined;
  /** The files in the bundle. */
  readonly files?: readonly string[];
}

interface Lock {
  readonly packages: Readonly<Record<string, Readonly<Record<"version" | "integrity", string>>>>;
}

interface Component extends Readonly<Record<"name" | "version" | "purl", string>> {
  readonly licenses: readonly {
    readonly license: { readonly id: string; readonly text: { readonly content: string } };
  }[];
  readonly hashes: readonly { readonly content: string }[];
  readonly components?: readonly Component[];
}

async function readJson<T>(path: string): Promise<T> {
  return JSON.parse(await readFile(path, "utf8")) as T;
}

import type { Metafile } from "esbuild";
import { readFileSync } from "node:fs";
import { readdir, readFile, realpath } from "node:fs/promises";
import { join, relative, resolve, sep } from "node:path";

/** An npm package whose code is in a bundle. */
export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  /** SPDX identifier. */
  readonly license: string;
  readonly purl: string;
  /** SHA-512 of the package's archive in hexadecimal, from the lock file. */
  readonly hash: string;
  /** License texts of the package and of the folders that files come from. */
  readonly texts: readonly string[];
  /** Third-party code inside the package. */
  readonly parts: readonly BundledPart[];
}

/** Third-party code inside a package. */
export interface BundledPart {
  readonly name: string;
  readonly version: string;
  /** SPDX identifier. */
  readonly license: string;
  readonly purl: string;
  /** The text of the license. */
  readonly text: string;
}

/**
 * Finds the npm packages that esbuild bundled, sorted by name. `root` is the folder with packages and lock file.
 *
 * @throws if one has no license, license text or hash, or contains third-party code that nobody has reviewed.
 */
export async function bundledPackages(
  { outputs }: Pick<Metafile, "outputs">,
  root: string,
): Promise<readonly BundledPackage[]> {
  const modules = await realpath(join(root, "node_modules"));
  const inputs = new Set(Object.values(outputs).flatMap(({ inputs }) => Object.keys(inputs)));
  const files = await Promise.all([...inputs].map((file) => realpath(file).catch(() => resolve(file))));
  const byFolder = Map.groupBy(
    files.map((file) => relative(modules, file).split(sep).join("/")).filter((file) => !file.startsWith("../")),
    folderOf,
  );
  const hashes = await lockedHashes(root);
  const packages = [...byFolder].map(([folder, files]) => describe(modules, folder, files, hashes.get(folder)));
  return (await Promise.all(packages)).toSorted((one, other) => (one.purl < other.purl ? -1 : 1));
}

/** The folder of the package that a file in `node_modules` belongs to; packages can be nested. */
function folderOf(file: string): string {
  return /^(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? file;
}

async function describe(
  modules: string,
  folder: string,
  files: readonly string[],
  integrity: string | undefined,
): Promise<BundledPackage> {
  const manifest = JSON.parse(await readFile(join(modules, folder, "package.json"), "utf8")) as Record<string, unknown>;
  const { name, version, license } = manifest;
  if (typeof name !== "string" || typeof version !== "string") throw new Error(`${folder} has no name or version.`);
  if (typeof license !== "string") throw new Error(`${name} names no license.`);
  const [, hash] = /^sha512-(\S+)$/.exec(integrity ?? "") ?? [];
  if (hash === undefined) throw new Error(`${name} ${version} has no hash in package-lock.json.`);

  const folders = foldersOf(folder, files);
  const texts = await Promise.all(folders.map((path) => licenseTexts(join(modules, path))));
  if ((texts[0] ?? []).length === 0) throw new Error(`${name} ${version} has no license text.`);
  const known = vendored.get(name);
  if (known && known.version !== version) {
    throw new Error(`Look what ${name} ${version} brings along, and update ${known.version} in bundledPackages.ts.`);
  }
  const parts = (known?.parts ?? []).filter((part) => folders.includes(`${folder}/${part.folder}`));
  return {
    ...{ name, version, license },
    purl: `pkg:npm/${name.replace("@", "%40")}@${version}`,
    hash: Buffer.from(hash, "base64").toString("hex"),
    texts: texts.flat(),
    parts,
  };
}

/** The package's folder, then the folders on the way to the bundled files. */
function foldersOf(folder: string, files: readonly string[]): readonly string[] {
  const below = files.flatMap((file) => {
    const names = file
      .slice(folder.length + 1)
      .split("/")
      .slice(0, -1);
    return names.map((_, index) => [folder, ...names.slice(0, index + 1)].join("/"));
  });
  return [folder, ...[...new Set(below)].toSorted()];
}

async function licenseTexts(folder: string): Promise<readonly string[]> {
  const names = (await readdir(folder))
    .filter((name) => /^(?:licen[cs]e|copying|notice)(?:[.-]|$)/i.test(name))
    .toSorted();
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")));
  return texts.map((text) => text.replaceAll("\r\n", "\n").trim()).filter((text) => text !== "");
}

/** The lock file's hashes, by package folder in `node_modules`. */
async function lockedHashes(root: string): Promise<ReadonlyMap<string, string>> {
  const lock = JSON.parse(await readFile(join(root, "package-lock.json"), "utf8")) as {
    readonly packages: Readonly<Record<string, { readonly integrity?: string }>>;
  };
  return new Map(
    Object.entries(lock.packages).map(([path, { integrity = "" }]) => [path.replace(/^node_modules\//, ""), integrity]),
  );
}

/**
 * Third-party code that package.json does not mention, in folders of the reviewed version of a package; a new version must
 * be reviewed again. undici names the version of llhttp in its repository (deps/llhttp/include/llhttp.h), and has no license
 * for it. Its other parser, milo, is not bundled (esbuild.mjs).
 */
export const vendored: ReadonlyMap<string, { readonly version: string; readonly parts: readonly VendoredPart[] }> =
  new Map([["undici", { version: "8.12.4", parts: [llhttp()] }]]);

type VendoredPart = BundledPart & { readonly folder: string };

function llhttp(): VendoredPart {
  const text = readFileSync(join(import.meta.dirname, "llhttp-LICENSE.txt"), "utf8").trim();
  const purl = "pkg:github/nodejs/llhttp@v9.3.1";
  return { name: "llhttp", version: "9.3.1", license: "MIT", purl, folder: "lib/llhttp", text };
}

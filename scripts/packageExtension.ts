import { createVSIX, listFiles, PackageManager } from "@vscode/vsce";
import { chmod, copyFile, mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import manifest from "../package.json" with { type: "json" };
import { root, vsixPath } from "./paths.ts";
import { runProgram } from "./runProgram.ts";
import { unzip } from "./unzip.ts";

/** Maximum size of the VSIX, in bytes. */
export const maxSize = 400 * 1024;

/** Files allowed in the VSIX: what users need, and the two files that make a zip file a VSIX. */
const allowed = [
  /^extension\/package(\.nls(\.[\w-]+)?)?\.json$/,
  /^extension\/(readme|changelog)\.md$/i,
  /^extension\/LICENSE(\.txt)?$/i,
  /^extension\/(ThirdPartyNotices\.txt|sbom\.cdx\.json)$/,
  /^extension\/dist\/([\w-]+\.cjs|l10n\/bundle\.l10n\.[\w-]+\.json)$/,
  /^extension\/media\//,
  /^extension\.vsixmanifest$/,
  /^\[Content_Types\]\.xml$/,
];

/** Build results for the top folder of the package. */
const builtForTop = ["ThirdPartyNotices.txt", "sbom.cdx.json"];

/** Fields of package.json that VS Code does not use. */
const forDevelopment = new Set(["scripts", "devDependencies", "allowScripts", "prettier", "knip"]);

/**
 * Builds and packages the extension. The same commit gives the same bytes on every machine. Returns the size in bytes.
 *
 * @throws if the package is too large or contains files that users do not need.
 */
export async function packageExtension(): Promise<number> {
  process.env.SOURCE_DATE_EPOCH ??= await commitTime();
  process.env.TZ = "UTC";
  await runProgram(process.execPath, ["esbuild.mjs", "--production"], { cwd: root });
  const stage = await mkdtemp(join(tmpdir(), "codex-gateway-package-"));
  // Moved at the end, because the existing package may be in use.
  const made = vsixPath.replace(/\.vsix$/, `-${process.pid}.vsix`);
  try {
    await fill(stage);
    await zip(stage, made);
    const vsix = await readFile(made);
    const strangers = [...unzip(vsix).keys()].filter((name) => !allowed.some((pattern) => pattern.test(name)));
    if (strangers.length > 0) throw new Error(`The VSIX holds what does not belong there: ${strangers.join(", ")}`);
    if (vsix.length > maxSize) throw new Error(`The VSIX is larger than ${maxSize} bytes: ${vsix.length}.`);
    await rename(made, vsixPath);
    return vsix.length;
  } finally {
    await rm(stage, { recursive: true });
    await rm(made, { force: true });
  }
}

async function zip(folder: string, packagePath: string): Promise<void> {
  const noQuestions = { skipLicense: true, allowMissingRepository: true, rewriteRelativeLinks: false };
  await createVSIX({ cwd: folder, packagePath, dependencies: false, ...noQuestions });
}

/** Copies the files to package. All get the same permissions, which would otherwise be stored in the zip. */
async function fill(stage: string): Promise<void> {
  const files = await listFiles({ cwd: root, packageManager: PackageManager.None });
  for (const file of [...files, ".vscodeignore"]) {
    const target = join(stage, file);
    await mkdir(dirname(target), { recursive: true });
    await copyFile(join(root, file), target);
    await chmod(target, 0o644);
  }
  for (const file of builtForTop) {
    await copyFile(join(root, "dist", file), join(stage, file));
    await chmod(join(stage, file), 0o644);
  }
  await writeFile(join(stage, "package.json"), JSON.stringify(published(), undefined, 2));
  await writeFile(join(stage, "README.md"), packagedReadme(await readFile(join(root, "README.md"), "utf8")));
}

/** The manifest as it is published. */
function published(): object {
  return Object.fromEntries(Object.entries(manifest).filter(([field]) => !forDevelopment.has(field)));
}

/** Commit time in seconds since 1970. Outside a git checkout, it is in 2000. */
async function commitTime(): Promise<string> {
  const time = await runProgram("git", ["log", "-1", "--format=%ct"], { cwd: root }).catch(() => "946684800");
  return time.trim();
}

/** A paragraph with only an image or link to a file in the repository. */
const relativeParagraph = /^(?:!?\[[^\]]*\]\((?![a-z]+:|#)[^)]*\)|<picture>[^]*?<\/picture>)\n\n/gm;

/** A sentence that only says which files to see. */
const relativeSentence = /\s+See (?:\[[^\]]*\]\((?![a-z]+:|#)[^)]*\)(?:,?\s+and\s+)?)+\./g;

/** A link to a file in the repository. */
const relativeLink = /\[([^\]]*)\]\((?![a-z]+:|#)[^)]*\)/g;

/**
 * The README for VS Code's extension details view, which shows images only from https, not from the package or data:
 * URIs (seen in VS Code 1.139). Without public addresses, removes what would be broken there, and keeps the text of links.
 */
function packagedReadme(markdown: string): string {
  return markdown
    .replaceAll(relativeParagraph, "")
    .replaceAll(relativeSentence, "")
    .replaceAll(relativeLink, (_, text: string) => text);
}

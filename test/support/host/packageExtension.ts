import { createVSIX } from "@vscode/vsce";
import { readFile } from "node:fs/promises";
import { root, vsixPath } from "./paths.ts";
import { runProgram } from "./runProgram.ts";
import { zipNames } from "./zipNames.ts";

/** The largest VSIX that is let through, in bytes. */
export const maxSize = 500 * 1024;

/** What a VSIX may hold: what users get, and the two files that make a zip file a VSIX. */
const allowed = [
  /^extension\/package(\.nls(\.[\w-]+)?)?\.json$/,
  /^extension\/(readme|changelog)[\w.-]*\.md$/i,
  /^extension\/LICENSE(\.txt)?$/i,
  /^extension\/(dist|media)\//,
  /^extension\.vsixmanifest$/,
  /^\[Content_Types\]\.xml$/,
];

/**
 * Builds the extension and packages it; the same commit gives the same bytes. Gives the size in bytes.
 *
 * @throws when the package is too large or holds what users have no use for.
 */
export async function packageExtension(): Promise<number> {
  process.env.SOURCE_DATE_EPOCH ??= await commitTime();
  process.env.TZ = "UTC";
  const noQuestions = { dependencies: false, skipLicense: true, allowMissingRepository: true };
  await createVSIX({ cwd: root, packagePath: vsixPath, ...noQuestions });

  const vsix = await readFile(vsixPath);
  const strangers = zipNames(vsix).filter((name) => !allowed.some((pattern) => pattern.test(name)));
  if (strangers.length > 0) throw new Error(`The VSIX holds what does not belong there: ${strangers.join(", ")}`);
  if (vsix.length > maxSize) throw new Error(`The VSIX is larger than ${maxSize} bytes: ${vsix.length}.`);
  return vsix.length;
}

/** In seconds since 1970. Outside of a git checkout every package is from 2000. */
async function commitTime(): Promise<string> {
  const time = await runProgram("git", ["log", "-1", "--format=%ct"], { cwd: root }).catch(() => "946684800");
  return time.trim();
}

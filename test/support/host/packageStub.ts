import { createVSIX } from "@vscode/vsce";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import ours from "../../../package.json" with { type: "json" };

/** What the manifest of a stub has to say. */
export interface StubManifest {
  readonly publisher: string;
  readonly name: string;
  readonly version: string;
  readonly activationEvents: readonly string[];
  readonly contributes?: Readonly<Record<string, unknown>>;
}

/** Packages an extension that consists of one CommonJS file, in a folder that exists. Returns the path of the VSIX. */
export async function packageStub(folder: string, manifest: StubManifest, code: string): Promise<string> {
  const [source, vsix] = [join(folder, manifest.name), join(folder, `${manifest.name}.vsix`)];
  await mkdir(source);
  const whole = { ...manifest, engines: ours.engines, main: "./main.js" };
  await writeFile(join(source, "package.json"), JSON.stringify(whole));
  await writeFile(join(source, "main.js"), code);
  const noQuestions = { skipLicense: true, allowMissingRepository: true };
  await createVSIX({ cwd: source, packagePath: vsix, dependencies: false, ...noQuestions });
  return vsix;
}

import Mocha from "mocha";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { format } from "node:util";
import { runCounted } from "../support/stages/counts.ts";

/**
 * Runs the suite inside the extension host; VS Code calls it. What happened goes into the report file, because the way
 * a console takes out of the extension host differs from host to host.
 */
export async function run(): Promise<void> {
  const { CODEX_GATEWAY_SUITE_REPORT: reportFile, CODEX_GATEWAY_SUITE_GREP: grep } = process.env;
  if (!reportFile) throw new Error("CODEX_GATEWAY_SUITE_REPORT names no file.");
  const lines: string[] = [];
  Mocha.reporters.Base.consoleLog = (...parts: unknown[]) => lines.push(format(...parts));

  const mocha = new Mocha({ timeout: 60_000, color: false, ...(grep && { grep }) });
  const files = readdirSync(__dirname, { recursive: true, encoding: "utf8" });
  for (const file of files.sort()) if (file.endsWith(".test.cjs")) mocha.addFile(join(__dirname, file));
  const counts = await runCounted(mocha);
  writeFileSync(reportFile, JSON.stringify({ ...counts, list: lines.join("\n") }));
}

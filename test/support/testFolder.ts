import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A test that needs the links and permissions of POSIX. */
export function posixIt(title: string, test: () => Promise<void> | void): void {
  // Each file that runs in a process has an `it` of its own.
  (process.platform === "win32" ? it.skip : it)(title, test);
}

/** Hooks of a block of tests: a new folder for each, by its real path unless `parent` is given, and removed after it. */
export function testFolder(parent = realpathSync(tmpdir())): () => string {
  let folder = "";
  beforeEach(() => (folder = mkdtempSync(join(parent, "codex-gateway-"))));
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  });
  return () => folder;
}

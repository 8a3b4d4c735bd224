import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { sampleWorkspace } from "../../../scripts/paths.ts";

/** A writable copy of the sample workspace. */
export interface WorkspaceCopy extends AsyncDisposable {
  readonly folder: string;
}

/** Copies a sample workspace to a temporary folder; disposing removes the copy. */
export async function copyWorkspace(sample = sampleWorkspace): Promise<WorkspaceCopy> {
  const parent = await mkdtemp(join(tmpdir(), "codex-gateway-workspace-"));
  const folder = join(parent, basename(sample));
  await cp(sample, folder, { recursive: true });
  const remove = async (): Promise<void> => rm(parent, { recursive: true, force: true, maxRetries: 10 });
  return { folder, [Symbol.asyncDispose]: remove };
}

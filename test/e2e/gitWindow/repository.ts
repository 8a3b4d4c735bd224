import { chmodSync } from "node:fs";
import { join } from "node:path";
import type { LocalGateway } from "../../support/gateway/gateway.ts";
import { createRepository } from "../../support/git/gitFolder.ts";
import { connectedTo } from "../../support/host/profile.ts";
import type { WorkbenchOptions } from "../support/workbench.ts";

/** With a byte order mark and the line endings of Windows, which an edit keeps. */
export const lamp = '\uFEFFexport const lamp = "off";\r\nexport const color = "white";\r\n';
export const tower = "export const height = 10;\n";
export const script = "#!/bin/sh\necho light\n";
export const old = "export const old = true;\n";

/** A file in which a review finds a bug, depending on how long its loop goes on. */
export const harbor = (condition: string): string =>
  `export function dock(ships: string[]): void {\n  for (let i = 0; ${condition}; i++) {\n    console.log(ships[i]);\n  }\n}\n`;

/** A window with a repository: changes to harbor, pier, and secrets that are not committed, and other files to edit. */
export function withRepository(gateway: LocalGateway, cleanup: AsyncDisposableStack): WorkbenchOptions {
  const repository = cleanup.use(createRepository());
  const { folder } = repository;
  repository.write("run.sh", script);
  chmodSync(join(folder, "run.sh"), 0o755);
  repository.write("harbor.ts", harbor("i < ships.length"));
  repository.write("pier.ts", "export const boats = 1;\n");
  repository.write(".env", "PASSWORD=never-to-be-sent\n");
  repository.commit("docs: open the harbor", { "lamp.ts": lamp, "tower.ts": tower, "old.ts": old });
  repository.write("harbor.ts", harbor("i <= ships.length"));
  repository.write("pier.ts", 'export const boats = 2;\nexport const password = "never-to-be-sent-at-all";\n');
  repository.write(".env", "PASSWORD=never-to-be-sent-either\n");
  const settings = {
    "codexGateway.commitMessage.model": "gpt-5.4",
    "codexGateway.commitMessage.language": "English",
    "codexGateway.review.model": "gpt-5.4",
  };
  return { ...connectedTo(gateway, settings), workspace: folder };
}

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** A repository in a temporary folder, made with the `git` of this machine. Disposing removes it. */
export interface GitFolder extends Disposable {
  readonly folder: string;
  /** Runs Git there, without the settings of this machine's user, and returns its output. */
  git(...args: readonly string[]): string;
  /** Writes a file and the folders around it. */
  write(path: string, text: string | Uint8Array): void;
  /** Writes files and stages all changes. */
  stage(files?: Readonly<Record<string, string | Uint8Array>>): void;
  /** Writes files and commits all changes. */
  commit(message: string, files?: Readonly<Record<string, string | Uint8Array>>): void;
}

/** Creates an empty repository. */
export function createRepository(): GitFolder {
  const parent = realpathSync(mkdtempSync(join(tmpdir(), "codex-gateway-git-")));
  const folder = join(parent, "repository");
  mkdirSync(folder);
  const repository = gitFolderAt(folder, () => {
    rmSync(parent, { recursive: true, force: true, maxRetries: 10 });
  });
  repository.git("init", "--quiet", "--initial-branch=main");
  return repository;
}

/** A repository, or worktree, that is there. */
export function gitFolderAt(folder: string, remove: () => void = () => undefined): GitFolder {
  const git = (...args: readonly string[]): string => runGit(folder, args);
  const write: GitFolder["write"] = (path, text) => {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  };
  const stage: GitFolder["stage"] = (files = {}) => {
    for (const [path, text] of Object.entries(files)) write(path, text);
    git("add", "--all");
  };
  const commit: GitFolder["commit"] = (message, files) => {
    stage(files);
    git("commit", "--quiet", "--allow-empty", "-m", message);
  };
  return { folder, git, write, stage, commit, [Symbol.dispose]: remove };
}

/** Runs Git in a folder. */
function runGit(folder: string, args: readonly string[]): string {
  const who = ["-c", "user.name=Test", "-c", "user.email=test@example.com", "-c", "protocol.file.allow=always"];
  const env = { ...process.env, GIT_CONFIG_GLOBAL: join(folder, "..", "none"), GIT_CONFIG_NOSYSTEM: "1" };
  return execFileSync("git", [...who, "-c", "commit.gpgSign=false", ...args], {
    cwd: folder,
    env,
    encoding: "utf8",
    maxBuffer: 2 ** 26,
    stdio: ["ignore", "pipe", "pipe"],
  });
}

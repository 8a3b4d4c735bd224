import { execFileSync } from "node:child_process";
import { root } from "../../../scripts/paths.ts";

/** A file of a commit: without `before` it is new, without `after` deleted, with `newPath` renamed. */
export interface CommittedFile {
  readonly path: string;
  readonly newPath?: string;
  readonly before?: string;
  readonly after?: string;
}

export interface Commit {
  readonly id: string;
  readonly files: readonly CommittedFile[];
}

/** The largest file that is a task, in characters. */
const largest = 60_000;

/**
 * Commits of two to eight text files from the history of this repository, oldest first, so that new commits change no
 * test. A checkout may have no history; then there are none, and the reason.
 */
export function commits(count: number): { readonly commits: readonly Commit[]; readonly missing?: string } {
  try {
    if (git(["rev-parse", "--is-shallow-repository"]).toString().trim() !== "false") {
      return { commits: [], missing: "shallow clone" };
    }
    const options = ["--no-merges", "--reverse", "-M", "--name-status", "-z", "--format=%x01%H"];
    const log = git(["log", ...options]).toString();
    const listed = log
      .split("\u0001")
      .flatMap(readCommit)
      .slice(0, count * 3);
    const names = listed.flatMap(({ id, files }) =>
      files.flatMap(({ path, newPath = path }) => [`${id}^:${path}`, `${id}:${newPath}`]),
    );
    const texts = readTexts(names);
    const found = listed.flatMap(({ id, files }): readonly Commit[] => {
      const read = files.map((file): CommittedFile => {
        const before = file.before === undefined ? undefined : texts.get(`${id}^:${file.path}`);
        const after = file.after === undefined ? undefined : texts.get(`${id}:${file.newPath ?? file.path}`);
        return { ...file, ...(before !== undefined && { before }), ...(after !== undefined && { after }) };
      });
      return read.every(isTask) ? [{ id, files: read }] : [];
    });
    return found.length < count ? { commits: found, missing: "short history" } : { commits: found.slice(0, count) };
  } catch (cause) {
    return { commits: [], missing: String(cause) };
  }
}

/** The files of a commit, with empty texts where there is one. */
function readCommit(section: string): readonly Commit[] {
  const [id = "", ...rest] = section.split(/[\0\n]+/).filter((field) => field !== "");
  const files: CommittedFile[] = [];
  for (let index = 0; index < rest.length; index += 2) {
    const [status = "", path = ""] = [rest[index], rest[index + 1]];
    if (status.startsWith("R")) {
      files.push({ path, newPath: rest[index + 2] ?? "", before: "", after: "" });
      index += 1;
    } else if (status === "A") files.push({ path, after: "" });
    else if (status === "D") files.push({ path, before: "" });
    else files.push({ path, before: "", after: "" });
  }
  return files.length >= 2 && files.length <= 8 ? [{ id, files }] : [];
}

function isTask({ before, after }: CommittedFile): boolean {
  if (before === after) return before !== undefined;
  return [before, after].every(
    (text) => text === undefined || (text.length < largest && text.endsWith("\n") && !/[\0\uFFFD\r]/.test(text)),
  );
}

/** The texts of objects, by their names, in one call of git. */
function readTexts(names: readonly string[]): ReadonlyMap<string, string> {
  const input = names.join("\n");
  const output = execFileSync("git", ["cat-file", "--batch"], { cwd: root, input, maxBuffer: 2 ** 29 });
  const texts = new Map<string, string>();
  let at = 0;
  for (const name of names) {
    const end = output.indexOf(10, at);
    const head = output.toString("utf8", at, end);
    at = end + 1;
    const size = / blob (\d+)$/.exec(head)?.[1];
    if (size === undefined) continue;
    texts.set(name, output.toString("utf8", at, at + Number(size)));
    at += Number(size) + 1;
  }
  return texts;
}

function git(options: readonly string[]): Buffer {
  return execFileSync("git", options, { cwd: root, maxBuffer: 2 ** 28, stdio: ["ignore", "pipe", "pipe"] });
}

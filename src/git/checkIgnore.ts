import { execFile } from "node:child_process";
import { devNull } from "node:os";
import { dirname } from "node:path";

/** How long Git may take for one list of paths, in milliseconds. */
const timeLimit = 5_000;

/** How often Git is started: it ends at a path that it cannot check. */
const mostStarts = 3;

/** Maximum output of Git, in bytes. */
const longestOutput = 2 ** 26;

/** Fields that `git check-ignore --verbose -z` prints for each path: source, line, pattern, and the path. */
const fieldsPerPath = 4;

/**
 * Whether Git ignores each of these paths, which are relative to the top folder of a repository, with "/" between names. A
 * path that Git cannot check is missing: the repository may be broken or another user's, or Git too slow. Git runs programs
 * that the configuration of a repository names, so call this only in a trusted workspace.
 */
export async function checkIgnore(
  git: string,
  top: string,
  paths: readonly string[],
): Promise<ReadonlyMap<string, boolean>> {
  const signal = AbortSignal.timeout(timeLimit);
  const answers = new Map<string, boolean>();
  let remaining = paths;
  for (let start = 0; remaining.length > 0 && start < mostStarts && !signal.aborted; start += 1) {
    const read = readAnswers(await run(git, top, remaining, signal), remaining);
    for (const [path, isIgnored] of read) answers.set(path, isIgnored);
    // Git ends at the first path that it cannot check, for example behind a broken link.
    remaining = remaining.slice(read.size + 1);
  }
  return answers;
}

/** The output of Git, up to where it failed. */
async function run(git: string, top: string, paths: readonly string[], signal: AbortSignal): Promise<string> {
  const options = ["-c", "core.fsmonitor=false", "-c", `core.hooksPath=${devNull}`];
  const args = ["-C", top, ...options, "check-ignore", "--verbose", "--non-matching", "-z", "--stdin"];
  const { promise, resolve } = Promise.withResolvers<string>();
  const child = execFile(
    git,
    args,
    // Windows loads libraries from the working folder.
    {
      cwd: dirname(git),
      env: environment(),
      signal,
      killSignal: "SIGKILL",
      maxBuffer: longestOutput,
      windowsHide: true,
    },
    (_failure, output) => {
      resolve(output);
    },
  );
  // Git may end before it has read all paths.
  child.stdin?.on("error", () => undefined);
  // Otherwise, a name that begins with a colon would be a pattern.
  child.stdin?.end(paths.map((path) => `./${path}\0`).join(""));
  return await promise;
}

/** The environment without variables that make Git use another repository, start programs, or write files. */
function environment(): NodeJS.ProcessEnv {
  const isAllowed = (name: string): boolean =>
    !/^GIT_/i.test(name) || /^GIT_CONFIG_(?:GLOBAL|SYSTEM|NOSYSTEM)$/i.test(name);
  return {
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => isAllowed(name))),
    GIT_OPTIONAL_LOCKS: "0",
    // In a partial clone, Git fetches missing objects.
    GIT_NO_LAZY_FETCH: "1",
    GIT_ALLOW_PROTOCOL: "none",
  };
}

/** Whether each of the first paths is ignored, as far as the output goes. */
function readAnswers(output: string, paths: readonly string[]): ReadonlyMap<string, boolean> {
  const fields = output.split("\0");
  const answers = new Map<string, boolean>();
  for (const [index, path] of paths.entries()) {
    const [, , pattern, answered, ...more] = fields.slice(fieldsPerPath * index, fieldsPerPath * (index + 1) + 1);
    if (pattern === undefined || answered !== `./${path}` || more.length === 0) break;
    // A pattern that begins with an exclamation mark includes files again.
    answers.set(path, pattern !== "" && !pattern.startsWith("!"));
  }
  return answers;
}

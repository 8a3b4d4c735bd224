import { execFile } from "node:child_process";
import { devNull } from "node:os";
import { dirname } from "node:path";

/** How long Git may take for one list of paths, in milliseconds. */
const timeLimit = 5_000;

/** How often Git is started again behind a path that it cannot judge. */
const mostStarts = 3;

/** The most that Git may print, in bytes. */
const longestOutput = 2 ** 26;

/** Fields that `git check-ignore --verbose -z` prints for each path: source, line, pattern, and the path. */
const fieldsPerPath = 4;

/**
 * Whether Git ignores each of these paths, which are relative to the top folder of a repository, with "/" between names.
 * A path that Git does not answer for is missing: the repository may be broken or another user's, or Git too slow. Git runs
 * what the configuration of a repository names, so call it only in a trusted workspace.
 */
export async function checkIgnore(
  git: string,
  top: string,
  paths: readonly string[],
): Promise<ReadonlyMap<string, boolean>> {
  const signal = AbortSignal.timeout(timeLimit);
  const answers = new Map<string, boolean>();
  let left = paths;
  for (let start = 0; left.length > 0 && start < mostStarts && !signal.aborted; start += 1) {
    const read = readAnswers(await run(git, top, left, signal), left);
    for (const [path, isIgnored] of read) answers.set(path, isIgnored);
    // Git ends at the first path that it cannot judge, as one behind a broken link.
    left = left.slice(read.size + 1);
  }
  return answers;
}

/** What Git prints. What it does not print is no answer, for whatever reason it failed. */
async function run(git: string, top: string, paths: readonly string[], signal: AbortSignal): Promise<string> {
  const options = ["-c", "core.fsmonitor=false", "-c", `core.hooksPath=${devNull}`];
  const args = ["-C", top, ...options, "check-ignore", "--verbose", "--non-matching", "-z", "--stdin"];
  const { promise, resolve } = Promise.withResolvers<string>();
  const child = execFile(
    git,
    args,
    // Windows looks for libraries in the working folder.
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
  // Git that has ended takes no more paths.
  child.stdin?.on("error", () => undefined);
  // Otherwise, a name that begins with a colon would be a pattern.
  child.stdin?.end(paths.map((path) => `./${path}\0`).join(""));
  return await promise;
}

/** The environment without what makes Git look at another repository, or start or write something. */
function environment(): NodeJS.ProcessEnv {
  const isKept = (name: string): boolean =>
    !/^GIT_/i.test(name) || /^GIT_CONFIG_(?:GLOBAL|SYSTEM|NOSYSTEM)$/i.test(name);
  return {
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => isKept(name))),
    GIT_OPTIONAL_LOCKS: "0",
    // Git fetches what a partial clone lacks.
    GIT_NO_LAZY_FETCH: "1",
    GIT_ALLOW_PROTOCOL: "none",
  };
}

/** Whether each of the paths is ignored, for as many of the first as the output has an answer for. */
function readAnswers(output: string, paths: readonly string[]): ReadonlyMap<string, boolean> {
  const fields = output.split("\0");
  const answers = new Map<string, boolean>();
  for (const [index, path] of paths.entries()) {
    const [, , pattern, answered, ...more] = fields.slice(fieldsPerPath * index, fieldsPerPath * (index + 1) + 1);
    if (pattern === undefined || answered !== `./${path}` || more.length === 0) break;
    // A pattern that begins with an exclamation mark takes a file back in.
    answers.set(path, pattern !== "" && !pattern.startsWith("!"));
  }
  return answers;
}

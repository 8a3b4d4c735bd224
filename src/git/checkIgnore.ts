import { execFile } from "node:child_process";
import { devNull } from "node:os";
import { dirname } from "node:path";

/** How long Git may take for one list of paths, in milliseconds. */
const timeLimit = 5_000;

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
      timeout: timeLimit,
      killSignal: "SIGKILL",
      windowsHide: true,
      // By default, Git is stopped after 1 MiB, which is less than 8,000 paths.
      maxBuffer: Infinity,
    },
    // What Git has printed before a failure counts: it ends at a path that it cannot check, for example behind a broken link.
    (_failure, output) => {
      resolve(output);
    },
  );
  // Git may end before it has read all paths.
  child.stdin?.on("error", () => undefined);
  // Without "./", a name that begins with a colon would be pathspec magic.
  child.stdin?.end(paths.map((path) => `./${path}\0`).join(""));
  return readAnswers(await promise);
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

/** Reads the output of Git: for each path the source, line, and pattern of the rule, and the path, each with a null after it. */
function readAnswers(output: string): ReadonlyMap<string, boolean> {
  const fields = output.split("\0");
  const answers = new Map<string, boolean>();
  for (let next = 4; next < fields.length; next += 4) {
    const [pattern = "", path = ""] = fields.slice(next - 2, next);
    // A pattern that begins with an exclamation mark includes files again.
    answers.set(path.slice(2), pattern !== "" && !pattern.startsWith("!"));
  }
  return answers;
}

import { type ChildProcess, type ChildProcessByStdio, spawn } from "node:child_process";
import { homedir } from "node:os";
import { basename, delimiter, isAbsolute, join } from "node:path";
import type { Readable } from "node:stream";
import { UserError, type UserErrorKind } from "../failures/userError.ts";
import { unlessAborted } from "../gateway/abort.ts";
import { pathsInRoots, targetOf } from "../files/realPath.ts";
import { quote } from "../text/safeText.ts";
import type { Command } from "../settings/keyCommand.ts";

/** Maximum length of a key, in bytes. */
const maxLength = 16 * 1024;

/** Time from the end of a program to the end of its output, which its own child processes can hold open. */
const drainTime = 500;

/** Options of `runKeyCommand`. `limit`: maximum duration, in milliseconds. */
export interface RunOptions {
  /** The folders of the workspace, in which no program is looked up. */
  readonly roots?: readonly string[];
  readonly limit?: number;
  readonly signal?: AbortSignal;
}

/** Runs a program without a shell and returns the key that it prints. Throws `UserError`, or the reason of the signal. */
export async function runKeyCommand(command: Command, options: RunOptions = {}): Promise<string> {
  const [program = ""] = command;
  // A relative path would start a program in the folder that happens to be open.
  if (!isAbsolute(program) && basename(program) !== program)
    throw new UserError("keyCommandNotStarted", { subject: nameOf(program) });
  return keyIn(await outputOf(command, options), command);
}

/** The standard output of a program. Standard error is not read, because it can quote the key. */
async function outputOf(command: Command, { roots = [], limit = 30_000, signal }: RunOptions): Promise<string> {
  const [program = ""] = command;
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let output = "";
  const fail = (kind: UserErrorKind, subject = nameOf(program), cause?: unknown): void => {
    reject(new UserError(kind, { subject, cause }));
  };
  const path = await searchPath(roots);
  signal?.throwIfAborted();
  const child = start(command, path);
  const end = (): void => {
    endTree(child);
  };
  const done = (code: number | null, signal: NodeJS.Signals | null): void => {
    if (code === 0) resolve(output);
    else fail("keyCommandFailed", `${nameOf(program)} (${code ?? signal ?? ""})`);
  };
  const timer = setTimeout(() => {
    fail("keyCommandTimeout");
  }, limit);
  // Before the window closes.
  process.once("exit", end);
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
    if (output.length > 2 * maxLength) fail("keyCommandTooLong");
  });
  child.on("error", (cause) => {
    fail("keyCommandNotStarted", undefined, cause);
  });
  child.on("close", done);
  child.on("exit", (code, signal) => {
    setTimeout(done, drainTime, code, signal).unref();
  });
  try {
    return await (signal ? unlessAborted(promise, signal) : promise);
  } finally {
    clearTimeout(timer);
    process.off("exit", end);
    end();
    child.stdout.destroy();
  }
}

/** Starts a program. Throws `UserError` if Node.js throws synchronously, such as for a `.cmd` file on Windows. */
function start([program = "", ...args]: Command, path: string | undefined): ChildProcessByStdio<null, Readable, null> {
  try {
    return spawn(program, args, {
      env: { ...process.env, PATH: path },
      cwd: homedir(),
      stdio: ["ignore", "pipe", "ignore"],
      windowsHide: true,
      // A process group of its own, so that the processes it starts end with it. `execFile` cannot do this (Node.js 24).
      detached: !isWindows,
    });
  } catch (cause) {
    throw new UserError("keyCommandNotStarted", { subject: nameOf(program), cause });
  }
}

/** The `PATH` of a program and the processes it starts: no relative folders, and none of the workspace. */
async function searchPath(roots: readonly string[]): Promise<string | undefined> {
  const folders = (process.env.PATH ?? "").split(delimiter).filter((folder) => isAbsolute(folder));
  const inside = await Promise.all(folders.map(async (folder) => pathsInRoots(await targetOf(folder), roots)));
  // An empty `PATH` would mean the working directory.
  return folders.filter((_, index) => inside[index]?.length === 0).join(delimiter) || undefined;
}

const isWindows = process.platform === "win32";

function endTree(program: ChildProcess): void {
  if (program.pid === undefined || program.exitCode !== null || program.signalCode !== null) return;
  if (isWindows) {
    const taskkill = join(process.env.SystemRoot ?? "C:\\Windows", "System32", "taskkill.exe");
    const ended = spawn(taskkill, ["/pid", String(program.pid), "/t", "/f"], { stdio: "ignore", windowsHide: true });
    ended.on("error", () => program.kill());
    return;
  }
  try {
    process.kill(-program.pid, "SIGKILL");
  } catch {
    // It has already ended.
  }
}

/** The key in what a command printed. Throws `UserError`. */
function keyIn(output: string, [program = ""]: Command): string {
  const key = output.trim();
  const subject = nameOf(program);
  if (key === "") throw new UserError("keyCommandEmpty", { subject });
  if (Buffer.byteLength(key) > maxLength) throw new UserError("keyCommandTooLong", { subject });
  if (/[\r\n]/.test(key)) throw new UserError("keyCommandLines", { subject });
  // Headers cannot contain other characters.
  if (!/^[!-~]+$/.test(key)) throw new UserError("keyCommandCharacters", { subject });
  return key;
}

/** The name of a program without its folder. */
function nameOf(program: string): string {
  return quote(basename(program), 60);
}

import { spawn } from "node:child_process";
import { basename } from "node:path";
import { UserError, type UserErrorKind } from "../failures/userError.ts";
import type { Command } from "../settings/keyCommand.ts";
import { maskText } from "../text/maskSecrets.ts";
import { quote } from "../text/safeText.ts";
import { cleaning } from "../text/withoutKeys.ts";

/** Maximum length of a key, in bytes. */
const maxLength = 16 * 1024;

/** Time for a command, in milliseconds. */
const timeLimit = 30_000;

/** Time from the end of a program to the end of its output, which its own child processes can hold open. */
const outputLimit = 500;

/** What is kept of standard error, in characters. */
const maxComplaint = 4096;

/** Runs a program without a shell, for `limit` milliseconds at most, and returns the key that it prints. Throws `UserError`. */
export async function printKey(command: Command, limit = timeLimit): Promise<string> {
  return keyIn(await outputOf(command, limit), command);
}

/** What a program prints. Throws `UserError`. */
async function outputOf([program = "", ...args]: Command, limit: number): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let [output, complaint] = ["", ""];
  const fail = (kind: UserErrorKind, subject = nameOf(program), cause?: unknown): void => {
    reject(new UserError(kind, { subject, cause }));
  };
  // A group of its own, so that what the program has started ends with it.
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"], windowsHide: true, detached: !isWindows });
  const done = (code: number | null, signal: NodeJS.Signals | null): void => {
    const end = code === null ? (signal ?? "") : `exit code ${code}`;
    if (code === 0) resolve(output);
    else fail("keyCommandFailed", `${nameOf(program)}, ${end}. ${lastLine(complaint, output)}`.trim());
  };
  const timer = setTimeout(() => {
    fail("keyCommandTimeout");
  }, limit);
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
    if (output.length > maxLength + maxComplaint) fail("keyCommandTooLong");
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    complaint = (complaint + text).slice(-maxComplaint);
  });
  child.on("error", (cause) => {
    fail("keyCommandNotStarted", undefined, cause);
  });
  child.on("close", done);
  child.on("exit", (code, signal) => {
    setTimeout(done, outputLimit, code, signal).unref();
  });
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) killGroup(child.pid);
    child.stdout.destroy();
    child.stderr.destroy();
  }
}

const isWindows = process.platform === "win32";

function killGroup(pid: number): void {
  try {
    process.kill(isWindows ? pid : -pid, "SIGKILL");
  } catch {
    // It has ended.
  }
}

/** The key in what a command printed. Throws `UserError`. */
function keyIn(output: string, [program = ""]: Command): string {
  const key = output.trim();
  const subject = nameOf(program);
  if (key === "") throw new UserError("keyCommandEmpty", { subject });
  if (Buffer.byteLength(key) > maxLength) throw new UserError("keyCommandTooLong", { subject });
  if (/[\r\n]/.test(key)) throw new UserError("keyCommandLines", { subject });
  // Other characters cannot stand in a header.
  if (!/^[!-~]+$/.test(key)) throw new UserError("keyCommandCharacters", { subject });
  return key;
}

/** The last line that a program wrote to standard error, without what may be a key. */
function lastLine(complaint: string, output: string): string {
  const lines = complaint.trim().split(/[\r\n]+/);
  const line = lines.at(-1) ?? "";
  // Of what was printed, the beginning is enough to recognize it.
  const key = output.trim().slice(0, 200);
  return quote(maskText(key === "" ? line : cleaning(key)(line)));
}

/** The name of a program without its folder. */
function nameOf(program: string): string {
  return quote(basename(program), 60);
}

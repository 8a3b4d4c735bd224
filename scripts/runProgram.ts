import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

interface Environment {
  readonly cwd: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** Runs a program and returns its output. A failure includes what the program wrote about it to standard error. */
export async function runProgram(
  command: string,
  args: readonly string[],
  { cwd, env = process.env }: Environment,
): Promise<string> {
  // npm is a .cmd file on Windows, which requires a shell (Node's child_process documentation).
  const shell = process.platform === "win32" && command === "npm";
  return (await run(command, args, { cwd, env, shell, maxBuffer: Infinity })).stdout;
}

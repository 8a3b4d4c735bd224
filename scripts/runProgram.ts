import { spawn } from "node:child_process";

interface Surroundings {
  readonly cwd: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** Runs a program and returns its output. A failure includes the last lines of the output. */
export async function runProgram(
  command: string,
  args: readonly string[],
  { cwd, env }: Surroundings,
): Promise<string> {
  // npm is a .cmd file on Windows, which requires a shell (Node's child_process documentation).
  const shell = process.platform === "win32" && command === "npm";
  const child = spawn(command, args, { cwd, env: env ?? process.env, shell, stdio: ["ignore", "pipe", "pipe"] });
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => output.push(text));
  }
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject).once("close", resolve);
  });
  if (code === 0) return output.join("");
  const lastLines = output.join("").trimEnd().split("\n").slice(-20).join("\n");
  throw new Error(`${command} ${args.join(" ")} ended with ${code ?? "a signal"}:\n${lastLines}`);
}

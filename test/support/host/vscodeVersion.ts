/** Environment variable through which `npm test -- --host` reaches all processes of a run. */
export const hostVariable = "CODEX_GATEWAY_TEST_VSCODE";

/** The npm package code-server carries a complete VS Code server: 4.139.1 is VS Code 1.139.1. */
const newestServer = "4.139.1";

/** The version of code-server to test on. */
export function serverVersion(): string {
  return requested() ?? newestServer;
}

/** The version of desktop VS Code to test on: code-server's, with major version 1. */
export function desktopVersion(): string {
  return requested()?.replace(/^4\./, "1.") ?? "stable";
}

function requested(): string | undefined {
  const version = process.env[hostVariable];
  if (version === undefined || version === "") return undefined;
  if (/^4\.\d+\.\d+$/.test(version)) return version;
  throw new Error(`"${version}" is no version of code-server, such as ${newestServer}.`);
}

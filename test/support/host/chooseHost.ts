import { readdir } from "node:fs/promises";
import { installDesktop } from "./desktop.ts";
import { cacheFolder } from "../../../scripts/paths.ts";

/** Desktop VS Code, or the VS Code server with a browser. */
export type Host = "desktop" | "server";

/** Environment variable that forces a host. */
const variable = "CODEX_GATEWAY_TEST_HOST";

/** Uses desktop VS Code if there are a display and its download, else the server from npm. */
export async function chooseHost(): Promise<Host> {
  const forced = process.env[variable];
  if (forced === "desktop" || forced === "server") return forced;
  if (forced) throw new Error(`${variable} is "${forced}"; it can be "desktop" or "server".`);
  if (!hasDisplay() || !(await isDesktopInReach())) return "server";
  try {
    await installDesktop();
    return "desktop";
  } catch (cause) {
    console.log(`Desktop VS Code could not be downloaded (${String(cause)}); the VS Code server serves instead.`);
    return "server";
  }
}

function hasDisplay(): boolean {
  if (process.platform !== "linux") return true;
  return Boolean(process.env.DISPLAY ?? process.env.WAYLAND_DISPLAY);
}

async function isDesktopInReach(): Promise<boolean> {
  const cached = await readdir(cacheFolder).catch(() => []);
  if (cached.some((name) => name.startsWith("vscode-"))) return true;
  // Behind a proxy only the download itself can tell, because `fetch` uses none by default (Node 24).
  if (process.env.HTTPS_PROXY ?? process.env.https_proxy) return true;
  const url = "https://update.code.visualstudio.com/api/releases/stable";
  const reply = fetch(url, { method: "HEAD", signal: AbortSignal.timeout(5_000) });
  return reply.then(
    ({ ok }) => ok,
    () => false,
  );
}

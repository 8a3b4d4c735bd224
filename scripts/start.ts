import { once } from "node:events";
import { startGateway } from "../test/support/gateway/gateway.ts";
import { connectedTo, copyWorkspace, createProfile } from "../test/support/host/profile.ts";
import { chooseHost, openDesktop } from "../test/support/host/desktop.ts";
import { packageExtension } from "./packageExtension.ts";
import { vsixPath } from "./paths.ts";
import { startServer } from "../test/support/host/server.ts";

/**
 * `npm start`: opens the packaged extension in a real VS Code, connected to a local gateway. Ctrl+C stops and removes
 * everything.
 */
const interrupted = Promise.race(["SIGINT", "SIGTERM", "SIGHUP"].map((signal) => once(process, signal)));
await using cleanup = new AsyncDisposableStack();

await packageExtension();
const host = await chooseHost();
const gateway = cleanup.use(await startGateway());
const { settings, env } = connectedTo(gateway);
const profile = await createProfile(settings);
cleanup.defer(() => profile.remove());
const workspace = cleanup.use(await copyWorkspace()).folder;
const window = host === "desktop" ? await openWindow() : await serve();

console.log(`
  1. Chat view:  @codex What does greetAll do?
  2. F1, "Codex Gateway: Generate Image", and describe one: the PNG opens and is in ${workspace}.
  3. curl -d "{\\"entry\\":\\"primary\\"}" ${gateway.control.url}/stopEntry   and try both again: the backup answers.
  4. F1, "Codex Gateway: Configure Completions", "While Typing", and type code in greet.ts.

Ctrl+C ends VS Code and the gateway.`);
await Promise.race([interrupted, window.closed]);

/** The open window, wrapped in an object because a promise in a result would be awaited. */
interface Window {
  readonly closed: Promise<unknown>;
}

async function openWindow(): Promise<Window> {
  const desktop = await openDesktop(profile, { workspace, vsixPath, env });
  const closed = once(desktop, "exit");
  cleanup.defer(async () => {
    desktop.kill();
    await closed;
  });
  console.log("\nVS Code is open.");
  return { closed };
}

async function serve(): Promise<Window> {
  const server = await startServer({ profile, extensions: [vsixPath], env, port: "8377-8477" });
  cleanup.defer(() => server.stop());
  console.log(`\nVS Code: ${server.url(workspace)}`);
  return { closed: Promise.withResolvers().promise };
}

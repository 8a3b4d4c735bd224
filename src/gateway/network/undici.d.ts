/*
 * Loading undici's index sets a process-wide dispatcher for all extensions in the host (lib/global.js, undici 8.12).
 * The client imports its parts by file instead; these are their types.
 */
declare module "undici/lib/dispatcher/proxy-agent.js" {
  export { ProxyAgent as default } from "undici";
}
declare module "undici/lib/dispatcher/pool.js" {
  export { Pool as default } from "undici";
}
declare module "undici/lib/api/api-connect.js" {
  import type { Dispatcher } from "undici";
  const connect: Dispatcher["connect"];
  export default connect;
}
declare module "undici/lib/core/connect.js" {
  import type { Socket } from "node:net";
  import type { buildConnector as Build } from "undici";
  export default function buildConnector(
    options: Build.BuildOptions,
  ): (options: Build.Options, callback: Build.Callback) => Socket;
}
declare module "undici/lib/core/symbols.js" {
  const symbols: Readonly<Record<"kParser", symbol>>;
  export default symbols;
}

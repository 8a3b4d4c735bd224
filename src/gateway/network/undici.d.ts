/*
 * undici's index sets a process-wide dispatcher when it loads, for every extension in the host. Its parts do not, so
 * the client imports them by file; these are their types.
 */
declare module "undici/lib/dispatcher/agent.js" {
  export { Agent as default } from "undici";
}
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

import { startGateway } from "./gateway.ts";

const ports = { primary: 4310, backup: 4311, imageHost: 4312, control: 4313 };

const gateway = await startGateway({ ports, modes: { chunkDelay: 25 } });
const { primary, backup, imageHost, control, keys } = gateway;

console.log(`Local gateway
  primary     ${primary.url}
  backup      ${backup.url}
  image host  ${imageHost.url}
  control     ${control.url}
  codex key   ${keys.codex}
  image key   ${keys.image}

Ask a question, order an image, let the next two requests to the primary get 529, serve all models through responses only:
  ${curl(`${primary.url}/v1/chat/completions`, { model: "gpt-5.3-codex", messages: [{ role: "user", content: "Hello" }] }, keys.codex)}
  ${curl(`${primary.url}/v1/images/generations`, { model: "gpt-image-2", prompt: "A red fox" }, keys.image)}
  ${curl(`${control.url}/next`, { entry: "primary", count: 2, fault: { status: 529 } })}
  ${curl(`${control.url}/mode`, { modes: { responsesOnly: "all" } })}

Ctrl+C ends it.`);

for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => void gateway.close());

/** A command line for any shell. */
function curl(url: string, body: object, key?: string): string {
  const authorization = key === undefined ? "" : `-H "Authorization: Bearer ${key}" `;
  return `curl ${url} ${authorization}-H "Content-Type: application/json" -d ${JSON.stringify(JSON.stringify(body))}`;
}

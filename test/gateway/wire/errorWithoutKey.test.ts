import assert from "node:assert/strict";
import { inspect } from "node:util";
import { keys, startBench } from "../support/bench.ts";
import { raw, send, sendJson, stream } from "../support/faults.ts";
import type { Fault } from "../support/faultServer.ts";

describe("an error of the client", () => {
  const key = keys.codex;
  const tool = { function: { name: key, arguments: "x" } };
  const faults: readonly (readonly [where: string, fault: Fault])[] = [
    ["an invalid header", raw(`HTTP/1.1 200 OK\r\nBad Header ${key}\r\n\r\n`)],
    ["an invalid body", raw(`HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${key}zz\r\n`)],
    ["the target of a redirect", send(302, "text/plain", "", `location: https://x.test/${key}/a\r\n`)],
    ["a page's title", send(200, "text/html", `<title>${key}</title>`)],
    ["the field it refuses, and the code", sendJson(400, { error: { param: key, code: key, type: key } })],
    ["a message that is cut within it", sendJson(400, { error: { message: `${"x".repeat(290)} ${key}` } })],
    ["the names of fields that are cut within it", sendJson(200, { ["a".repeat(190) + key]: 1 })],
    ["the name of a tool", sendJson(200, { choices: [{ message: { tool_calls: [tool] } }] })],
    ["its Retry-After", send(429, "text/plain", "", `retry-after: ${key}\r\n`)],
    ["an event of a stream", stream(`event: error\ndata: ${key} is wrong\n\n`)],
  ];
  for (const [where, fault] of faults) {
    it(`tells no key that a gateway quotes in ${where}`, async () => {
      const ending: Fault = (exchange) => {
        fault(exchange);
        exchange.socket.end();
      };
      await using bench = await startBench(ending, { hasBackup: false });
      const { error } = await bench.result();
      assert.ok(error);
      const told = inspect([error, bench.reports], { depth: null, showHidden: true, maxStringLength: null });
      assert.doesNotMatch(told, /codex-0|sk-cod/);
    });
  }
});

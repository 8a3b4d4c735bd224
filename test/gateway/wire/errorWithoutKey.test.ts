import assert from "node:assert/strict";
import { inspect } from "node:util";
import { right, send } from "../../support/faults/answers.ts";
import { keys, startBench } from "../../support/faults/bench.ts";
import { raw } from "../../support/faults/faults.ts";
import type { Fault } from "../../support/faults/faultServer.ts";
import { resultOf } from "../../support/faults/scenario.ts";

const json = (status: number, value: unknown): Fault => send(status, "application/json", JSON.stringify(value));

describe("an error of the client", () => {
  const key = keys.codex;
  const tool = { function: { name: key, arguments: "x" } };
  const faults: readonly (readonly [where: string, fault: Fault])[] = [
    ["a header that is none", raw(`HTTP/1.1 200 OK\r\nBad Header ${key}\r\n\r\n`)],
    ["a body that is no HTTP", raw(`HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${key}zz\r\n`)],
    ["where it redirects to", send(302, "text/plain", "", `location: https://x.test/${key}/a\r\n`)],
    ["a page's title", send(200, "text/html", `<title>${key}</title>`)],
    ["the field it refuses, and the code", json(400, { error: { message: "No.", param: key, code: key, type: key } })],
    ["a message that is cut within it", json(400, { error: { message: `${"x".repeat(290)} ${key}` } })],
    ["the names of fields that are cut within it", json(200, { ["a".repeat(190) + key]: 1 })],
    ["the name of a tool", json(200, { choices: [{ message: { tool_calls: [tool] } }] })],
    ["when to come back", send(429, "text/plain", "", `retry-after: ${key}\r\n`)],
    ["an event of a stream", send(200, "text/event-stream", `event: error\ndata: ${key} is wrong\n\n`)],
  ];
  for (const [where, fault] of faults) {
    it(`tells no key that a gateway quotes in ${where}`, async () => {
      await using bench = await startBench(right("chatStream"), { hasBackup: false });
      bench.primary.always((exchange) => {
        fault(exchange);
        exchange.socket.end();
      });
      const { error } = await resultOf(bench.gateway, "chatStream");
      assert.ok(error);
      const told = inspect([error, bench.reports], { depth: null, showHidden: true, maxStringLength: null });
      assert.doesNotMatch(told, /codex-0|sk-cod/);
    });
  }
});

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { userAgent } from "../../src/gateway/network/network.ts";
import { allAsked, right } from "../support/faults/answers.ts";
import { startBench } from "../support/faults/bench.ts";
import { failure, silence } from "../support/faults/faults.ts";
import { FaultServer } from "../support/faults/faultServer.ts";
import { resultOf } from "../support/faults/scenario.ts";

describe("the User-Agent", () => {
  it("is the name and the version of the package", async () => {
    const text = await readFile(`${import.meta.dirname}/../../package.json`, "utf8");
    const { name, version } = JSON.parse(text) as { readonly name: string; readonly version: string };
    assert.equal(userAgent, `${name}/${version}`);
  });

  it("goes with every request: orders, signs of life, tests and downloads", async () => {
    await using host = await FaultServer.start(failure(404, "x"));
    await using bench = await startBench(silence, { limits: { silence: 30 } });
    for (const asked of allAsked) {
      bench.primary.next((exchange) => void setTimeout(right(asked), 100, exchange));
      assert.equal((await resultOf(bench.gateway, asked)).outcome, "answer");
    }
    bench.primary.always(right("chatJson"));
    bench.backup.always(right("chatJson"));
    const { signal } = new AbortController();
    await bench.gateway.probe("gpt-5.4", signal);
    await assert.rejects(bench.gateway.downloadImage(`http://localhost:${host.port}/a.png`, signal));
    const requests = [...bench.primary.requests, ...bench.backup.requests, ...host.requests];
    assert.deepEqual([...new Set(requests.map(({ method }) => method))].sort(), ["GET", "HEAD", "POST"]);
    for (const { head } of requests) assert.equal(/^user-agent: (.*)$/im.exec(head)?.[1], userAgent);
  });
});

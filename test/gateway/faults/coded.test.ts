import assert from "node:assert/strict";
import { brotliCompressSync, constants, createGzip, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { setImmediate as connectionsAtRest } from "node:timers/promises";
import type { AnswerPart } from "../../../src/gateway/types.ts";
import { ask, type Bench, download, leavesNothing, shortLimits, startBench } from "../support/bench.ts";
import { allAsked, rightAnswer, rightText, send } from "../support/faults.ts";
import { type Fault, FaultServer } from "../support/faultServer.ts";
import { itEnds, nothing, useless } from "../support/scenario.ts";
import { tinyPng } from "../../support/gateway/png.ts";
import { until } from "../../support/until.ts";
import { textIn } from "../../support/localClient.ts";

type Encode = (body: Buffer) => Buffer;

const coded = (coding: string, type: string, body: Buffer, status = 200): Fault =>
  send(status, type, body, `content-encoding: ${coding}\r\n`);

/** Sends the right answer in a coding. */
const rightIn =
  (coding: string, encode: Encode): Fault =>
  (exchange) => {
    const { type, pieces } = rightAnswer(exchange.request);
    coded(coding, type, encode(Buffer.from(pieces.join(""))))(exchange);
  };

const same: Encode = (body) => body;
const gzip: Encode = (body) => gzipSync(body);
const codings: Readonly<Record<string, Encode>> = {
  gzip,
  "x-gzip": gzip,
  GZip: gzip,
  deflate: (body) => deflateSync(body),
  br: (body) => brotliCompressSync(body),
  zstd: (body) => zstdCompressSync(body),
  "gzip, br": (body) => brotliCompressSync(gzipSync(body)),
  "aws-chunked": same,
  "UTF-8": same,
  "aws-chunked,gzip": gzip,
  "identity, gzip": gzip,
  identity: same,
  "": same,
};

async function downloaded(bench: Bench, fault: Fault): Promise<string> {
  await using host = await FaultServer.start(fault);
  const outcome = await download(bench, `${host.url}/a.png`);
  await until(() => host.busy === 0, "no connection is in use");
  return outcome;
}

describe("faults: coded bodies", () => {
  leavesNothing();

  for (const [coding, encode] of Object.entries(codings)) {
    it(`are decoded: ${JSON.stringify(coding)}`, async () => {
      await using bench = await startBench(rightIn(coding, encode));
      for (const asked of allAsked) {
        assert.equal(await bench.outcome(asked), "answer", asked);
        await connectionsAtRest();
      }
      assert.equal(await downloaded(bench, coded(coding, "image/png", encode(tinyPng))), "same png");
    });
  }

  it("are decoded as they arrive", async () => {
    const sends = createGzip({ flush: constants.Z_SYNC_FLUSH });
    let rest: readonly string[] = [];
    await using bench = await startBench(({ socket, request, done }) => {
      const { type, pieces } = rightAnswer(request);
      socket.write(`HTTP/1.1 200 OK\r\ncontent-type: ${type}\r\ncontent-encoding: gzip\r\nconnection: close\r\n\r\n`);
      sends.pipe(socket);
      sends.write(pieces[0] ?? "");
      rest = pieces.slice(1);
      done();
    });
    const parts: AnswerPart[] = [];
    const answer = ask(bench.gateway, "chatStream", undefined, parts);
    await until(() => textIn(parts) === "Grüße, ", "the first piece is there");
    sends.end(rest.join(""));
    assert.equal(await answer, rightText);
  });

  const undecodable: readonly (readonly [title: string, coding: string, encode: Encode])[] = [
    ["in too many codings", "gzip, gzip, gzip", (body) => gzip(gzip(gzip(body)))],
    ["that are not in their coding", "gzip", same],
    ["that are not in their coding, zstd", "zstd", same],
    ["that are damaged", "gzip", (body) => gzip(body).fill(0xff, 10, 20)],
  ];
  for (const [title, coding, encode] of undecodable) itEnds(title, rightIn(coding, encode), useless("unreadable"));
  const cutOff = rightIn("gzip", (body) => gzip(body).subarray(0, 20));
  itEnds("that are cut off", { fault: cutOff, limits: shortLimits }, nothing());

  it("do not hide the status of an error", async () => {
    await using bench = await startBench();
    const error = Buffer.from(JSON.stringify({ error: { message: "No such key." } }));
    for (const [coding, body, status, outcome, message] of [
      ["gzip", gzip(error), 401, "unauthorized", "No such key."],
      ["zstd", error, 401, "unauthorized", undefined],
      ["gzip", Buffer.alloc(0), 403, "forbidden", undefined],
    ] as const) {
      bench.primary.next(coded(coding, "application/json", body, status));
      const result = await bench.result();
      assert.deepEqual([result.outcome, result.error?.gatewayMessage], [outcome, message]);
    }
  });

  it("that grow without bounds end as an error, and take no memory", async () => {
    await using bench = await startBench(undefined, { hasBackup: false });
    // A gigabyte in a megabyte, as members of one gzip file, which Brotli does not have.
    const gzipBomb = Buffer.concat(Array<Buffer>(1_024).fill(gzip(Buffer.alloc(1 << 20, "x"))));
    const brotliBomb = brotliCompressSync(Buffer.alloc(20 << 20, "x"), {
      params: { [constants.BROTLI_PARAM_QUALITY]: 0 },
    });
    const before = process.memoryUsage.rss();
    let most = 0;
    const timer = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 5);
    try {
      for (const [coding, asked, bomb] of [
        ["gzip", "chatJson", gzipBomb],
        ["gzip", "chatStream", gzipBomb],
        ["gzip", "image", gzipBomb],
        ["br", "chatJson", brotliBomb],
      ] as const) {
        bench.primary.always(rightIn(coding, () => bomb));
        assert.match(await bench.outcome(asked), /^(unreadable|mayBeCharged)$/);
      }
      assert.equal(await downloaded(bench, coded("gzip", "image/png", gzipBomb)), "tooLarge");
    } finally {
      clearInterval(timer);
    }
    assert.ok(most - before < 300 << 20, `${(most - before) >> 20} MB more`);
  });
});

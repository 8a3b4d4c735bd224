import assert from "node:assert/strict";
import { brotliCompressSync, constants, createGzip, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { setImmediate as connectionsAtRest } from "node:timers/promises";
import type { AnswerPart } from "../../../src/gateway/types.ts";
import { allAsked, ask, type Asked, rightAnswers, rightText } from "../../support/faults/answers.ts";
import { type Bench, shortLimits, startBench } from "../../support/faults/bench.ts";
import { silence } from "../../support/faults/faults.ts";
import { type Fault, FaultServer } from "../../support/faults/faultServer.ts";
import { leavesNothing } from "../../support/faults/leavesNothing.ts";
import { itEnds, nothing, resultOf, useless } from "../../support/faults/scenario.ts";
import { assemblePng } from "../../support/gateway/png.ts";
import { until } from "../../support/gateway/until.ts";
import { textIn } from "../../support/localClient.ts";

/** Sends bytes with their coding and their length, and keeps the connection. */
function coded(coding: string, type: string, body: Buffer, status = 200): Fault {
  return ({ socket, done }) => {
    const head = `content-type: ${type}\r\ncontent-encoding: ${coding}\r\ncontent-length: ${body.length}`;
    socket.write(`HTTP/1.1 ${status} X\r\n${head}\r\n\r\n`);
    socket.write(body);
    done();
  };
}

const plain = (asked: Asked): Buffer => Buffer.from(rightAnswers[asked].pieces.join(""));
const codings: Readonly<Record<string, (body: Buffer) => Buffer>> = {
  gzip: (body) => gzipSync(body),
  "x-gzip": (body) => gzipSync(body),
  GZip: (body) => gzipSync(body),
  deflate: (body) => deflateSync(body),
  "deflate ": (body) => deflateRawSync(body),
  br: (body) => brotliCompressSync(body),
  "gzip, br": (body) => brotliCompressSync(gzipSync(body)),
  "identity, gzip": (body) => gzipSync(body),
  identity: (body) => body,
  "": (body) => body,
};
const image = assemblePng({ width: 8, height: 8, colorType: 2 }, [["IDAT", deflateSync(Buffer.alloc(25 * 8))]]);

async function download({ gateway }: Bench, fault: Fault): Promise<string> {
  await using host = await FaultServer.start(fault);
  const url = `http://localhost:${host.port}/a.png`;
  const result = await gateway.downloadImage(url, new AbortController().signal).then(
    ({ bytes }) => (image.equals(bytes) ? "same" : "other"),
    (error: unknown) => (error as { kind: string }).kind,
  );
  await until(() => host.busy === 0, 2_000, "no connection is in use");
  return result;
}

describe("faults: coded bodies", () => {
  leavesNothing();

  it("are not asked for", async () => {
    await using bench = await startBench(silence);
    for (const asked of allAsked) {
      bench.primary.next(coded("identity", rightAnswers[asked].type, plain(asked)));
      assert.equal((await resultOf(bench.gateway, asked)).outcome, "answer");
    }
    await using host = await FaultServer.start(coded("identity", "image/png", image));
    await bench.gateway.downloadImage(`http://localhost:${host.port}/a.png`, new AbortController().signal);
    for (const { head } of [...bench.primary.requests, ...host.requests]) {
      assert.match(head, /^accept-encoding: identity$/im);
    }
  });

  for (const [coding, encode] of Object.entries(codings)) {
    it(`are decoded: ${JSON.stringify(coding)}`, async () => {
      await using bench = await startBench(silence);
      for (const asked of allAsked) {
        bench.primary.next(coded(coding, rightAnswers[asked].type, encode(plain(asked))));
        assert.equal((await resultOf(bench.gateway, asked)).outcome, "answer", asked);
        await connectionsAtRest();
      }
      assert.equal(await download(bench, coded(coding, "image/png", encode(image))), "same");
    });
  }

  it("are decoded as they arrive", async () => {
    await using bench = await startBench(silence);
    const { pieces, type } = rightAnswers.chatStream;
    const send = createGzip({ flush: constants.Z_SYNC_FLUSH });
    bench.primary.next(({ socket, done }) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-type: ${type}\r\ncontent-encoding: gzip\r\nconnection: close\r\n\r\n`);
      send.pipe(socket);
      send.write(pieces[0] ?? "");
      done();
    });
    const parts: AnswerPart[] = [];
    const answer = ask(bench.gateway, "chatStream", undefined, parts);
    await until(() => textIn(parts) === "Grüße, ", 2_000, "the first piece is there");
    for (const piece of pieces.slice(1)) send.write(piece);
    send.end();
    assert.equal(await answer, rightText);
  });

  const undecodable: readonly (readonly [title: string, coding: string, encode: (body: Buffer) => Buffer])[] = [
    ["in no known coding", "zstd", (body) => body],
    ["in more codings than anybody needs", "gzip, gzip, gzip", (body) => gzipSync(gzipSync(gzipSync(body)))],
    ["that are not in their coding", "gzip", (body) => body],
    ["that are damaged", "gzip", (body) => gzipSync(body).fill(0xff, 10, 20)],
  ];
  for (const [title, coding, encode] of undecodable) {
    const faultFor = (asked: Asked): Fault => coded(coding, rightAnswers[asked].type, encode(plain(asked)));
    itEnds(title, { faultFor }, useless("unreadable"));
  }
  itEnds(
    "that are cut off",
    {
      faultFor: (asked) => coded("gzip", rightAnswers[asked].type, gzipSync(plain(asked)).subarray(0, 20)),
      limits: shortLimits,
    },
    nothing(),
  );

  it("do not hide the status of an error", async () => {
    await using bench = await startBench(silence);
    const error = Buffer.from(JSON.stringify({ error: { message: "No such key." } }));
    bench.primary.next(coded("gzip", "application/json", gzipSync(error), 401));
    const { outcome, error: told } = await resultOf(bench.gateway, "chatJson");
    assert.deepEqual([outcome, told?.gatewayMessage], ["unauthorized", "No such key."]);
    bench.primary.next(coded("zstd", "application/json", error, 401));
    assert.equal((await resultOf(bench.gateway, "chatJson")).outcome, "unauthorized");
    bench.primary.next(coded("gzip", "application/json", Buffer.alloc(0), 403));
    assert.equal((await resultOf(bench.gateway, "chatJson")).outcome, "forbidden");
  });

  it("that grow without bounds end as an error, and take no memory", async () => {
    await using bench = await startBench(silence, { hasBackup: false });
    // A gigabyte in a megabyte: the members of a gzip file follow each other. Brotli knows no such thing.
    const gzipBomb = Buffer.concat(Array<Buffer>(1_024).fill(gzipSync(Buffer.alloc(1 << 20, "x"))));
    const brotliBomb = brotliCompressSync(Buffer.alloc(20 << 20, "x"), {
      params: { [constants.BROTLI_PARAM_QUALITY]: 0 },
    });
    const bombs = [
      ["gzip", "chatJson", gzipBomb],
      ["gzip", "chatStream", gzipBomb],
      ["gzip", "image", gzipBomb],
      ["br", "chatJson", brotliBomb],
    ] as const;
    const before = process.memoryUsage.rss();
    let most = 0;
    const timer = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 5);
    try {
      for (const [coding, asked, bomb] of bombs) {
        bench.primary.always(coded(coding, rightAnswers[asked].type, bomb));
        const { outcome } = await resultOf(bench.gateway, asked);
        assert.match(outcome, /^(unreadable|mayBeCharged)$/);
      }
      assert.equal(await download(bench, coded("gzip", "image/png", gzipBomb)), "tooLarge");
    } finally {
      clearInterval(timer);
    }
    assert.ok(most - before < 300 << 20, `${(most - before) >> 20} MB more`);
  });
});

import assert from "node:assert/strict";
import { mkdtempDisposable, readFile, writeFile } from "node:fs/promises";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { allAsked, right } from "../../support/faults/answers.ts";
import { startBench } from "../../support/faults/bench.ts";
import { certificateFile, type FaultServer } from "../../support/faults/faultServer.ts";
import { leavesNothing } from "../../support/faults/leavesNothing.ts";
import { each, always, itEnds, resultOf } from "../../support/faults/scenario.ts";

const count = ({ connections }: FaultServer): number => connections;
/** Six handshakes at once and the system's certificates take seconds on a busy machine. */
const patience = 60_000;
const limits = {
  connect: patience,
  connectWithStandby: patience,
  silence: patience,
  silenceWithStandby: patience,
  silenceAfterCheck: patience,
};
const trusted = { certificateFile: certificateFile("ca") };

describe("faults: TLS (counting connections)", () => {
  leavesNothing();

  itEnds(
    "signed by itself: once more with the system's certificates",
    { listens: { certificate: "selfSigned" }, count, limits },
    always("untrusted 2+0"),
  );
  itEnds("unknown issuer", { listens: { certificate: "localhost" }, count, limits }, always("untrusted 2+0"));
  itEnds(
    "wrong host name: no second try",
    { listens: { certificate: "wrongHost" }, settings: trusted, count, limits },
    always("untrusted 1+0"),
  );
  for (const said of ["HTTP/1.1 400 Bad Request\r\n\r\n", "SSH-2.0-OpenSSH\r\n", "<html>"]) {
    const listens = { onConnection: (socket: Socket) => socket.end(said) };
    const url = ({ port }: FaultServer): string => `https://localhost:${String(port)}`;
    itEnds(`https to a plain port: ${JSON.stringify(said)}`, { listens, url, count, limits }, always("notHttps 1+0"));
  }
  itEnds(
    "an issuer from the certificate file is trusted",
    { listens: { certificate: "localhost" }, settings: trusted, count, limits },
    each(allAsked, "answer 1+0", "answer 1+0"),
  );

  for (const [title, listens, settings, connections] of [
    ["signed by itself", { certificate: "selfSigned" }, {}, 2],
    ["for another host", { certificate: "wrongHost" }, trusted, 1],
  ] as const) {
    it(`is not switched off by the environment: a certificate ${title}`, async () => {
      const name = "NODE_TLS_REJECT_UNAUTHORIZED";
      const before = process.env[name];
      process.env[name] = "0";
      try {
        await using bench = await startBench(right("chatJson"), {
          primary: listens,
          settings,
          limits,
          hasBackup: false,
        });
        assert.equal((await resultOf(bench.gateway, "chatJson")).outcome, "untrusted");
        assert.equal((await resultOf(bench.gateway, "image")).outcome, "untrusted");
        assert.deepEqual([bench.primary.posts, bench.primary.connections], [0, connections + 1]);
      } finally {
        if (before === undefined) Reflect.deleteProperty(process.env, name);
        else process.env[name] = before;
      }
    });
  }

  it("says which file cannot be used", async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), "codex-certificates-"));
    const large = join(folder.path, "large.pem");
    await writeFile(large, (await readFile(certificateFile("ca"), "utf8")) + "\n".repeat(1_000_000));
    const endless = process.platform === "win32" ? [] : ["/dev/zero", "/dev/stdin"];
    const files = ["/nowhere/ca.pem", `${import.meta.dirname}/tls.test.ts`, folder.path, large, ...endless];
    for (const file of files) {
      await using bench = await startBench(right("chatJson"), { settings: { certificateFile: file } });
      const { outcome } = await resultOf(bench.gateway, "chatJson");
      assert.equal(outcome, "certificateFile", file);
      bench.settings = { ...bench.settings, certificateFile: certificateFile("ca") };
      assert.equal((await resultOf(bench.gateway, "chatJson")).outcome, "answer");
    }
  });
});

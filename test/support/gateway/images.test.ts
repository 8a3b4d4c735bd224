import assert from "node:assert/strict";
import { inflateSync } from "node:zlib";
import { describe, it } from "mocha";
import { linkOf } from "./asker.ts";
import type { Asker } from "./asker.ts";
import type { LocalGateway } from "./gateway.ts";
import { withGateway } from "./hooks.ts";

describe("local gateway: makes images", () => {
  let gateway: LocalGateway;
  let ask: Asker;
  withGateway((...started) => ([gateway, ask] = started));

  it("of the size asked for, behind a link that redirects once, with the same bytes for the same prompt", async () => {
    const files: Buffer[] = [];
    while (files.length < 2) {
      const url = await linkOf(await ask.order({ size: "1536x1024" }));
      const response = await fetch(url);
      assert.ok(url.startsWith(gateway.imageHost.url) && response.redirected && response.url !== url);
      files.push(Buffer.from(await response.arrayBuffer()));
    }
    const [file, again] = files;
    assert.ok(file && again?.equals(file));
    assert.deepEqual([file.readUInt32BE(16), file.readUInt32BE(20)], [1536, 1024]);
    assert.equal(inflateSync(file.subarray(41, 41 + file.readUInt32BE(33))).length, (1536 * 3 + 1) * 1024);
    const [first, , second] = gateway.downloads;
    assert.notEqual(first?.path, second?.path);
    assert.equal(first?.headers.authorization, undefined);
  }).timeout(10_000);

  it("in the variants that count as no image, inline, and several at once", async () => {
    const entry = gateway.entry("primary");
    for (const image of ["noData", "emptyData", "noUrl", "inline", "several"] as const) entry.next(1, { image });
    assert.ok(!(await (await ask.order()).text()).includes('"data"'));
    assert.match(await (await ask.order()).text(), /"data":\[\]/);
    assert.ok(!(await (await ask.order()).text()).includes('"url"'));
    assert.match(await (await ask.order()).text(), /"b64_json":"iVBOR/);
    assert.equal((await (await ask.order()).text()).split('"url"').length - 1, 3);
  }).timeout(10_000);

  it("whose download fails as told", async () => {
    const url = await linkOf(await ask.order());
    const { imageHost } = gateway;
    imageHost.next(1, { status: 403 });
    imageHost.next(1, { broken: "html" });
    imageHost.next(1, { broken: "cut" });
    imageHost.next(1, { type: "webp" });
    assert.equal((await fetch(url)).status, 403);
    assert.match(await (await fetch(url)).text(), /<html>/);
    await assert.rejects(fetch(url).then((response) => response.bytes()));
    assert.match(await (await fetch(url)).text(), /^RIFF/);
    imageHost.mode({ redirects: "loop" });
    await assert.rejects(fetch(url));
  });
});

import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { Asker } from "./asker.ts";
import { connectControl } from "./control.ts";
import { startGateway } from "./gateway.ts";
import type { LocalGateway } from "./gateway.ts";
import { withGateway } from "./hooks.ts";

describe("local gateway: is controlled", () => {
  let gateway: LocalGateway;
  let ask: Asker;
  withGateway((...started) => ([gateway, ask] = started));

  it("does the same for another process, through its control", async () => {
    const control = connectControl(gateway.control.url);
    const { primary, keys } = await control.state();
    assert.deepEqual([primary, keys], [gateway.primary.url, gateway.keys]);
    await control.entry("primary").next(1, { status: 500 });
    await control.mode({ hold: "beforeHeaders" });
    await control.imageHost.mode({ redirects: 0 });
    assert.equal(
      (await Promise.all([ask.chat("hi"), control.until((_, held) => held === 1).then(() => control.release())]))[0]
        .status,
      500,
    );
    assert.equal((await control.requests())[0]?.status, 500);
    await control.reset();
    assert.deepEqual(await control.requests(), []);
    assert.equal((await ask.order()).status, 200);
    const wrong = await fetch(`${gateway.control.url}/next`, {
      method: "POST",
      body: '{"entry":"primary","fault":{"staus":1}}',
    });
    assert.equal(wrong.status, 400);
  });

  it("moves on to the next free port", async () => {
    await using other = await startGateway({ ports: { primary: Number(new URL(gateway.primary.url).port) } });
    assert.notEqual(other.primary.url, gateway.primary.url);
    const response = await fetch(`${other.primary.url}/v1/models`);
    assert.equal(response.status, 401);
  });
});

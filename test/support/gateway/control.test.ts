import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { Asker } from "./asker.ts";
import { type LocalGateway, startGateway } from "./gateway.ts";
import { withGateway } from "./hooks.ts";
import { isRecord } from "./json.ts";

describe("local gateway: is controlled", () => {
  let gateway: LocalGateway;
  let ask: Asker;
  withGateway((...started) => ([gateway, ask] = started));

  /** Sends a command, as from another process. */
  async function command(name: string, fields: object = {}): Promise<unknown> {
    const response = await fetch(`${gateway.control.url}/${name}`, { method: "POST", body: JSON.stringify(fields) });
    return response.ok ? await response.json() : response.status;
  }

  it("over HTTP", async () => {
    const state = await command("state");
    assert.ok(isRecord(state));
    assert.deepEqual([state.primary, state.keys, state.held], [gateway.primary.url, gateway.keys, 0]);
    await command("next", { entry: "primary", count: 1, fault: { status: 500 } });
    await command("mode", { modes: { hold: "beforeHeaders" } });
    await command("mode", { entry: "imageHost", modes: { redirects: 0 } });
    const answer = ask.chat("hi");
    await gateway.until((_, held) => held === 1);
    await command("release");
    assert.equal((await answer).status, 500);
    assert.match(JSON.stringify(await command("requests")), /^\[\{"entry":"primary".*"status":500/);
    await command("reset");
    assert.deepEqual(await command("requests"), []);
    await command("stopEntry", { entry: "primary" });
    await assert.rejects(ask.order());
    await command("startEntry", { entry: "primary" });
    assert.equal((await ask.order()).status, 200);
    assert.equal(await command("next", { entry: "primary", fault: { staus: 1 } }), 400);
  });

  it("moves on to the next free port", async () => {
    await using other = await startGateway({ ports: { primary: Number(new URL(gateway.primary.url).port) } });
    assert.notEqual(other.primary.url, gateway.primary.url);
    const response = await fetch(`${other.primary.url}/v1/models`);
    assert.equal(response.status, 401);
  });
});
